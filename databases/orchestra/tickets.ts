import { createRandom } from '../random.ts';
import type { Source } from '../source.ts';
import type { Cell } from '../write-database.ts';
import type { Concert } from './concerts.ts';

const categories = {
  I: { price: 68, share: 0.2 },
  II: { price: 52, share: 0.25 },
  III: { price: 38, share: 0.3 },
  IV: { price: 24, share: 0.2 },
  ST: { price: 12, share: 0.05 },
};

/** What was sold; the first season after the closure sold badly, and prices rose in 2023. */
export function growSales(source: Source, concerts: readonly Concert[]): Cell[][] {
  const random = createRandom('orchestra/sale');
  const halls = new Map(
    source.rows('halls.csv').map((row) => [Number(row('id')), Number(row('seats') || 1500)]),
  );
  return concerts
    .filter(({ status }) => status === 'played')
    .flatMap(({ concertId, hallId, series, season }) => {
      const demand = random.near(season === '2021/22' ? 0.55 : 0.78, 0.22, 3) * (series === 'S' ? 1.15 : 1);
      const rise = season >= '2023/24' ? 1.08 : 1;
      return Object.entries(categories)
        .filter(([category]) => series !== 'F' || category === 'II' || category === 'IV')
        .map(([category, { price, share }]): Cell[] => {
          const sold = Math.min(
            Math.round((halls.get(hallId) ?? 0) * share),
            Math.round((halls.get(hallId) ?? 0) * share * demand * random.near(1, 0.15, 3)),
          );
          return [
            concertId,
            category,
            Math.round((series === 'F' ? price / 4 : price) * rise * 2) / 2,
            sold,
            season === '2024/25' && random.chance(0.2) ? null : Math.round(sold * random.near(0.02, 0.02, 3)),
          ];
        });
    });
}

/** The subscribers, many of whom left after the closed season. */
export function growSubscribers(source: Source): Cell[][] {
  const random = createRandom('orchestra/subscriber');
  const first = source.words('first-names.txt');
  const last = source.words('last-names.txt');
  return Array.from({ length: 760 }, (_, i): Cell[] => {
    const since = random.int(1988, 2024);
    const end = random.chance(0.3) ? (random.chance(0.6) ? 2020 : random.int(2019, 2023)) : null;
    return [
      String(i * 7 + 118).padStart(6, '0'),
      random.chance(0.03)
        ? `${random.pick(last)}, ${random.pick(first)}`
        : `${random.pick(first)} ${random.pick(last)}`,
      random.weighted({ A: 5, B: 4, F: 2 }),
      random.weighted({ 2: 9, 1: 5, 4: 1 }),
      seasonOf(since),
      end !== null && end >= since ? seasonOf(end) : null,
    ];
  });
}

function seasonOf(year: number): string {
  return `${year}/${String((year + 1) % 100).padStart(2, '0')}`;
}
