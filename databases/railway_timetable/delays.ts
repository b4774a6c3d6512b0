import { addDays, dayFirst, daysBetween } from '../dates.ts';
import { createRandom } from '../random.ts';
import type { Cell } from '../write-database.ts';
import type { StopTime, Trip } from './trips.ts';

const first = '2023-12-10';
const last = '2025-11-30';

/** What the control room wrote down: leaves in autumn, floods in November 2024, and a bad summer of the old diesels. */
export function growDelays(trips: readonly Trip[], stopTimes: readonly StopTime[]): Cell[][] {
  const random = createRandom('railway_timetable/delay');
  const stops = new Map<number, StopTime[]>();
  for (const stop of stopTimes) stops.set(stop.tripId, [...(stops.get(stop.tripId) ?? []), stop]);
  const rows: Cell[][] = [];
  const days = daysBetween(first, last);
  const dates = Array.from({ length: 2600 }, () => random.int(0, days)).sort((a, b) => a - b);
  for (const day of dates) {
    const date = addDays(first, day);
    const year = date < '2024-12-15' ? '24' : '25';
    const trip = random.pick(trips.filter((other) => other.calendarId.endsWith(year)));
    const storm = date >= '2024-11-05' && date <= '2024-11-09';
    const autumn = /-1[01]-/.test(date);
    const old = trip.unitClass === '417' || trip.unitClass === '415';
    const cause = storm
      ? 'WET'
      : random.weighted({
          SIG: 7,
          PNT: 4,
          TRK: 1,
          OHL: old ? 0 : 2,
          VEH: old ? 9 : 3,
          CRW: 5,
          CON: 6,
          WET: 1,
          LEA: autumn ? 12 : 0.2,
          ANI: /^R/.test(trip.lineNo) ? 4 : 0.5,
          TRE: 2,
        });
    const cancelled = random.chance(storm ? 0.6 : cause === 'CRW' ? 0.4 : 0.04);
    const station = random.pick(stops.get(trip.tripId) ?? []).station;
    const minutes =
      cause === 'WET' || cause === 'OHL' ? random.int(20, 190) : Math.ceil(random.next() ** 2 * 60 + 3);
    const row: Cell[] = [
      trip.tripId,
      dayFirst(date),
      station,
      cancelled ? null : minutes,
      random.chance(0.06) ? null : cause,
    ];
    rows.push(row);
    if (random.chance(0.02)) rows.push([...row]);
  }
  return rows;
}
