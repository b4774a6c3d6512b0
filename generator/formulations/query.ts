import { unlessQueryError } from '../../contracts/errors.ts';
import { QUERY_TOOL } from '../../contracts/query-tool.ts';
import type { Question } from '../../contracts/split.ts';
import { SERVED_FORMULATIONS } from '../../services/domain/formulations.ts';
import { type Candidate, isolateBugs } from '../lower/candidate.ts';
import { lowerToQuery } from '../lower/lower-query.ts';
import type { GoldQuery } from '../verify/gold-answers.ts';
import { type Play, playCalls } from '../verify/play.ts';
import { verifyCandidate } from '../verify/verify-candidate.ts';
import { judged, proveEach, type SampleMaker } from './sample-maker.ts';

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
    return {
      prove(context) {
        const { split, service, apps } = context;
        const toolset = SERVED_FORMULATIONS.query.toolset(service, []);
        const play: Play = (calls, variant) => playCalls(apps.app(variant), service, calls);
        return proveEach(lowered, context, async ({ gold, candidate }) => {
          const outcome = await verifyCandidate(candidate, gold, { ...context, play });
          if (gold.question.query_arguments) context.onVerdict?.();
          return judged(candidate, gold, outcome, { split, toolset });
        });
      },
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
  const call = unlessQueryError(lower);
  return call && { question, formulation: 'query', initialization_step: null, output: [call] };
}
