import type { Source } from '../source.ts';
import { rowsOf, type TableRows } from '../write-database.ts';
import { growAircraft, growRegistrations, growUtilisation } from './fleet.ts';
import { growParts, growTechnicians } from './hangar.ts';
import { growCompliance, growDefects, growOrders, growPartChanges, growTasks } from './work.ts';

/** Grows the rows of the airline's engineering department. */
export function generateAirlineMaintenance(source: Source): TableRows[] {
  const aircraft = growAircraft(source);
  const registrations = growRegistrations(aircraft);
  const technicians = growTechnicians(source);
  const { parts, stock } = growParts(source);
  const orders = growOrders(aircraft, registrations);
  const types = source.copy('types.csv', ['code', 'maker', 'model', 'seats', 'engines', 'weight']);
  const stations = source.copy('stations.csv', ['iata', 'name', 'country', 'hangar', 'opened', 'closed']);
  const directives = ['number', 'type', 'title', 'effective', 'due', 'chapter'];
  return [
    { table: 'aircraft_type', rows: types },
    { table: 'station', rows: stations },
    { table: 'aircraft', rows: rowsOf(aircraft) },
    { table: 'registration', rows: rowsOf(registrations) },
    { table: 'technician', rows: rowsOf(technicians) },
    { table: 'part', rows: rowsOf(parts) },
    { table: 'stock', rows: rowsOf(stock) },
    { table: 'work_order', rows: rowsOf(orders) },
    { table: 'defect', rows: rowsOf(growDefects(source, registrations, orders)) },
    { table: 'task', rows: rowsOf(growTasks(source, orders, technicians)) },
    { table: 'part_change', rows: rowsOf(growPartChanges(orders, parts)) },
    { table: 'utilisation', rows: growUtilisation(aircraft, registrations) },
    { table: 'directive', rows: source.copy('directives.csv', directives) },
    { table: 'compliance', rows: rowsOf(growCompliance(source, aircraft, orders)) },
  ];
}
