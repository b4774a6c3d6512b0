import type { Source } from '../source.ts';
import { rowsOf, type TableRows } from '../write-database.ts';
import { growCases } from './cases.ts';
import { growFees } from './fees.ts';
import { growJudges, growPersons } from './people.ts';
import { growProceedings } from './proceedings.ts';

/** Grows the court registry's rows. */
export function generateCourtRegistry(source: Source): TableRows[] {
  const judges = growJudges(source);
  const persons = growPersons(source);
  const { cases, reassignments } = growCases(source, judges);
  const proceedings = growProceedings(source, cases, persons);
  return [
    { table: 'room', rows: source.copy('rooms.csv', ['room', 'seats', 'step_free', 'video']) },
    { table: 'judge', rows: rowsOf(judges) },
    { table: 'register', rows: source.copy('registers.csv', ['letter', 'name', 'days']) },
    { table: 'matter', rows: source.copy('matters.csv', ['matter', 'name', 'register']) },
    { table: 'person', rows: rowsOf([...persons, ...proceedings.sealed]) },
    { table: 'case', rows: rowsOf(cases) },
    { table: 'party', rows: rowsOf(proceedings.parties) },
    { table: 'representation', rows: proceedings.representations },
    { table: 'hearing', rows: proceedings.hearings },
    { table: 'document', rows: proceedings.documents },
    { table: 'decision', rows: proceedings.decisions },
    { table: 'reassignment', rows: reassignments },
    { table: 'fee', rows: growFees(cases) },
  ];
}
