import { addDays } from '../dates.ts';
import { createRandom, type Random, round } from '../random.ts';
import type { Source, SourceRow } from '../source.ts';
import type { Cell } from '../write-database.ts';
import type { Cropping, Farm, Field } from './farms.ts';

interface Given {
  readonly fields: readonly Field[];
  readonly farms: readonly Farm[];
  readonly cropping: readonly Cropping[];
}

/** Harvest begins at these days of a year. */
const ripe: Readonly<Record<string, string>> = {
  WG: '07-01',
  RA: '07-15',
  WW: '07-28',
  RO: '07-25',
  DI: '07-30',
  HA: '08-05',
  AB: '08-15',
  SB: '09-10',
  KA: '09-12',
  ZR: '10-01',
  KM: '10-05',
};

/** Yields of the years against the mean: the drought of 2022, the wet August of 2023. */
const years: Readonly<Record<number, { yield: number; wet: number }>> = {
  2021: { yield: 1, wet: 0.4 },
  2022: { yield: 0.72, wet: -1.2 },
  2023: { yield: 0.94, wet: 2.6 },
  2024: { yield: 1.03, wet: 0.5 },
};

/** What was brought in, load by load, in the order of the delivery notes; a wrong weighing is booked again at once. */
export function growDeliveries(source: Source, { fields, farms, cropping }: Given): Cell[][] {
  const random = createRandom('farm_coop/anlieferung');
  const crops = new Map(source.rows('kulturen.csv').map((row) => [row('code'), row]));
  const memberOf = new Map(farms.map(({ farmId, memberNo }) => [farmId, memberNo]));
  const fieldOf = new Map(fields.map((field) => [field.fieldId, field]));
  const loads = cropping.flatMap(({ fieldId, year, crop }) => {
    const field = fieldOf.get(fieldId);
    const row = crop === null ? undefined : crops.get(crop);
    if (
      field === undefined ||
      row === undefined ||
      crop === null ||
      crop === 'KG' ||
      field.hectares < 3 ||
      random.chance(0.25)
    )
      return [];
    const tonnes =
      field.hectares * Number(row('ertrag')) * (years[year]?.yield ?? 1) * random.near(1, 0.3, 2);
    const count = Math.min(Math.ceil(tonnes / 36), 9);
    const date = addDays(`${year}-${ripe[crop] ?? '08-01'}`, random.int(0, 20));
    return Array.from({ length: count }, (_, i) => ({
      member: memberOf.get(field.farmId) ?? '',
      row,
      date: addDays(date, i),
      kg: Math.round((tonnes * 1000) / count / 20) * 20,
      year,
    }));
  });
  const rows = loads
    .sort((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0))
    .flatMap(({ member, row, date, kg, year }): Cell[][] => {
      const time = `${String(random.int(7, 22)).padStart(2, '0')}:${String(random.int(0, 59)).padStart(2, '0')}`;
      const rest: Cell[] = [moisture(random, row, year), grade(random, row('code'), year)];
      const stores: Readonly<Record<string, number[]>> = { ZR: [4], KA: [5] };
      const start: Cell[] = [
        member,
        random.pickSkewed(stores[row('code')] ?? [1, 2, 3, 6]),
        row('code'),
        date,
        time,
      ];
      if (!random.chance(0.012)) return [[...start, kg, ...rest, 0]];
      return [
        [...start, kg * 10, ...rest, 1],
        [...start, kg, ...rest, 0],
      ];
    });
  return rows.map((row, i) => [210_001 + i, ...row]);
}

/** Percent with a decimal comma: `14,5`. */
function moisture(random: Random, row: SourceRow, year: number): string | null {
  if (row('feuchte') === '' || random.chance(0.03)) return null;
  const value = Number(row('feuchte')) + (years[year]?.wet ?? 0) + random.near(-0.6, 2, 1);
  return value.toFixed(1).replace('.', ',');
}

function grade(random: Random, crop: string, year: number): string | null {
  if (!/WW|DI|RO/.test(crop)) return null;
  return random.weighted(year === 2023 ? { E: 1, A: 2, B: 6, C: 5 } : { E: 2, A: 6, B: 5, C: 1 });
}

/** Prices by crop and grade, set anew every harvest; those of 2022 were never seen before. */
export function growPrices(source: Source): Cell[][] {
  const factors = [
    { from: '2021-07-01', factor: 1 },
    { from: '2022-07-01', factor: 1.52 },
    { from: '2023-07-01', factor: 1.08 },
    { from: '2024-07-01', factor: 0.97 },
  ];
  const grades = { E: 1.06, A: 1, B: 0.95, C: 0.86 };
  return source
    .rows('kulturen.csv')
    .filter((row) => row('preis') !== '')
    .flatMap((row) =>
      factors.flatMap(({ from, factor }, i): Cell[][] => {
        const to = factors[i + 1] === undefined ? null : addDays(factors[i + 1]?.from ?? from, -1);
        const price = Number(row('preis')) * factor;
        if (!/WW|DI|RO/.test(row('code'))) return [[row('code'), '', from, to, round(price, 1)]];
        return Object.entries(grades).map(([letter, share]) => [
          row('code'),
          letter,
          from,
          to,
          round(price * share, 1),
        ]);
      }),
    );
}
