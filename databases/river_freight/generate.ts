import type { Source } from '../source.ts';
import { rowsOf, type TableRows } from '../write-database.ts';
import { growAssignments, growCrew, growVessels } from './fleet.ts';
import { growCustomers, growOrders } from './orders.ts';
import { growVoyages } from './voyages.ts';

/** Grows the barge operator's rows. */
export function generateRiverFreight(source: Source): TableRows[] {
  const ports = source.rows('ports.csv');
  const portCodes = ports.filter((row) => row('type') !== 'B').map((row) => row('code'));
  const vessels = growVessels(source, portCodes);
  const crew = growCrew(source);
  const customers = growCustomers(source);
  const orders = growOrders(source, customers, portCodes);
  const { voyages, passages } = growVoyages(source, orders, vessels);
  return [
    {
      table: 'port',
      rows: source.copy('ports.csv', ['code', 'name', 'river', 'km', 'country', 'type', 'cranes', 'draught']),
    },
    { table: 'vessel', rows: rowsOf(vessels) },
    { table: 'crew', rows: rowsOf(crew) },
    { table: 'crew_assignment', rows: rowsOf(growAssignments(vessels, crew)) },
    { table: 'customer', rows: rowsOf(customers) },
    {
      table: 'commodity',
      rows: source.copy('commodities.csv', ['code', 'name', 'type', 'hazard', 'density']),
    },
    { table: 'order', rows: rowsOf(orders) },
    { table: 'voyage', rows: rowsOf(voyages) },
    { table: 'lock_passage', rows: rowsOf(passages) },
  ];
}
