import type { Source } from '../source.ts';
import { rowsOf, type TableRows } from '../write-database.ts';
import { growInvoices, growReadings } from './billing.ts';
import { growFeeders, growOutages } from './grid.ts';
import { growMembers, growMeters, growPvSites } from './members.ts';

/** Grows the energy cooperative's rows. */
export function generateEnergyCoop(source: Source): TableRows[] {
  const feeders = growFeeders(source);
  const members = growMembers(source);
  const meters = growMeters(members, feeders);
  return [
    {
      table: 'SUBSTATION',
      rows: source.copy('substations.csv', ['id', 'name', 'district', 'kv', 'commissioned']),
    },
    { table: 'FEEDER', rows: rowsOf(feeders) },
    { table: 'MEMBER', rows: rowsOf(members) },
    { table: 'METER', rows: rowsOf(meters) },
    { table: 'READING', rows: rowsOf(growReadings(members, meters)) },
    {
      table: 'TARIFF',
      rows: source.copy('tariffs.csv', ['code', 'name', 'energy', 'standing', 'from', 'to']),
    },
    { table: 'INVOICE', rows: rowsOf(growInvoices(source, members, meters)) },
    { table: 'OUTAGE', rows: rowsOf(growOutages(feeders)) },
    { table: 'PV_SITE', rows: rowsOf(growPvSites(members)) },
  ];
}
