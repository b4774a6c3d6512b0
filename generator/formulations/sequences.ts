import pMap from 'p-map';
import type { Catalog } from '../../contracts/catalog.ts';
import { isolateBugs, type OnBug, QueryError, unlessQueryError } from '../../contracts/errors.ts';
import type { Question } from '../../contracts/split.ts';
import type { StartTable } from '../../contracts/tools.ts';
import { SERVED_FORMULATIONS } from '../../services/domain/formulations.ts';
import { constructsOf, printQuery, type Query } from '../../sql/index.ts';
import type { Candidate } from '../lower/candidate.ts';
import { inLoopOrder, inVisitOrder, lowerSel, lowerSlot, startKeysOf } from '../lower/lower-sequences.ts';
import { withDatabase } from '../oracle/engines.ts';
import { visitOrder } from '../tie-breaking.ts';
import type { GoldAnswers, GoldQuery } from '../verify/gold-answers.ts';
import {
  type Play,
  type Proof,
  playCalls,
  type Refutation,
  verifyCandidate,
} from '../verify/verify-candidate.ts';
import {
  collected,
  judged,
  makeVerdict,
  NOTHING_MADE,
  type ProveContext,
  type ProvenDomain,
  proveEach,
  type SampleMaker,
  type TieBrokenGold,
} from './sample-maker.ts';

/** SLOT: a sequence of table tools. SEL: the same with categorical arguments bound into tool names. */
export const sequences: SampleMaker = {
  lower({ golds, tieBroken }, { catalog, file, goldAnswers, onBug }) {
    const orders = otherOrders(golds, tieBroken, { file, goldAnswers });
    const lowered = lowerSequences(golds, orders, { catalog, onBug });
    return {
      start_tables: lowered.flatMap(startTablesOf),
      prove: (context) => proveSequences(lowered, context),
    };
  },
};

function startTablesOf(item: LoweredSequences): readonly StartTable[] {
  return 'attempts' in item ? item.attempts.flatMap(({ startTables }) => startTables) : [];
}

const SEQUENCE_FORMULATIONS = ['slot', 'sel'] as const;

/** A gold query as SLOT and SEL candidates. */
export interface Attempt {
  readonly candidates: readonly Candidate[];
  readonly startTables: readonly StartTable[];
}

/** Candidates for a gold query, best first, or why there are none. */
type LoweredSequences =
  | { readonly gold: GoldQuery; readonly attempts: readonly [Attempt, ...Attempt[]] }
  | { readonly gold: GoldQuery; readonly refutation: Refutation };

/** `others` holds, for each gold query, versions that spell out an order of rows SQLite may have used. */
function lowerSequences(
  golds: readonly GoldQuery[],
  others: readonly (readonly Query[])[],
  { catalog, onBug }: { readonly catalog: Catalog; readonly onBug?: OnBug | undefined },
): LoweredSequences[] {
  return golds.map((gold, i): LoweredSequences => {
    const { question, query } = gold;
    try {
      const attempts = isolateBugs(question, onBug, (): [Attempt, ...Attempt[]] => {
        const first = lowerQuery(question, query, catalog);
        const more = (others[i] ?? []).flatMap((other) => tryLower(question, other, catalog) ?? []);
        return [first, ...more];
      });
      return { gold, attempts };
    } catch (error) {
      if (!(error instanceof QueryError)) throw error;
      return { gold, refutation: { kept: false, rejection: error.toRejection(), flags: [] } };
    }
  });
}

function lowerQuery(question: Question, query: Query, catalog: Catalog): Attempt {
  const slot = lowerSlot(query, catalog);
  const { initialization_step, startTables } = slot;
  const sel = lowerSel(slot, startKeysOf(slot, catalog));
  return {
    startTables,
    candidates: [
      { question, formulation: 'slot', initialization_step, output: slot.output },
      { question, formulation: 'sel', initialization_step, output: sel.output },
    ],
  };
}

function tryLower(question: Question, query: Query, catalog: Catalog): Attempt | null {
  return unlessQueryError(() => lowerQuery(question, query, catalog));
}

async function proveSequences(
  items: readonly LoweredSequences[],
  context: ProveContext,
): Promise<ProvenDomain> {
  const { split, service } = context;
  const start_tables: StartTable[] = [];
  const proven = await proveEach(items, context, async (item) => {
    const { question, query } = item.gold;
    if ('refutation' in item) {
      const facts = { ...NOTHING_MADE, constructs: constructsOf(query) };
      const verdicts = SEQUENCE_FORMULATIONS.map((kind) =>
        makeVerdict(question, kind, item.refutation, facts),
      );
      return { samples: [], verdicts };
    }
    const { attempt, outcomes } = await proveAttempts(item.gold, item.attempts, context);
    start_tables.push(...attempt.startTables);
    return collected(
      attempt.candidates.map((candidate, i) => {
        const toolset = SERVED_FORMULATIONS[candidate.formulation].toolset(service, attempt.startTables);
        return judged(candidate, item.gold, outcomes[i] as Proof | Refutation, { split, toolset });
      }),
    );
  });
  return { start_tables, ...proven };
}

/** The first attempt that is proven in both formulations, else the first one. */
async function proveAttempts(
  gold: GoldQuery,
  [first, ...others]: readonly [Attempt, ...Attempt[]],
  context: ProveContext,
): Promise<{ readonly attempt: Attempt; readonly outcomes: readonly (Proof | Refutation)[] }> {
  const outcomes = await proveAttempt(gold, first, context);
  for (const attempt of outcomes.every(mayHaveOtherTies) ? others : []) {
    const again = await proveAttempt(gold, attempt, context);
    if (again.every(({ kept }) => kept)) return { attempt, outcomes: counted(again, context) };
  }
  return { attempt: first, outcomes: counted(outcomes, context) };
}

/** Whether the rows on the original differ, perhaps by tie-breaking. */
function mayHaveOtherTies(outcome: Proof | Refutation): boolean {
  return !outcome.kept && outcome.rejection.code === 'WRONG_ROWS';
}

function counted<T>(outcomes: readonly T[], context: ProveContext): readonly T[] {
  for (const _ of outcomes) context.onVerdict?.();
  return outcomes;
}

function proveAttempt(gold: GoldQuery, { candidates }: Attempt, context: ProveContext) {
  const { service, apps, variants, signal } = context;
  return pMap(
    candidates,
    (candidate) => {
      signal?.throwIfAborted();
      const play: Play = (calls, variant) =>
        playCalls(apps.app(variant), service, calls, {
          // What agents see on the way must be computable too.
          previews: variant === variants[0] ? 'all' : 'none',
        });
      return verifyCandidate(candidate, gold, { ...context, play });
    },
    { concurrency: 1 },
  );
}

/** More ways to spell out an order rarely give other sequences. */
const MAX_WAYS = 4;

/** For each gold query with an open order, versions that sort as SQLite may have visited the rows. */
export function otherOrders(
  golds: readonly GoldQuery[],
  tieBroken: readonly TieBrokenGold[],
  { file, goldAnswers }: { readonly file: string; readonly goldAnswers: GoldAnswers },
): Query[][] {
  return withDatabase(file, (db) => {
    return golds.map(({ query }, i) => {
      if (goldAnswers.ambiguitiesOf(query).length === 0) return [];
      const ways = tieBroken[i] ? [tieBroken[i].query, ...tieBroken[i].others] : [];
      const looped = inLoopOrder(query, visitOrder(db, query).sources);
      const others = [...ways.slice(0, MAX_WAYS).flatMap(inVisitOrder), looped];
      // Each text once.
      const known = new Set([printQuery(query)]);
      return others.filter((other) => known.size < known.add(printQuery(other)).size);
    });
  });
}
