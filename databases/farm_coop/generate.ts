import type { Source } from '../source.ts';
import { rowsOf, type TableRows } from '../write-database.ts';
import { growDeliveries, growPrices } from './deliveries.ts';
import { growCropping, growFarms, growFields, growMembers } from './farms.ts';
import { growLoans } from './machines.ts';
import { growMilk } from './milk.ts';

/** Grows the farmers' co-operative's rows. */
export function generateFarmCoop(source: Source): TableRows[] {
  const members = growMembers(source);
  const farms = growFarms(members);
  const fields = growFields(source, farms);
  const cropping = growCropping(source, fields, farms);
  const milk = growMilk(members);
  return [
    { table: 'mitglied', rows: rowsOf(members) },
    { table: 'hof', rows: rowsOf(farms) },
    { table: 'kultur', rows: source.copy('kulturen.csv', ['code', 'name', 'art', 'feuchte']) },
    { table: 'schlag', rows: rowsOf(fields) },
    { table: 'anbau', rows: rowsOf(cropping) },
    { table: 'lager', rows: source.copy('lager.csv', ['id', 'name', 'ort', 'kapazität', 'trocknung']) },
    { table: 'anlieferung', rows: growDeliveries(source, { fields, farms, cropping }) },
    { table: 'preis', rows: growPrices(source) },
    { table: 'milchmenge', rows: milk.amounts },
    { table: 'milchprobe', rows: milk.samples },
    {
      table: 'maschine',
      rows: source
        .copy('maschinen.csv', ['bezeichnung', 'typ', 'baujahr', 'tagessatz', 'defekt'])
        .map((row, i) => [i + 1, ...row]),
    },
    { table: 'ausleihe', rows: growLoans(source, members) },
  ];
}
