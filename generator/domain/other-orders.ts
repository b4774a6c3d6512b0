import Database from 'better-sqlite3';
import { inLoopOrder, inVisitOrder } from '../lower/slot/visit-order.ts';
import { visitOrder } from '../served-copy/settle/visit-order.ts';
import type { Query } from '../sql/index.ts';
import type { GoldBook, GoldQuery } from '../verify/gold-book.ts';

/**
 * Other writings of each gold query whose answer SQL leaves open, whose rows come in the order in which SQLite may have
 * come by them on the original database: as `settled` says (the same queries, in the same order), then as its loops
 * nest. None where there is nothing open.
 */
export function otherOrders(
  golds: readonly GoldQuery[],
  settled: readonly GoldQuery[],
  { file, book }: { readonly file: string; readonly book: GoldBook },
): Query[][] {
  const db = new Database(file, { readonly: true, fileMustExist: true });
  try {
    return golds.map(({ query }, i) => {
      if (book.openings(query).length === 0) return [];
      const decided = inVisitOrder(settled[i]?.query ?? query);
      const looped = inLoopOrder(query, visitOrder(db, query).sources);
      return [...new Set([...decided, looped])].filter((other) => other !== query);
    });
  } finally {
    db.close();
  }
}
