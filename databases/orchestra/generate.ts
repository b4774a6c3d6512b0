import type { Source } from '../source.ts';
import { rowsOf, type TableRows } from '../write-database.ts';
import { growConcerts } from './concerts.ts';
import { growAbsences, growMusicians } from './musicians.ts';
import { growSales, growSubscribers } from './tickets.ts';
import { growWorks } from './works.ts';

/** Grows the orchestra's rows. */
export function generateOrchestra(source: Source): TableRows[] {
  const { works, movements } = growWorks(source);
  const musicians = growMusicians(source);
  const { concerts, programme, changes, rehearsals } = growConcerts(source, works);
  const numbered = (file: string, columns: readonly string[]) =>
    source.copy(file, columns).map((row, i) => [i + 1, ...row]);
  return [
    { table: 'composer', rows: numbered('composers.csv', ['name', 'sort', 'country', 'born', 'died']) },
    { table: 'work', rows: rowsOf(works) },
    { table: 'movement', rows: movements },
    { table: 'section', rows: source.copy('sections.csv', ['code', 'name', 'family']) },
    { table: 'musician', rows: rowsOf(musicians) },
    { table: 'guest', rows: numbered('guests.csv', ['name', 'role', 'country', 'agent', 'fee']) },
    { table: 'hall', rows: source.copy('halls.csv', ['id', 'name', 'city', 'seats', 'organ']) },
    { table: 'concert', rows: rowsOf(concerts) },
    { table: 'programme', rows: rowsOf(programme) },
    { table: 'programme_change', rows: changes },
    { table: 'rehearsal', rows: rehearsals },
    { table: 'absence', rows: growAbsences(musicians, concerts) },
    { table: 'ticket_sale', rows: growSales(source, concerts) },
    { table: 'subscriber', rows: growSubscribers(source) },
  ];
}
