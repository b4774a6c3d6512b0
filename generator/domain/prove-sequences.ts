import type { Verdict } from '../../contracts/coverage.ts';
import { QueryError } from '../../contracts/errors.ts';
import type { Sample } from '../../contracts/sample.ts';
import type { StartTable } from '../../contracts/start-table.ts';
import { toolsetSize } from '../../services/live-tools/toolset/toolset-for.ts';
import { toolsetPath } from '../../services/live-tools/toolset/toolset-path.ts';
import type { Candidate } from '../candidate.ts';
import { inParallel } from '../in-parallel.ts';
import { lowerSel } from '../lower/sel/lower-sel.ts';
import { startKeysOf } from '../lower/sel/start-keys.ts';
import { lowerSlot } from '../lower/slot/lower-slot.ts';
import { constructsOf } from '../sql/index.ts';
import type { GoldQuery } from '../verify/gold-book.ts';
import { playSequence } from '../verify/play-sequence.ts';
import { type Refutation, verifyCandidate } from '../verify/verify-candidate.ts';
import { makeSample, makeVerdict } from './make-sample.ts';
import type { ProveContext } from './prove-context.ts';

/** A gold query as SLOT and SEL candidates, with the start tables they begin from; or why there are none. */
export type LoweredSequences =
  | {
      readonly gold: GoldQuery;
      readonly candidates: readonly Candidate[];
      readonly startTables: readonly StartTable[];
    }
  | { readonly gold: GoldQuery; readonly refutation: Refutation };

/** Lowers gold queries to SLOT sequences, and these to SEL. */
export function lowerSequences(
  golds: readonly GoldQuery[],
  { catalog }: Pick<ProveContext, 'catalog'>,
): LoweredSequences[] {
  return golds.map((gold): LoweredSequences => {
    const { question, query } = gold;
    try {
      const slot = lowerSlot(query, catalog);
      const { initialization_step, startTables } = slot;
      return {
        gold,
        startTables,
        candidates: [
          { question, formulation: 'slot', initialization_step, output: slot.output },
          {
            question,
            formulation: 'sel',
            initialization_step,
            output: lowerSel(slot, startKeysOf(slot, catalog)).output,
          },
        ],
      };
    } catch (error) {
      if (!(error instanceof QueryError)) throw error;
      return { gold, refutation: { kept: false, rejection: error.toRejection(), flags: [] } };
    }
  });
}

/** Proves SLOT and SEL candidates through the apps of all worlds. */
export async function proveSequences(
  lowered: readonly LoweredSequences[],
  context: ProveContext,
): Promise<{ readonly samples: readonly Sample[]; readonly verdicts: readonly Verdict[] }> {
  const { split, db, apps, book, worlds, signal } = context;
  const proven = await inParallel(lowered, context.jobs, async (item) => {
    const constructs = constructsOf(item.gold.query);
    const { question } = item.gold;
    if ('refutation' in item) {
      const facts = { constructs, calls: 0, tools: 0 };
      return (['slot', 'sel'] as const).map((kind) => ({
        sample: null,
        verdict: makeVerdict(question, kind, item.refutation, facts),
      }));
    }
    return inParallel(item.candidates, 1, async (candidate) => {
      signal?.throwIfAborted();
      const formulation = candidate.formulation === 'sel' ? 'sel' : 'slot';
      const outcome = await verifyCandidate(candidate, item.gold, {
        book,
        worlds,
        play: (calls, world, initialization) =>
          playSequence(apps.app(world), { split, db, formulation }, initialization, calls, {
            previews: formulation === 'slot' && world === worlds[0],
          }),
        ...(signal ? { signal } : {}),
      });
      context.onVerdict?.();
      const toolset = {
        path: toolsetPath(context.service, formulation, item.startTables),
        size: toolsetSize(context.service, formulation, item.startTables),
      };
      const facts = { constructs, calls: candidate.output.length, tools: toolset.size };
      return {
        sample: outcome.kept ? makeSample(candidate, outcome, { split, toolset }) : null,
        verdict: makeVerdict(question, formulation, outcome, facts),
      };
    });
  });
  return {
    samples: proven.flat().flatMap(({ sample }) => (sample ? [sample] : [])),
    verdicts: proven.flat().map(({ verdict }) => verdict),
  };
}
