import type { Source } from '../source.ts';
import { rowsOf, type TableRows } from '../write-database.ts';
import { growHouseholds, growParcels } from './households.ts';
import { growGifts, growIntake, growSpoilage } from './intake.ts';
import { growRuns, growShifts, growVolunteers } from './volunteers.ts';

/** Grows the food bank's rows. */
export function generateFoodBank(source: Source): TableRows[] {
  const volunteers = growVolunteers(source);
  const households = growHouseholds();
  const { parcels, lines } = growParcels(source, households, volunteers);
  return [
    { table: 'site', rows: source.copy('sites.csv', ['id', 'name', 'kind', 'ward', 'opened', 'cold']) },
    { table: 'month', rows: source.copy('months.csv', ['abbr', 'number']) },
    { table: 'donor', rows: source.copy('donors.csv', ['id', 'name', 'kind', 'ward', 'since', 'stopped']) },
    {
      table: 'food',
      rows: source.copy('foods.csv', ['code', 'name', 'group', 'crate', 'keeps', 'chilled', 'kcal']),
    },
    { table: 'intake_log', rows: rowsOf(growIntake(source)) },
    { table: 'household', rows: rowsOf(households) },
    { table: 'parcel', rows: rowsOf(parcels) },
    { table: 'parcel_line', rows: rowsOf(lines) },
    { table: 'volunteer', rows: rowsOf(volunteers) },
    { table: 'shift', rows: rowsOf(growShifts(volunteers)) },
    { table: 'van', rows: source.copy('vans.csv', ['no', 'plate', 'model', 'bought', 'chilled', 'max']) },
    { table: 'run', rows: rowsOf(growRuns(source, volunteers)) },
    { table: 'spoilage', rows: rowsOf(growSpoilage(source)) },
    { table: 'money_gift', rows: rowsOf(growGifts(source)) },
  ];
}
