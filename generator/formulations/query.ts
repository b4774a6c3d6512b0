import pMap from 'p-map';
import { QueryError } from '../../contracts/errors.ts';
import type { Verdict } from '../../contracts/farm.ts';
import { QUERY_TOOL } from '../../contracts/query-tool.ts';
import type { Sample } from '../../contracts/sample.ts';
import type { Question } from '../../contracts/split.ts';
import { SERVED_FORMULATIONS } from '../../services/domain/formulations.ts';
import { constructsOf } from '../../sql/index.ts';
import { type Candidate, isolateBugs } from '../lower/candidate.ts';
import { lowerToQuery } from '../lower/lower-query.ts';
import type { GoldQuery } from '../verify/gold-answers.ts';
import { playCalls } from '../verify/play.ts';
import { verifyCandidate } from '../verify/verify-candidate.ts';
import { makeSample, makeVerdict, type ProveContext, type SampleMaker } from './sample-maker.ts';

/** One declarative tool per domain, called for each question whose gold SQL it can express. */
export const query: SampleMaker = {
  lower({ golds, called }, { catalog, onBug }) {
    const lowered = golds.flatMap((gold) => {
      const candidate = candidateOf(gold, () =>
        isolateBugs(gold.question, onBug, () => lowerToQuery(gold.query, catalog)),
      );
      return candidate ? [{ gold, candidate }] : [];
    });
    for (const gold of called) lowered.push({ gold, candidate: namedCall(gold.question) });
    const offers = { endpoints: [], start_tables: [] };
    return {
      offers,
      prove: async (context) => ({ offers, ...(await proveQuery(lowered, context)) }),
    };
  },
};

/** The call that the question itself gives; the proof decides whether it is right. */
function namedCall(question: Question): Candidate {
  const call = { name: QUERY_TOOL, arguments: { ...question.query_arguments } };
  return { question, formulation: 'query', initialization_step: null, output: [call] };
}

/** The candidate; null if the tool cannot express the query, or after a bug, which has been reported. */
function candidateOf(
  { question }: GoldQuery,
  lower: () => Candidate['output'][number] | null,
): Candidate | null {
  try {
    const call = lower();
    return call && { question, formulation: 'query', initialization_step: null, output: [call] };
  } catch (error) {
    if (error instanceof QueryError) return null;
    throw error;
  }
}

interface LoweredToQuery {
  readonly gold: GoldQuery;
  readonly candidate: Candidate;
}

async function proveQuery(
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
        signal,
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
