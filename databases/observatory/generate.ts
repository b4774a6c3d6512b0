import { createRandom } from '../random.ts';
import type { Source } from '../source.ts';
import { rowsOf, type TableRows } from '../write-database.ts';
import { growExposures } from './exposures.ts';
import { growDiscoveries, growMeasurements } from './findings.ts';
import { growNights, growWeather } from './nights.ts';
import { growTargets } from './targets.ts';

/** Grows the observatory's rows. */
export function generateObservatory(source: Source): TableRows[] {
  const people = createRandom('observatory/observer');
  const observers = source
    .copy('observers.csv', ['name', 'institute', 'country'])
    .map((row, i) => [
      i + 1,
      ...row,
      people.chance(0.2) ? null : `${people.int(2012, 2023)}-0${people.int(1, 9)}-${people.int(10, 28)}`,
    ]);
  const nights = growNights(observers.length);
  const targets = growTargets(source);
  const { proposals, exposures, calibrations } = growExposures(source, {
    nights,
    targets,
    observers: observers.length,
  });
  return [
    {
      table: 'telescope',
      rows: source.copy('telescopes.csv', ['id', 'name', 'aperture', 'mount', 'first_light', 'retired']),
    },
    {
      table: 'instrument',
      rows: source.copy('instruments.csv', ['code', 'tel', 'name', 'kind', 'scale', 'installed', 'removed']),
    },
    { table: 'filter', rows: source.copy('filters.csv', ['code', 'name', 'centre', 'width']) },
    { table: 'observer', rows: observers },
    { table: 'target_type', rows: source.copy('types.csv', ['code', 'meaning']) },
    { table: 'target', rows: rowsOf(targets) },
    { table: 'proposal', rows: rowsOf(proposals) },
    { table: 'night', rows: rowsOf(nights) },
    { table: 'exposure', rows: rowsOf(exposures) },
    { table: 'measurement', rows: growMeasurements(targets, nights) },
    { table: 'discovery', rows: growDiscoveries(exposures, targets, observers.length) },
    { table: 'calibration', rows: calibrations },
    { table: 'weather', rows: growWeather(nights) },
  ];
}
