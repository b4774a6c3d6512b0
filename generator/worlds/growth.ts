import type { Catalog } from '../../contracts/catalog.ts';
import type { Distance } from '../../contracts/farm.ts';

/** Whether a table may grow by a row (1), shrink (-1) or stay (0). */
export type Way = 1 | -1 | 0;

/** By domain and table. */
export type Growth = ReadonlyMap<string, ReadonlyMap<string, Way>>;

/** Share of all tables that may leave one size upwards, and downwards. */
const MAX_SHARE = 0.045;

/**
 * Directions that nearly preserve the distribution of table sizes: of equal sizes every other table grows; a
 * lone odd one grows to meet those that shrink.
 */
export function growthOf(catalogs: readonly Catalog[]): Growth {
  const growth = new Map(catalogs.map(({ db }) => [db, new Map<string, Way>()]));
  const all = catalogs.flatMap(({ tables }) => tables.filter(({ view }) => !view)).length;
  const most = 2 * Math.max(1, Math.floor(MAX_SHARE * all));
  const seen = new Map<number, number>();
  for (const { db, tables } of catalogs) {
    for (const { name, rows, view } of tables) {
      if (view) continue;
      const nth = seen.get(rows) ?? 0;
      seen.set(rows, nth + 1);
      growth.get(db)?.set(name, nth >= most ? 0 : (nth + rows) % 2 === 1 ? 1 : -1);
    }
  }
  return growth;
}

export interface BeforeAfter {
  readonly before: number;
  readonly after: number;
}

/** The Kolmogorov–Smirnov distance; 0 without any numbers. */
export function distanceOf(pairs: readonly BeforeAfter[]): Distance {
  const n = pairs.length;
  const before = pairs.map((pair) => pair.before).sort((a, b) => a - b);
  const after = pairs.map((pair) => pair.after).sort((a, b) => a - b);
  let ks = 0;
  let [i, j] = [0, 0];
  while (i < n && j < n) {
    const x = Math.min(before[i] as number, after[j] as number);
    while (i < n && before[i] === x) i++;
    while (j < n && after[j] === x) j++;
    ks = Math.max(ks, Math.abs(i - j) / n);
  }
  return { ks, n };
}
