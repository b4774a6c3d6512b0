import type { Source } from '../source.ts';
import { rowsOf, type TableRows } from '../write-database.ts';
import { clockLines, growAbsences, growLoans, growOvertime, growReturns } from './extras.ts';
import { growPeople } from './people.ts';
import { growRuns } from './runs.ts';

/** Grows the pay office's rows. */
export function generatePayroll(source: Source): TableRows[] {
  const { employees, contracts } = growPeople(source);
  const overtime = growOvertime(source, employees);
  const loans = growLoans(employees);
  const { runs, slips, lines } = growRuns(employees, contracts, overtime, loans);
  return [
    { table: 'site', rows: source.copy('sites.csv', ['code', 'name', 'town', 'opened', 'closed']) },
    { table: 'grade', rows: source.copy('grades.csv', ['grade', 'title', 'min', 'max', 'default']) },
    { table: 'employee', rows: rowsOf(employees) },
    { table: 'contract', rows: rowsOf(contracts) },
    {
      table: 'pay_element',
      rows: source.copy('pay-elements.csv', ['code', 'label', 'kind', 'taxable', 'default']),
    },
    { table: 'pay_run', rows: rowsOf(runs) },
    { table: 'payslip', rows: rowsOf(slips) },
    { table: 'payslip_line', rows: rowsOf(lines) },
    { table: 'absence', rows: rowsOf(growAbsences(employees)) },
    { table: 'overtime', rows: clockLines(overtime) },
    { table: 'staff_loan', rows: rowsOf(loans) },
    { table: 'returned_payment', rows: rowsOf(growReturns(slips)) },
  ];
}
