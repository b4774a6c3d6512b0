import Database from 'better-sqlite3';
import { inLoopOrder, inVisitOrder } from '../../lower/slot/visit-order.ts';
import { printQuery, type Query } from '../../sql/index.ts';
import { visitOrder } from '../../tie-breaking/visit-order.ts';
import type { GoldAnswers, GoldQuery } from '../../verify/gold-answers.ts';
import type { TieBrokenGold } from '../contract/sample-maker.ts';

/** More ways to spell out one order are hardly ever told apart by the tools. */
const MAX_WAYS = 4;

/**
 * Other writings of each gold query whose answer SQL leaves open, whose rows come in the order in which SQLite may have
 * come by them on the original database: as `tieBroken` says (the same queries, in the same order), then as its loops
 * nest. None where there is nothing open.
 */
export function otherOrders(
  golds: readonly GoldQuery[],
  tieBroken: readonly TieBrokenGold[],
  { file, goldAnswers }: { readonly file: string; readonly goldAnswers: GoldAnswers },
): Query[][] {
  const db = new Database(file, { readonly: true, fileMustExist: true });
  try {
    return golds.map(({ query }, i) => {
      if (goldAnswers.ambiguitiesOf(query).length === 0) return [];
      const ways = tieBroken[i] ? [tieBroken[i].query, ...tieBroken[i].others] : [];
      const looped = inLoopOrder(query, visitOrder(db, query).sources);
      const others = [...ways.slice(0, MAX_WAYS).flatMap(inVisitOrder), looped];
      // Each wording once.
      const known = new Set([printQuery(query)]);
      return others.filter((other) => known.size < known.add(printQuery(other)).size);
    });
  } finally {
    db.close();
  }
}
