import { addDays, dayFirst } from '../dates.ts';
import { createRandom, round } from '../random.ts';
import type { Cell } from '../write-database.ts';
import type { Member } from './farms.ts';

/** Milk of the dairy farmers by month, and the samples taken of it; several gave up in these three years. */
export function growMilk(members: readonly Member[]): { amounts: Cell[][]; samples: Cell[][] } {
  const random = createRandom('farm_coop/milch');
  const amounts: Cell[][] = [];
  const samples: Cell[][] = [];
  const dairy = members.filter(({ left }) => left === null && random.chance(0.17));
  for (const { memberNo } of dairy) {
    const herd = random.int(18, 240);
    const months = random.chance(0.2) ? random.int(8, 30) : 36;
    const careless = random.chance(0.15);
    for (let i = 0; i < months; i++) {
      const month = `${2022 + Math.floor(i / 12)}-${String((i % 12) + 1).padStart(2, '0')}`;
      const season = 1 + 0.09 * Math.cos((2 * Math.PI * ((i % 12) - 4)) / 12);
      const kg = Math.round(herd * 690 * season * random.near(1, 0.06, 3));
      amounts.push([memberNo, month, random.chance(0.012) ? null : kg]);
      const taken = dayFirst(addDays(`${month}-01`, random.int(2, 26)));
      const sample: Cell[] = [
        memberNo,
        taken,
        round(random.near(4.15, 0.5, 2) + (i % 12 < 2 ? 0.15 : 0), 2),
        random.near(3.42, 0.3, 2),
        random.near(careless ? 330 : 185, careless ? 160 : 110),
        random.chance(0.04) ? null : random.chance(0.008) ? 'pos.' : 'neg.',
      ];
      samples.push(sample);
      if (random.chance(0.015)) samples.push([...sample]);
    }
  }
  return { amounts, samples };
}
