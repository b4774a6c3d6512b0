import { addDays } from '../dates.ts';
import { createRandom } from '../random.ts';
import type { Source } from '../source.ts';
import type { Cell } from '../write-database.ts';
import type { Concert } from './concerts.ts';

export interface Musician {
  musicianId: number;
  name: string;
  section: string;
  chair: string;
  joined: string;
  left: string | null;
  grade: number | null;
  owner: string;
}

/** The players, a fifth of whom have left in the meantime and were replaced. */
export function growMusicians(source: Source): Musician[] {
  const random = createRandom('orchestra/musician');
  const first = source.words('first-names.txt');
  const last = source.words('last-names.txt');
  const musicians: Musician[] = [];
  const add = (section: string, chair: string, joined: string, left: string | null) => {
    const trial = chair === 'T' && joined > '2024-06-01';
    musicians.push({
      musicianId: 101 + musicians.length,
      name: `${random.pick(first)} ${random.pick(last)}`,
      section,
      chair: trial ? 'X' : chair,
      joined,
      left,
      grade: trial ? null : chair === 'L' ? 6 : chair === 'P' ? 5 : chair === 'A' ? 4 : random.int(1, 3),
      owner: random.weighted({ own: 12, orchestra: 3, foundation: 1 }),
    });
  };
  for (const row of source.rows('sections.csv')) {
    for (let seat = 0; seat < Number(row('size')); seat++) {
      const chair = seat > 1 ? 'T' : seat === 1 ? 'A' : row('code') === 'V1' ? 'L' : 'P';
      const joined = addDays('1986-09-01', random.int(0, 12_300));
      const leaves = random.chance(0.22) ? addDays('2021-01-31', random.int(0, 1500)) : null;
      const left = leaves !== null && leaves > addDays(joined, 400) ? leaves : null;
      add(row('code'), chair, joined, left);
      if (left !== null && random.chance(0.8))
        add(row('code'), chair, addDays(left, random.int(1, 200)), null);
    }
  }
  return musicians;
}

/** Who missed which concert; influenza comes in January and February. */
export function growAbsences(musicians: readonly Musician[], concerts: readonly Concert[]): Cell[][] {
  const random = createRandom('orchestra/absence');
  return concerts
    .filter(({ status }) => status === 'played')
    .flatMap(({ concertId, date }) => {
      const present = musicians.filter(({ joined, left }) => joined <= date && (left ?? '9') > date);
      const winter = /-0[12]-/.test(date);
      const missing = new Set(
        Array.from({ length: random.int(0, winter ? 11 : 5) }, () => random.pick(present)),
      );
      return [...missing].flatMap(({ musicianId }) => {
        const reason = random.weighted({
          ill: winter ? 14 : 6,
          leave: 3,
          parental: 2,
          'substitute elsewhere': 1,
          none: 0.7,
        });
        const row: Cell[] = [
          musicianId,
          concertId,
          reason === 'none' ? null : reason,
          random.chance(0.3)
            ? null
            : random.pick(['academy', 'retired member', 'other orchestra', 'Academy']),
        ];
        return random.chance(0.015) ? [row, [...row]] : [row];
      });
    });
}
