import { createRandom } from '../random.ts';
import type { Source } from '../source.ts';

/** A line, from its first station to its last. */
export interface Line {
  lineNo: string;
  stations: string[];
  km: number[];
  minutes: number[];
  /** Minutes after midnight at which the first and the last train set out, and the minutes between two. */
  first: number;
  last: number;
  every: number;
}

export interface Trip {
  tripId: number;
  trainNo: string;
  lineNo: string;
  calendarId: string;
  direction: string;
  unitClass: string;
  note: string | null;
}

export interface StopTime {
  tripId: number;
  seq: number;
  station: string;
  arr: string | null;
  dep: string | null;
  platform: string | null;
}

const classes: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  S: { 310: 5, 322: 4 },
  R: { 415: 4, 417: 3, 501: 1 },
  E: { 640: 1 },
  N: { 415: 1, 310: 1 },
};

const notes = ['bar coach', 'reservation needed', 'no bicycles 07-09', 'quiet coach'];

/** The trains of both timetable years with their stops; the second year runs some more, and some at other minutes. */
export function growTrips(source: Source, lines: readonly Line[]) {
  const random = createRandom('railway_timetable/trip');
  const platforms = new Map(
    source.rows('stations.csv').map((row) => [row('code'), Number(row('platforms'))]),
  );
  const trips: Trip[] = [];
  const stopTimes: StopTime[] = [];
  for (const year of ['24', '25']) {
    lines.forEach((line, lineIndex) => {
      let number = (lineIndex + 1) * 200;
      for (const direction of ['O', 'I']) {
        number += direction === 'I' ? 101 - (number % 100) : 0;
        for (let minute = line.first; minute <= line.last; minute += line.every) {
          const calendar = chooseCalendar(random.next(), line.lineNo, minute);
          const unit = random.weighted(classes[line.lineNo.slice(0, 1)] ?? { CF1: 1 });
          const trip = {
            tripId: 70_001 + trips.length,
            trainNo: String(number).padStart(5, '0'),
            lineNo: line.lineNo,
            calendarId: calendar + year,
            direction,
            unitClass: unit,
            note: random.chance(line.lineNo === 'E7' ? 0.6 : 0.06) ? random.pick(notes) : null,
          };
          number += 2;
          trips.push(trip);
          const shift = year === '25' && random.chance(0.3) ? random.int(-4, 6) : 0;
          stopTimes.push(...growStops(trip, line, minute + shift, (code) => platforms.get(code) ?? 1));
        }
      }
    });
  }
  return { trips, stopTimes };

  function growStops(trip: Trip, line: Line, start: number, count: (code: string) => number): StopTime[] {
    const outbound = trip.direction === 'O';
    const stations = outbound ? line.stations : line.stations.toReversed();
    const minutes = outbound ? line.minutes : line.minutes.toReversed();
    let now = start;
    return stations.map((station, i) => {
      const arrival = now;
      const wait = count(station) >= 4 ? random.int(2, 5) : count(station) === 1 ? 0 : 1;
      const departure = arrival + wait;
      now = departure + (minutes[i] ?? 0);
      const last = i === stations.length - 1;
      return {
        tripId: trip.tripId,
        seq: i + 1,
        station,
        arr: i === 0 ? null : clock(arrival),
        dep: last ? null : clock(departure),
        platform: count(station) === 1 ? null : choosePlatform(count(station), outbound),
      };
    });
  }

  function choosePlatform(count: number, outbound: boolean): string {
    if (count < 4) return outbound ? '1' : '2';
    return `${random.int(1, count)}${random.chance(0.1) ? random.pick(['a', 'b']) : ''}`;
  }
}

function chooseCalendar(draw: number, line: string, minute: number): string {
  if (line === 'N9' || minute > 1440) return 'FS';
  if (line === 'E7') return draw < 0.7 ? 'DL' : 'WD';
  if (minute > 420 && minute < 480 && draw < 0.3) return 'SC';
  return draw < 0.45 ? 'WD' : draw < 0.75 ? 'DL' : draw < 0.88 ? 'SA' : 'SU';
}

/** Minutes after midnight as a timetable writes them: those of the next day go on counting, `25:10`. */
function clock(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
}
