import pMap from 'p-map';
import type { Verdict } from '../../../contracts/coverage.ts';
import type { Sample } from '../../../contracts/sample.ts';
import { SERVED_FORMULATIONS } from '../../../services/domain/formulations/registry.ts';
import { constructsOf } from '../../../sql/index.ts';
import type { Candidate } from '../../lower/candidate.ts';
import type { GoldQuery } from '../../verify/gold-answers.ts';
import { playCalls } from '../../verify/play/play-calls.ts';
import { verifyCandidate } from '../../verify/verify-candidate.ts';
import { makeSample, makeVerdict } from '../contract/make-sample.ts';
import type { ProveContext } from '../contract/prove-context.ts';

/** A gold query that fits the tool, and its call. */
export interface LoweredToQuery {
  readonly gold: GoldQuery;
  readonly candidate: Candidate;
}

/** Proves calls of the tool through the apps of all variants. */
export async function proveQuery(
  lowered: readonly LoweredToQuery[],
  context: ProveContext,
): Promise<{ readonly samples: readonly Sample[]; readonly verdicts: readonly Verdict[] }> {
  const { split, service, apps, goldAnswers, variants, signal } = context;
  const toolset = SERVED_FORMULATIONS.query.toolset(service, []);
  const proven = await pMap(
    lowered,
    async ({ gold, candidate }) => {
      signal?.throwIfAborted();
      const outcome = await verifyCandidate(candidate, gold, {
        goldAnswers,
        variants,
        play: (calls, variant) => playCalls(apps.app(variant), service, calls),
        ...(signal ? { signal } : {}),
      });
      if (gold.question.query_arguments) context.onVerdict?.();
      const facts = { constructs: constructsOf(gold.query), calls: 1, tools: toolset.size };
      return {
        sample: outcome.kept ? makeSample(candidate, outcome, { split, toolset }) : null,
        verdict: makeVerdict(gold.question, 'query', outcome, facts),
      };
    },
    { concurrency: context.jobs },
  );
  return {
    samples: proven.flatMap(({ sample }) => (sample ? [sample] : [])),
    verdicts: proven.map(({ verdict }) => verdict),
  };
}
