import type { Source } from '../source.ts';
import { rowsOf, type TableRows } from '../write-database.ts';
import { growCollection } from './collection.ts';
import { growJourneys, growRestorations } from './journeys.ts';
import { growEstimates, growLoans } from './loans.ts';
import { growExhibitions, growMuseums, growStaff } from './people.ts';

/** Grows the rows of the museum's loans office. */
export function generateMuseumLoans(source: Source): TableRows[] {
  const museums = growMuseums(source);
  const museumIds = museums.map((museum) => museum.museumId);
  const { artists, artworks } = growCollection(source);
  const exhibitions = growExhibitions(source, museumIds);
  const { loans, lines } = growLoans(artworks, exhibitions, museumIds);
  const { transports, readings, reports } = growJourneys(loans, lines);
  const experts = source.words('noms.txt').slice(8, 15);
  return [
    { table: 'musee', rows: rowsOf(museums) },
    { table: 'agent', rows: rowsOf(growStaff(source)) },
    { table: 'artiste', rows: rowsOf(artists) },
    { table: 'oeuvre', rows: rowsOf(artworks) },
    { table: 'exposition', rows: rowsOf(exhibitions) },
    { table: 'prêt', rows: rowsOf(loans) },
    { table: 'ligne_pret', rows: rowsOf(lines) },
    { table: 'estimation', rows: rowsOf(growEstimates(artworks, experts)) },
    { table: 'constat', rows: rowsOf(reports) },
    {
      table: 'transporteur',
      rows: source.copy('transporteurs.csv', ['id', 'raison', 'ville', 'agréé']),
    },
    { table: 'transport', rows: rowsOf(transports) },
    { table: 'releve_climat', rows: readings },
    { table: 'restauration', rows: rowsOf(growRestorations(artworks)) },
    { table: 'taux_change', rows: source.copy('taux.csv', ['devise', 'année', 'euros']) },
  ];
}
