import Database from 'better-sqlite3';
import { printQuery, type Query } from '../../../sql/index.ts';
import { inLoopOrder, inVisitOrder } from '../../lower/slot/lower-slot.ts';
import { visitOrder } from '../../tie-breaking.ts';
import type { GoldAnswers, GoldQuery } from '../../verify/gold-answers.ts';
import type { TieBrokenGold } from '../contract/sample-maker.ts';

/** The tools hardly ever distinguish more ways to spell out one order. */
const MAX_WAYS = 4;

/**
 * Other versions of each gold query whose answer SQL does not determine. Their rows are in an order in which SQLite may
 * have visited them on the original database: as in `tieBroken` (the same queries, in the same order), then as its
 * loops nest. None where the answer is determined.
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
