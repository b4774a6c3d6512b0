import type { Source } from '../source.ts';
import { rowsOf, type TableRows } from '../write-database.ts';
import { growCatalogue } from './catalogue.ts';
import { growEvents, growGateCounts, growSuggestions, readBranches } from './house.ts';
import { growLoans, growReservations } from './loans.ts';
import { growLibrarians, growReaders } from './people.ts';

/** Grows the library's rows. */
export function generateCityLibrary(source: Source): TableRows[] {
  const branches = readBranches(source);
  const readers = growReaders(source, branches);
  const { authors, titles, copies } = growCatalogue(source, branches);
  const { loans, fines } = growLoans(readers, copies);
  return [
    {
      table: 'branch',
      rows: source.copy('branches.csv', ['id', 'name', 'quarter', 'opened', 'area', 'access']),
    },
    { table: 'librarian', rows: rowsOf(growLibrarians(source, branches)) },
    { table: 'reader', rows: rowsOf(readers) },
    { table: 'author', rows: rowsOf(authors) },
    { table: 'title', rows: rowsOf(titles) },
    { table: 'copy', rows: rowsOf(copies) },
    { table: 'loan', rows: rowsOf(loans) },
    { table: 'fine', rows: rowsOf(fines) },
    { table: 'reservation', rows: rowsOf(growReservations(readers, titles, branches)) },
    { table: 'event', rows: rowsOf(growEvents(source, branches)) },
    { table: 'gate_count', rows: rowsOf(growGateCounts(branches)) },
    { table: 'suggestion', rows: rowsOf(growSuggestions(source, branches)) },
  ];
}
