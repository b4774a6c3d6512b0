import { addDays } from '../dates.ts';
import { createRandom } from '../random.ts';
import type { Source } from '../source.ts';
import type { Cell } from '../write-database.ts';
import type { Line } from './trips.ts';

const size: Readonly<Record<string, number>> = { A: 52_000, B: 17_000, C: 7500, D: 4200, E: 1900, F: 2600 };

/** Boardings by month: the coast lives on summer, the university on term, and counters break. */
export function growCounts(source: Source): Cell[][] {
  const random = createRandom('railway_timetable/count');
  return source.rows('stations.csv').flatMap((row) => {
    const scale =
      ((size[row('zone')] ?? 1000) * Number(row('platforms')) * random.near(1, 0.4, 2)) /
      (row('on_request') === '1' ? 12 : 3);
    return Array.from({ length: 23 }, (_, i): Cell[] => {
      const month = `${i < 12 ? 2024 : 2025}-${String((i % 12) + 1).padStart(2, '0')}`;
      const summer = /-0[678]$/.test(month);
      const coast = ['ISL', 'CAP', 'GUL', 'SND', 'WYE'].includes(row('code'));
      const season = coast ? (summer ? 2.6 : 0.7) : row('code') === 'UNI' && summer ? 0.4 : summer ? 0.9 : 1;
      const flood = month === '2024-11' ? 0.78 : 1;
      const boardings = Math.round(scale * season * flood * random.near(1 + i * 0.004, 0.08, 3));
      const broken = random.chance(0.03);
      return [
        row('code'),
        month,
        broken ? null : boardings,
        broken ? null : Math.round(boardings * random.near(1, 0.05, 3)),
      ];
    });
  });
}

/** Fares between zones, raised once a year; day tickets are not sold over the whole network. */
export function growFares(): Cell[][] {
  const zones = ['A', 'B', 'C', 'D', 'E', 'F'];
  const periods = [
    { from: '2022-12-11', to: '2023-12-09', rise: 1 },
    { from: '2023-12-10', to: '2024-12-14', rise: 1.06 },
    { from: '2024-12-15', to: null, rise: 1.11 },
  ];
  return periods.flatMap(({ from, to, rise }) =>
    zones.flatMap((a, i) =>
      zones.slice(i).map((b, distance): Cell[] => {
        const single = Math.round((2.4 + distance * 2.15 + (i === 0 ? 0.3 : 0)) * rise * 10) / 10;
        return [a, b, from, to, euro(single), distance > 3 ? null : euro(single * 1.9)];
      }),
    ),
  );
}

function euro(amount: number): string {
  return `EUR ${amount.toFixed(2)}`;
}

/** Stretches that were, are or will be closed. */
export function growWorks(lines: readonly Line[]): Cell[][] {
  const random = createRandom('railway_timetable/work');
  return Array.from({ length: 64 }, (_, i): Cell[] => {
    const line = random.pick(lines);
    const a = random.int(0, line.stations.length - 2);
    const b = random.int(a + 1, Math.min(a + 3, line.stations.length - 1));
    const begins = addDays('2023-12-16', i * 11 + random.int(0, 9));
    return [
      401 + i,
      line.lineNo,
      line.stations[a] ?? null,
      line.stations[b] ?? null,
      begins,
      random.chance(0.08) ? null : addDays(begins, Number(random.weighted({ 1: 6, 2: 4, 8: 3, 44: 1 }))),
      random.weighted({ bus: 8, taxi: 2, none: 2 }).replace('none', '') || null,
    ];
  });
}

/** The announcements of each station. */
export function growTriggers(source: Source): Cell[][] {
  const random = createRandom('railway_timetable/trigger');
  const texts = source.words('announcements.txt').map((line) => line.split('|'));
  const rows: Cell[][] = [];
  for (const station of source.rows('stations.csv')) {
    const chosen = new Set(
      Array.from({ length: 2 + Number(station('platforms')) }, () => random.pick(texts)),
    );
    for (const [when, text] of chosen) {
      rows.push([
        9001 + rows.length,
        station('code'),
        when ?? null,
        text ?? null,
        random.pick([0, 0, 60, 120, 300]),
        random.chance(0.12) ? addDays('2024-01-08', random.int(0, 640)) : null,
      ]);
    }
  }
  return rows;
}
