import type { Source } from '../source.ts';
import { rowsOf, type TableRows } from '../write-database.ts';
import { growCalendars } from './calendars.ts';
import { growDelays } from './delays.ts';
import { growCounts, growFares, growTriggers, growWorks } from './stations.ts';
import { growTrips } from './trips.ts';

/** Grows the rail authority's rows. */
export function generateRailwayTimetable(source: Source): TableRows[] {
  const lines = source.rows('lines.csv').map((row) => ({
    lineNo: row('line'),
    stations: row('stations').split(' '),
    km: row('km').split(' ').map(Number),
    minutes: row('minutes').split(' ').map(Number),
    first: Number(row('first')),
    last: Number(row('last')),
    every: Number(row('every')),
  }));
  const { calendars, exceptions } = growCalendars();
  const { trips, stopTimes } = growTrips(source, lines);
  return [
    {
      table: 'operator',
      rows: [
        [1, 'Baytram & Rail', 1987, '2029-12-08'],
        [2, 'Coast and Dorne Railway', 1996, '2026-12-12'],
        [3, 'Highland Community Rail', 2004, '2024-12-14'],
        [4, 'Border Trains Ltd', 2015, null],
        [5, 'Cape Farren Steam Trust', 1974, null],
      ],
    },
    {
      table: 'station',
      rows: source.copy('stations.csv', [
        'code',
        'name',
        'zone',
        'platforms',
        'opened',
        'elevation',
        'step_free',
        'on_request',
      ]),
    },
    { table: 'line', rows: source.copy('lines.csv', ['line', 'name', 'operator', 'colour', 'electrified']) },
    {
      table: 'leg',
      rows: lines.flatMap(({ lineNo, stations, km, minutes }) =>
        stations.slice(1).map((to, i) => {
          const rural = !/^(S|E)/.test(lineNo);
          return [
            lineNo,
            i + 1,
            stations[i] ?? null,
            to,
            km[i] ?? null,
            minutes[i] ?? null,
            rural && (km[i] ?? 0) > 5.5 ? 1 : 0,
          ];
        }),
      ),
    },
    { table: 'calendar', rows: calendars },
    { table: 'calendar_exception', rows: exceptions },
    {
      table: 'unit_class',
      rows: source.copy('unit-classes.csv', ['class', 'traction', 'seats', 'bikes', 'speed', 'built']),
    },
    { table: 'trip', rows: rowsOf(trips) },
    { table: 'stop_time', rows: rowsOf(stopTimes) },
    { table: 'delay_cause', rows: source.copy('delay-causes.csv', ['code', 'meaning', 'blamed']) },
    { table: 'delay_report', rows: growDelays(trips, stopTimes) },
    { table: 'engineering_work', rows: growWorks(lines) },
    { table: 'passenger_count', rows: growCounts(source) },
    { table: 'fare', rows: growFares() },
    { table: 'trigger', rows: growTriggers(source) },
  ];
}
