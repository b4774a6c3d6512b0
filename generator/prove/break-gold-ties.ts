import pMap from 'p-map';
import type { Catalog } from '../../contracts/catalog.ts';
import { QueryError } from '../../contracts/errors.ts';
import { printQuery, type Query } from '../../sql/index.ts';
import type { TieBrokenGold } from '../formulations/contract/sample-maker.ts';
import type { Oracle } from '../oracle/oracle.ts';
import { breakTies } from '../tie-breaking.ts';
import type { DatabaseVariant } from '../variants/make-variants.ts';
import { type Expectation, isExpected } from '../verify/answer/expectation.ts';
import type { GoldAnswers, GoldQuery } from '../verify/gold-answers.ts';

export interface TieContext {
  readonly goldAnswers: GoldAnswers;
  /** The original first. */
  readonly variants: readonly [DatabaseVariant, ...DatabaseVariant[]];
  readonly oracle: Oracle;
  readonly catalog: Catalog;
  readonly jobs: number;
}

/** The gold queries with ties broken, so that endpoints give the same answers on any copy of the rows. */
export function breakGoldTies(golds: readonly GoldQuery[], context: TieContext): Promise<TieBrokenGold[]> {
  return pMap(
    golds,
    async (gold) => {
      const { goldAnswers, catalog, oracle } = context;
      if (goldAnswers.ambiguitiesOf(gold.query).length === 0) return { ...gold, others: [] };
      const expected = await expectedAnswers(gold, context);
      const { query, others } = await breakTies(gold.query, {
        catalog,
        file: context.variants[0].plain,
        states: expected.length,
        agreement: (version) => agreement(version, expected, oracle),
      });
      return { ...gold, query, others };
    },
    { concurrency: context.jobs },
  );
}

interface ExpectedAnswer {
  readonly file: string;
  readonly expected: Expectation;
}

/** The gold answers on the original, and on the neighbours where the gold SQL runs. */
async function expectedAnswers(
  gold: GoldQuery,
  { goldAnswers, variants: [original, ...neighbours] }: TieContext,
): Promise<ExpectedAnswer[]> {
  const answers = [{ file: original.plain, expected: await goldAnswers.expect(gold, original) }];
  for (const variant of neighbours) {
    try {
      answers.push({ file: variant.plain, expected: await goldAnswers.expect(gold, variant) });
    } catch (error) {
      // A neighbour on which the gold SQL fails cannot show how ties are broken.
      if (!(error instanceof QueryError)) throw error;
    }
  }
  return answers;
}

/** On how many databases a query gives the gold rows; 0 when it does not on the first. */
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
