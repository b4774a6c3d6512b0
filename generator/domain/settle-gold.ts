import type { Catalog } from '../../contracts/catalog.ts';
import { QueryError } from '../../contracts/errors.ts';
import { inParallel } from '../in-parallel.ts';
import { type SettleWorld, settleQuery } from '../served-copy/settle/settle-query.ts';
import type { Query } from '../sql/index.ts';
import type { GoldBook, GoldQuery } from '../verify/gold-book.ts';
import type { Oracle } from '../verify/oracle/oracle.ts';
import type { World } from '../verify/world.ts';

export interface SettleContext {
  readonly book: GoldBook;
  readonly worlds: readonly [World, ...World[]];
  readonly oracle: Oracle;
  readonly catalog: Catalog;
  readonly jobs: number;
}

/** A gold query as it may be run on any copy of the rows, and other ways to spell out what SQL leaves open. */
export interface SettledGold extends GoldQuery {
  readonly others: readonly Query[];
}

/** The gold queries as endpoints may run them on any copy of the rows: what SQL leaves open is spelled out. */
export function settleGold(golds: readonly GoldQuery[], context: SettleContext): Promise<SettledGold[]> {
  return inParallel(golds, context.jobs, async (gold) => {
    if (context.book.openings(gold.query).length === 0) return { ...gold, others: [] };
    const [original, ...neighbours] = context.worlds;
    const first: SettleWorld = { plain: original.plain, expected: await context.book.expect(gold, original) };
    const worlds: SettleWorld[] = [];
    for (const world of neighbours) {
      try {
        worlds.push({ plain: world.plain, expected: await context.book.expect(gold, world) });
      } catch (error) {
        // Where the gold SQL fails on a neighbour, that neighbour says nothing of ties.
        if (!(error instanceof QueryError)) throw error;
      }
    }
    const settled = await settleQuery(gold.query, [first, ...worlds], context);
    return { ...gold, query: settled.query, others: settled.others };
  });
}
