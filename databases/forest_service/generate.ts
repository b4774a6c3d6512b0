import type { Source } from '../source.ts';
import { rowsOf, type TableRows } from '../write-database.ts';
import { growEmployees, growParcels, growRoads, growStands } from './land.ts';
import { growCatches, growFinds, growFires } from './nature.ts';
import { growDamage, growFellings, growPlantings } from './work.ts';

/** Grows the rows of the forest service. */
export function generateForestService(source: Source): TableRows[] {
  const districts = source.rows('distrikt.csv').map((row) => row('kod'));
  const employees = growEmployees(source, districts);
  const parcels = growParcels(source, districts);
  const stands = growStands(parcels, employees);
  const damages = growDamage(source, parcels);
  const contractors = ['id', 'namn', 'ort', 'org_nr', 'certifierad'];
  return [
    { table: 'distrikt', rows: source.copy('distrikt.csv', ['kod', 'namn', 'län', 'kontor', 'bildat']) },
    { table: 'anställd', rows: rowsOf(employees) },
    { table: 'skifte', rows: rowsOf(parcels) },
    { table: 'bestånd', rows: rowsOf(stands) },
    { table: 'entreprenör', rows: source.copy('entreprenorer.csv', contractors) },
    { table: 'avverkning', rows: rowsOf(growFellings(stands, parcels, damages)) },
    { table: 'plantering', rows: rowsOf(growPlantings(stands)) },
    { table: 'storm', rows: source.copy('stormar.csv', ['id', 'namn', 'datum', 'vind']) },
    { table: 'stormskada', rows: rowsOf(damages) },
    { table: 'brand', rows: rowsOf(growFires(parcels)) },
    { table: 'barkborrefångst', rows: growCatches(stands) },
    { table: 'artfynd', rows: rowsOf(growFinds(source, parcels)) },
    { table: 'skogsväg', rows: growRoads(source, districts) },
  ];
}
