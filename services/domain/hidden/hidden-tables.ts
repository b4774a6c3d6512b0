import type { Catalog } from '../../../contracts/catalog.ts';
import type { HiddenShare } from '../../../contracts/share.ts';
import { seededOrder } from '../../base/seeded-order.ts';

/**
 * The tables that are hidden, in the order drawn: those of a smaller share are the first of those of a larger one. A share
 * between nothing and everything hides one table at least, and leaves one. Views are not counted.
 */
export function hiddenTables({ db, tables }: Catalog, { share, seed }: HiddenShare): readonly string[] {
  const names = tables.filter(({ view }) => !view).map(({ name }) => name);
  const drawn = seededOrder(names, seed, `hidden tables of ${db}`, (name) => name);
  if (share === 0 || share === 100) return share === 0 ? [] : drawn;
  const count = Math.round((share * drawn.length) / 100);
  return drawn.slice(0, Math.max(Math.min(1, drawn.length - 1), Math.min(count, drawn.length - 1)));
}
