import type { Catalog } from '../../../contracts/catalog.ts';
import type { HiddenShare } from '../../../contracts/share.ts';
import { seededOrder } from '../../base/seeded-order.ts';

/**
 * The tables that are hidden, in the order drawn: those of a smaller share are the first of those of a larger one. A share
 * between nothing and everything hides one table at least, and leaves one. Behind them come the views that may read one;
 * they do not count for the share.
 */
export function hiddenTables({ db, tables }: Catalog, { share, seed }: HiddenShare): readonly string[] {
  const names = tables.filter(({ view }) => !view).map(({ name }) => name);
  const drawn = seededOrder(names, seed, `hidden tables of ${db}`, (name) => name);
  const count = Math.round((share * drawn.length) / 100);
  const some = Math.max(Math.min(1, drawn.length - 1), Math.min(count, drawn.length - 1));
  const hidden = new Set(drawn.slice(0, share === 0 ? 0 : share === 100 ? drawn.length : some));
  if (hidden.size === 0) return [];
  const views = tables.filter(({ view }) => view);
  for (let before = -1; before < hidden.size; ) {
    before = hidden.size;
    for (const { name, reads } of views)
      if (!reads || reads.some((each) => hidden.has(each))) hidden.add(name);
  }
  return [...hidden];
}

/** A catalog without hidden tables. */
export function visibleCatalog(catalog: Catalog, hidden: readonly string[]): Catalog {
  return { ...catalog, tables: catalog.tables.filter(({ name }) => !hidden.includes(name)) };
}
