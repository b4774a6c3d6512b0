import type { Source } from '../source.ts';
import { rowsOf, type TableRows } from '../write-database.ts';
import { growPermits } from './applications.ts';
import {
  growConditions,
  growFees,
  growHistory,
  growInspections,
  growObjections,
  growPhoneLog,
} from './files.ts';
import { growApplicants, growOfficers } from './people.ts';

/** Grows the permit office's rows. */
export function generateCityPermits(source: Source): TableRows[] {
  const applicants = growApplicants(source);
  const officers = growOfficers(source);
  const permits = growPermits(source, applicants, officers);
  return [
    { table: 'ward', rows: source.copy('wards.csv', ['no', 'name', 'people']) },
    {
      table: 'permit_type',
      rows: source.copy('permit-types.csv', ['code', 'name', 'group', 'fee', 'days']),
    },
    { table: 'status_code', rows: source.copy('status-codes.csv', ['code', 'label', 'final']) },
    { table: 'ground_code', rows: source.copy('ground-codes.csv', ['code', 'label']) },
    { table: 'applicant', rows: rowsOf(applicants) },
    { table: 'officer', rows: rowsOf(officers) },
    { table: 'permit', rows: rowsOf(permits) },
    { table: 'status_history', rows: rowsOf(growHistory(permits)) },
    { table: 'fee', rows: rowsOf(growFees(permits, source.rows('permit-types.csv'))) },
    { table: 'inspection', rows: rowsOf(growInspections(source, permits, officers)) },
    { table: 'objection', rows: rowsOf(growObjections(source, permits)) },
    { table: 'permit_condition', rows: rowsOf(growConditions(source, permits)) },
    { table: 'phone_log', rows: rowsOf(growPhoneLog(source, permits)) },
  ];
}
