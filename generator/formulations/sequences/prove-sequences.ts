import pMap from 'p-map';
import type { Verdict } from '../../../contracts/coverage.ts';
import type { Sample } from '../../../contracts/sample.ts';
import type { StartTable } from '../../../contracts/start-table.ts';
import { SERVED_FORMULATIONS } from '../../../services/domain/formulations/registry.ts';
import { constructsOf } from '../../../sql/index.ts';
import type { GoldQuery } from '../../verify/gold-answers.ts';
import { playCalls } from '../../verify/play/play-calls.ts';
import { type Proof, type Refutation, verifyCandidate } from '../../verify/verify-candidate.ts';
import { makeSample, makeVerdict, NOTHING_MADE } from '../contract/make-sample.ts';
import type { ProveContext } from '../contract/prove-context.ts';
import { type Attempt, type LoweredSequences, SEQUENCE_FORMULATIONS } from './lower-sequences.ts';

export interface ProvenSequences {
  /** The start tables of all tasks, kept or not. */
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
        const facts = { ...NOTHING_MADE, constructs };
        return SEQUENCE_FORMULATIONS.map((kind) => ({
          sample: null,
          verdict: makeVerdict(question, kind, item.refutation, facts),
          startTables: [],
        }));
      }
      const { attempt, outcomes } = await proveAttempts(item.gold, item.attempts, context);
      const { split, service } = context;
      return attempt.candidates.map((candidate, i) => {
        const outcome = outcomes[i] as Proof | Refutation;
        const { formulation } = candidate;
        const toolset = SERVED_FORMULATIONS[formulation].toolset(service, attempt.startTables);
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

/** The first candidate that holds in both formulations, or else the first one, each with its outcome. */
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

/** Whether the rows on the original differ, perhaps because SQLite broke ties differently. */
function mayHaveOtherTies(outcome: Proof | Refutation): boolean {
  return !outcome.kept && outcome.rejection.code === 'WRONG_ROWS';
}

function counted<T>(outcomes: readonly T[], context: ProveContext): readonly T[] {
  for (const _ of outcomes) context.onVerdict?.();
  return outcomes;
}

function proveAttempt(gold: GoldQuery, { candidates }: Attempt, context: ProveContext) {
  const { service, apps, goldAnswers, variants, signal } = context;
  return pMap(
    candidates,
    (candidate) => {
      signal?.throwIfAborted();
      return verifyCandidate(candidate, gold, {
        goldAnswers,
        variants,
        play: (calls, variant) =>
          playCalls(apps.app(variant), service, calls, {
            // Previews of one candidate show what agents see.
            previews: candidate === candidates[0] && variant === variants[0] ? 'all' : 'none',
          }),
        ...(signal ? { signal } : {}),
      });
    },
    { concurrency: 1 },
  );
}
