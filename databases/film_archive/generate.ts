import type { Source } from '../source.ts';
import { rowsOf, type TableRows } from '../write-database.ts';
import { growPrints } from './cans.ts';
import { growFilms } from './films.ts';
import { growRestorations, growScreenings, growShipments } from './use.ts';

/** Grows the film archive's rows. */
export function generateFilmArchive(source: Source): TableRows[] {
  const { films, otherTitles, people, credits, appearances } = growFilms(source);
  const { prints, inspections } = growPrints(source, films);
  return [
    { table: 'film', rows: rowsOf(films) },
    { table: 'other_title', rows: rowsOf(otherTitles) },
    { table: 'person', rows: rowsOf(people) },
    { table: 'credit', rows: rowsOf(credits) },
    { table: 'appearance', rows: rowsOf(appearances) },
    {
      table: 'vault',
      rows: source.copy('vaults.csv', ['id', 'building', 'celsius', 'humidity', 'nitrate', 'cans']),
    },
    { table: 'print', rows: rowsOf(prints) },
    { table: 'employee', rows: source.copy('employees.csv', ['id', 'name', 'job', 'since', 'until']) },
    { table: 'inspection', rows: rowsOf(inspections) },
    { table: 'restoration', rows: rowsOf(growRestorations(films)) },
    { table: 'borrower', rows: source.copy('borrowers.csv', ['id', 'name', 'city', 'country', 'kind']) },
    { table: 'shipment', rows: rowsOf(growShipments(source, prints)) },
    { table: 'screening', rows: rowsOf(growScreenings(films)) },
  ];
}
