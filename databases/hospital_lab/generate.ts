import type { Source } from '../source.ts';
import { rowsOf, type TableRows } from '../write-database.ts';
import { growControls, growDowntimes, growTechnicians } from './bench.ts';
import { growOrders, growPatients } from './orders.ts';
import { growCorrections, growPhoneLog } from './phone.ts';
import { growResults } from './results.ts';

/** Grows the laboratory's rows. */
export function generateHospitalLab(source: Source): TableRows[] {
  const technicians = growTechnicians(source);
  const patients = growPatients();
  const orders = growOrders(source, patients);
  const { samples, results } = growResults(source, orders, technicians);
  return [
    { table: 'ward', rows: source.copy('wards.csv', ['ward', 'name', 'group', 'beds', 'phone']) },
    { table: 'patient', rows: rowsOf(patients) },
    {
      table: 'analyte',
      rows: source.copy('analytes.csv', [
        'code',
        'name',
        'section',
        'unit',
        'old',
        'factor',
        'low',
        'high',
        'minutes',
      ]),
    },
    { table: 'order', rows: rowsOf(orders) },
    { table: 'sample', rows: rowsOf(samples) },
    {
      table: 'machine',
      rows: source.copy('machines.csv', ['id', 'name', 'section', 'installed', 'retired']),
    },
    { table: 'technician', rows: rowsOf(technicians) },
    { table: 'result', rows: rowsOf(results) },
    { table: 'correction', rows: rowsOf(growCorrections(results)) },
    { table: 'control', rows: rowsOf(growControls(source)) },
    { table: 'phone_log', rows: rowsOf(growPhoneLog(source, samples, orders)) },
    { table: 'downtime', rows: rowsOf(growDowntimes(source)) },
  ];
}
