import { createRandom } from '../random.ts';
import type { Source } from '../source.ts';
import type { Cell } from '../write-database.ts';

export interface Work {
  workId: number;
  composerId: number | null;
  title: string;
  opus: string | null;
  kind: string;
  year: number | null;
  duration: string | null;
  scoring: string | null;
}

/** The library: works and their movements, whose times add up to the work's except where somebody timed one anew. */
export function growWorks(source: Source): { works: Work[]; movements: Cell[][] } {
  const random = createRandom('orchestra/work');
  const composers = source.rows('composers.csv');
  const works: Work[] = [];
  const movements: Cell[][] = [];
  for (const template of source.rows('titles.csv')) {
    const authors = new Set(Array.from({ length: 11 }, () => random.int(0, composers.length - 1)));
    for (const author of authors) {
      const composer = composers[author];
      const born = Number(composer?.('born') || 1650);
      const workId = 301 + works.length;
      const seconds = random.int(Number(template('low')) * 60, Number(template('high')) * 60);
      const tempi = template('movements').split('|').filter(Boolean);
      const shares = tempi.map(() => 1 + random.next() * 2);
      const sum = shares.reduce((total, share) => total + share, 0);
      const parts = shares.map((share) => Math.round((seconds * share) / sum));
      const whole = parts.length > 0 ? parts.reduce((total, part) => total + part, 0) : seconds;
      works.push({
        workId,
        composerId: random.chance(0.02) ? null : author + 1,
        title: template('title').replace('#', String(random.int(1, 6))),
        opus: random.chance(0.2) ? null : random.chance(0.05) ? 'op. posth.' : `op. ${random.int(1, 120)}`,
        kind: template('kind'),
        year: random.chance(0.08) ? null : Math.min(born + random.int(22, 62), 2024),
        duration: random.chance(0.06)
          ? null
          : clock(random.chance(0.07) ? whole + random.int(40, 200) : whole),
        scoring: random.chance(0.05)
          ? null
          : random.pick(['2222-2200', '2222-4230', '3333-4331', '4444-6431', '0201-2000']),
      });
      movements.push(...tempi.map((tempo, i): Cell[] => [workId, i + 1, tempo, clock(parts[i] ?? 0)]));
    }
  }
  return { works, movements };
}

/** Seconds as `mm:ss`; an hour and more goes on counting minutes, `78:30`. */
function clock(seconds: number): string {
  return `${String(Math.floor(seconds / 60)).padStart(2, '0')}:${String(seconds % 60).padStart(2, '0')}`;
}
