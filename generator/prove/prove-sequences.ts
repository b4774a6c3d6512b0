import pMap from 'p-map';
import type { Catalog } from '../../contracts/catalog.ts';
import type { Verdict } from '../../contracts/coverage.ts';
import { QueryError } from '../../contracts/errors.ts';
import type { Sample } from '../../contracts/sample.ts';
import type { Question } from '../../contracts/split.ts';
import type { StartTable } from '../../contracts/start-table.ts';
import { toolsetSize } from '../../services/domain/live-tools/toolset/toolset-for.ts';
import { toolsetPath } from '../../services/domain/live-tools/toolset/toolset-path.ts';
import type { Candidate } from '../lower/candidate.ts';
import { isolateBugs, type OnBug } from '../lower/isolate-bugs.ts';
import { lowerSel } from '../lower/sel/lower-sel.ts';
import { startKeysOf } from '../lower/sel/start-keys.ts';
import { lowerSlot } from '../lower/slot/lower-slot.ts';
import { constructsOf, type Query } from '../sql/index.ts';
import type { GoldQuery } from '../verify/gold-answers.ts';
import { playCalls } from '../verify/play/play-calls.ts';
import { type Proof, type Refutation, verifyCandidate } from '../verify/verify-candidate.ts';
import { makeSample, makeVerdict } from './make-sample.ts';
import type { ProveContext } from './prove-context.ts';

/** A gold query as SLOT and SEL candidates, with the start tables they begin from. */
interface Attempt {
  readonly candidates: readonly Candidate[];
  readonly startTables: readonly StartTable[];
}

/** The attempts at a gold query, the best first; or why there are none. */
export type LoweredSequences =
  | { readonly gold: GoldQuery; readonly attempts: readonly [Attempt, ...Attempt[]] }
  | { readonly gold: GoldQuery; readonly refutation: Refutation };

/**
 * Lowers gold queries to SLOT sequences, and these to SEL. Where SQL leaves the answer open, `others` has for each
 * gold query other writings that say how SQLite may have decided: further attempts, should the first one not do.
 */
export function lowerSequences(
  golds: readonly GoldQuery[],
  others: readonly (readonly Query[])[],
  { catalog, onBug }: { readonly catalog: Catalog; readonly onBug?: OnBug | undefined },
): LoweredSequences[] {
  return golds.map((gold, i): LoweredSequences => {
    const { question, query } = gold;
    try {
      const attempts = isolateBugs(question, onBug, (): [Attempt, ...Attempt[]] => {
        const first = lowered(question, query, catalog);
        const more = (others[i] ?? []).flatMap((other) => loweredIfPossible(question, other, catalog) ?? []);
        return [first, ...more];
      });
      return { gold, attempts };
    } catch (error) {
      if (!(error instanceof QueryError)) throw error;
      return { gold, refutation: { kept: false, rejection: error.toRejection(), flags: [] } };
    }
  });
}

function lowered(question: Question, query: Query, catalog: Catalog): Attempt {
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

function loweredIfPossible(question: Question, query: Query, catalog: Catalog): Attempt | null {
  try {
    return lowered(question, query, catalog);
  } catch (error) {
    if (error instanceof QueryError) return null;
    throw error;
  }
}

export interface ProvenSequences {
  /** Those that a task begins from, be it kept or not. */
  readonly startTables: readonly StartTable[];
  readonly samples: readonly Sample[];
  readonly verdicts: readonly Verdict[];
}

/** Proves SLOT and SEL candidates through the apps of all variants. */
export async function proveSequences(
  items: readonly LoweredSequences[],
  context: ProveContext,
): Promise<ProvenSequences> {
  const proven = await pMap(
    items,
    async (item) => {
      const constructs = constructsOf(item.gold.query);
      const { question } = item.gold;
      if ('refutation' in item) {
        const facts = { constructs, calls: 0, tools: 0 };
        return (['slot', 'sel'] as const).map((kind) => ({
          sample: null,
          verdict: makeVerdict(question, kind, item.refutation, facts),
          startTables: [],
        }));
      }
      const { attempt, outcomes } = await proveAttempts(item.gold, item.attempts, context);
      const { split, service } = context;
      return attempt.candidates.map((candidate, i) => {
        const outcome = outcomes[i] as Proof | Refutation;
        const formulation = kindOf(candidate);
        const toolset = {
          path: toolsetPath(service, formulation, attempt.startTables),
          size: toolsetSize(service, formulation, attempt.startTables),
        };
        const facts = { constructs, calls: candidate.output.length, tools: toolset.size };
        return {
          sample: outcome.kept ? makeSample(candidate, outcome, { split, toolset }) : null,
          verdict: makeVerdict(question, formulation, outcome, facts),
          startTables: attempt.startTables,
        };
      });
    },
    { concurrency: context.jobs },
  );
  return {
    startTables: proven.flat().flatMap(({ startTables }) => startTables),
    samples: proven.flat().flatMap(({ sample }) => (sample ? [sample] : [])),
    verdicts: proven.flat().map(({ verdict }) => verdict),
  };
}

/** The first attempt that holds in both formulations, else the first of all, with what became of it. */
async function proveAttempts(
  gold: GoldQuery,
  [first, ...others]: readonly [Attempt, ...Attempt[]],
  context: ProveContext,
): Promise<{ readonly attempt: Attempt; readonly outcomes: readonly (Proof | Refutation)[] }> {
  const outcomes = await proveAttempt(gold, first, context);
  for (const attempt of outcomes.every(isElsewhereDecided) ? others : []) {
    const again = await proveAttempt(gold, attempt, context);
    if (again.every(({ kept }) => kept)) return { attempt, outcomes: tell(again, context) };
  }
  return { attempt: first, outcomes: tell(outcomes, context) };
}

/** Whether the rows on the original differ: by ties, perhaps, that SQLite decided otherwise. */
function isElsewhereDecided(outcome: Proof | Refutation): boolean {
  return !outcome.kept && outcome.rejection.code === 'WRONG_ROWS';
}

function tell<T>(outcomes: readonly T[], context: ProveContext): readonly T[] {
  for (const _ of outcomes) context.onVerdict?.();
  return outcomes;
}

function proveAttempt(gold: GoldQuery, { candidates }: Attempt, context: ProveContext) {
  const { service, apps, goldAnswers, variants, signal } = context;
  return pMap(
    candidates,
    (candidate) => {
      signal?.throwIfAborted();
      const formulation = kindOf(candidate);
      return verifyCandidate(candidate, gold, {
        goldAnswers,
        variants,
        play: (calls, variant) =>
          playCalls(apps.app(variant), service, calls, {
            previews: formulation === 'slot' && variant === variants[0],
          }),
        ...(signal ? { signal } : {}),
      });
    },
    { concurrency: 1 },
  );
}

function kindOf({ formulation }: Candidate): 'slot' | 'sel' {
  return formulation === 'sel' ? 'sel' : 'slot';
}
