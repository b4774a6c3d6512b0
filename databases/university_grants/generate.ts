import type { Source } from '../source.ts';
import { rowsOf, type TableRows } from '../write-database.ts';
import { growApplications, growCalls, growGrants, growTeams } from './awards.ts';
import { growBudgets, growExpenses } from './money.ts';
import { growNameChanges, growResearchers } from './people.ts';
import { growPublications, growReports } from './results.ts';

/** Grows the rows of the university's research office. */
export function generateUniversityGrants(source: Source): TableRows[] {
  const researchers = growResearchers(source);
  const changes = growNameChanges(source, researchers);
  const calls = growCalls(source);
  const applications = growApplications(source, calls, researchers);
  const grants = growGrants(source, calls, applications, researchers, changes);
  const departments = ['id', 'name', 'faculty', 'group', 'opened', 'closed'];
  return [
    { table: 'faculty', rows: source.copy('faculties.csv', ['code', 'name', 'dean']) },
    { table: 'department', rows: source.copy('departments.csv', departments) },
    { table: 'researcher', rows: rowsOf(researchers) },
    { table: 'name_change', rows: rowsOf(changes) },
    { table: 'funder', rows: source.copy('funders.csv', ['id', 'name', 'country', 'kind', 'overhead']) },
    { table: 'call', rows: rowsOf(calls) },
    { table: 'application', rows: rowsOf(applications) },
    { table: 'grant', rows: rowsOf(grants.map(({ awarded, overhead, ...grant }) => grant)) },
    { table: 'team', rows: rowsOf(growTeams(grants, researchers)) },
    { table: 'budget_revision', rows: rowsOf(growBudgets(grants)) },
    { table: 'expense', rows: rowsOf(growExpenses(grants)) },
    { table: 'report', rows: rowsOf(growReports(grants)) },
    { table: 'publication', rows: growPublications(grants) },
  ];
}
