import { renameSync, rmSync } from 'node:fs';
import pMap from 'p-map';
import type { Catalog } from '../../contracts/catalog.ts';
import { printQuery, type Query } from '../../sql/index.ts';
import type { ProveContext, TieBrokenGold } from '../formulations/sample-maker.ts';
import { type Oracle, unlessRefused } from '../oracle/oracle.ts';
import { type Aids, type Index, indexName, makeServedCopy, type SearchIndex } from '../oracle/served-copy.ts';
import { breakTies } from '../tie-breaking.ts';
import { VisitLimit } from '../variants/visits.ts';
import { type Expectation, isExpected } from '../verify/expectation.ts';
import type { GoldQuery } from '../verify/gold-answers.ts';

/** Rows visited in a few hundredths of a second; with fewer, no plan is bad. */
const MANY_VISITS = 100_000;
/** A query that visits more rows of the original is slow on any copy. */
const MOST_VISITS = 10_000_000;
/** A query may visit this many times as many rows of the copy as of the original. */
const MOST_TIMES = 3;

export interface FastCopyContext {
  readonly queries: readonly Query[];
  readonly catalog: Catalog;
  readonly oracle: Oracle;
  readonly referenceTime: string;
}

/** Drops indexes or statistics that mislead SQLite's planner, judged by rows visited, not by time. */
export async function makeFastCopy(
  original: string,
  target: string,
  planned: readonly Index[],
  searched: readonly SearchIndex[],
  { queries, catalog, oracle, referenceTime }: FastCopyContext,
): Promise<void> {
  const limit = new VisitLimit(oracle, catalog);
  let aids: Aids = { indexes: planned, analyzed: true };
  // New names, since the oracle may still have the previous copy open.
  let copies = 0;
  let copy = make();
  const hopeless = new Set<Query>();
  for (let slow = await firstSlow(); slow; slow = await firstSlow()) {
    const query = slow;
    const found = await firstThat(await alternatives(query), () => isSlow(query).then((is) => !is));
    if (!found) hopeless.add(query);
  }
  renameSync(copy, target);

  function make(): string {
    if (copies > 0) rmSync(copy, { force: true });
    const made = `${target}-${++copies}`;
    makeServedCopy(original, made, aids.indexes, searched, aids.analyzed, referenceTime);
    return made;
  }

  async function firstSlow(): Promise<Query | null> {
    const plans = queries.map((query) => ({ sql: planSql(query), engine: 'native' as const }));
    for (const file of [original, copy]) await oracle.runAhead(file, plans);
    const changed: Query[] = [];
    for (const query of queries) if (!hopeless.has(query) && (await hasOtherPlan(query))) changed.push(query);
    const quick = await limit.visitsOfEach(changed, copy, MANY_VISITS);
    for (const [i, query] of changed.entries())
      if ((quick[i] ?? 0) > MANY_VISITS && (await takesMore(query))) return query;
    return null;
  }

  async function isSlow(query: Query): Promise<boolean> {
    if (!(await hasOtherPlan(query))) return false;
    return ((await limit.visits(query, copy, MANY_VISITS)) ?? 0) > MANY_VISITS && takesMore(query);
  }

  async function hasOtherPlan(query: Query): Promise<boolean> {
    const plans = await Promise.all([planOf(original, query), planOf(copy, query)]);
    return plans[0] !== plans[1];
  }

  async function takesMore(query: Query): Promise<boolean> {
    const before = await limit.visits(query, original, MOST_VISITS);
    if (before === null || before > MOST_VISITS) return false;
    const most = Math.max(MANY_VISITS, before * MOST_TIMES);
    return ((await limit.visits(query, copy, most)) ?? 0) > most;
  }

  /** Without one of the query's indexes, without statistics, without either. */
  async function alternatives(query: Query): Promise<Aids[]> {
    const plan = await planOf(copy, query);
    const used = aids.indexes.filter((index) => plan.includes(indexName(index)));
    const without = (...left: readonly Index[]) => aids.indexes.filter((index) => !left.includes(index));
    return [
      ...used.map((index) => ({ ...aids, indexes: without(index) })),
      { ...aids, analyzed: false },
      { indexes: without(...used), analyzed: false },
    ];
  }

  /** Makes the copy with each of the aids until one works; restores it if none does. */
  async function firstThat(choices: readonly Aids[], works: () => Promise<boolean>): Promise<boolean> {
    const before = aids;
    for (aids of choices) {
      copy = make();
      if (await works()) return true;
    }
    aids = before;
    copy = make();
    return false;
  }

  async function planOf(file: string, query: Query): Promise<string> {
    const plan = await unlessRefused(oracle.run(file, planSql(query), { engine: 'native' }));
    return plan?.rows.map((row) => row.at(-1)).join('\n') ?? '';
  }
}

function planSql(query: Query): string {
  return `EXPLAIN QUERY PLAN ${printQuery(query)}`;
}

type TieContext = Pick<ProveContext, 'goldAnswers' | 'variants' | 'oracle' | 'catalog' | 'jobs'>;

/** Breaks ties so that endpoints give the same answers on any copy of the rows. */
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

/** On the original, and on the neighbours where the gold SQL runs. */
async function expectedAnswers(
  gold: GoldQuery,
  { goldAnswers, variants: [original, ...neighbours] }: TieContext,
): Promise<ExpectedAnswer[]> {
  const answers = [{ file: original.plain, expected: await goldAnswers.expect(gold, original) }];
  for (const variant of neighbours) {
    // A neighbour on which the gold SQL fails is no evidence about ties.
    const expected = await unlessRefused(goldAnswers.expect(gold, variant));
    if (expected) answers.push({ file: variant.plain, expected });
  }
  return answers;
}

/** On how many databases the query gives the gold rows; 0 unless it does on the first. */
async function agreement(query: Query, answers: readonly ExpectedAnswer[], oracle: Oracle): Promise<number> {
  let agreed = 0;
  for (const [i, { file, expected }] of answers.entries()) {
    const answer = await unlessRefused(oracle.run(file, printQuery(query)));
    if (answer && isExpected(expected, answer.rows)) agreed++;
    else if (i === 0) return 0;
  }
  return agreed;
}
