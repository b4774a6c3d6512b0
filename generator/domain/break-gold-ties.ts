import type { Catalog } from '../../contracts/catalog.ts';
import { QueryError } from '../../contracts/errors.ts';
import { inParallel } from '../in-parallel.ts';
import { printQuery, type Query } from '../sql/index.ts';
import { breakTies } from '../tie-breaking/break-ties.ts';
import { type Expectation, isExpected } from '../verify/answer/expectation.ts';
import type { GoldBook, GoldQuery } from '../verify/gold-book.ts';
import type { Oracle } from '../verify/oracle/oracle.ts';
import type { World } from '../verify/world.ts';

export interface TieContext {
  readonly book: GoldBook;
  /** The original first. */
  readonly worlds: readonly [World, ...World[]];
  readonly oracle: Oracle;
  readonly catalog: Catalog;
  readonly jobs: number;
}

/** A gold query as it may be run on any copy of the rows, and other ways to spell out what SQL leaves open. */
export interface TieBrokenGold extends GoldQuery {
  readonly others: readonly Query[];
}

/** The gold queries as endpoints may run them on any copy of the rows: what SQL leaves open is spelled out. */
export function breakGoldTies(golds: readonly GoldQuery[], context: TieContext): Promise<TieBrokenGold[]> {
  return inParallel(golds, context.jobs, async (gold) => {
    const { book, catalog, oracle } = context;
    if (book.openings(gold.query).length === 0) return { ...gold, others: [] };
    const expected = await expectedAnswers(gold, context);
    const { query, others } = await breakTies(gold.query, {
      catalog,
      file: context.worlds[0].plain,
      states: expected.length,
      agreement: (version) => agreement(version, expected, oracle),
    });
    return { ...gold, query, others };
  });
}

interface ExpectedAnswer {
  readonly file: string;
  readonly expected: Expectation;
}

/** The gold answers on the original and on those of its neighbours where the gold SQL runs. */
async function expectedAnswers(
  gold: GoldQuery,
  { book, worlds: [original, ...neighbours] }: TieContext,
): Promise<ExpectedAnswer[]> {
  const answers = [{ file: original.plain, expected: await book.expect(gold, original) }];
  for (const world of neighbours) {
    try {
      answers.push({ file: world.plain, expected: await book.expect(gold, world) });
    } catch (error) {
      // Where the gold SQL fails on a neighbour, that neighbour says nothing of ties.
      if (!(error instanceof QueryError)) throw error;
    }
  }
  return answers;
}

/** On how many databases, from the first on, a query gives the gold rows; 0 when not on the first. */
async function agreement(query: Query, answers: readonly ExpectedAnswer[], oracle: Oracle): Promise<number> {
  let agreed = 0;
  for (const [i, { file, expected }] of answers.entries()) {
    try {
      const { rows } = await oracle.run(file, printQuery(query));
      if (isExpected(expected, rows)) agreed++;
      else if (i === 0) return 0;
    } catch (error) {
      if (!(error instanceof QueryError)) throw error;
      if (i === 0) return 0;
    }
  }
  return agreed;
}
