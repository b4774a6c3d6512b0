import { isolateBugs, unlessQueryError } from '../../contracts/errors.ts';
import { QUERY_TOOL } from '../../contracts/query-tool.ts';
import { SERVED_FORMULATIONS } from '../../services/domain/formulations.ts';
import { lowerToQuery } from '../lower/lower-query.ts';
import { type Play, playCalls, verifyCandidate } from '../verify/verify-candidate.ts';
import { judged, proveEach, type SampleMaker, singleCall } from './sample-maker.ts';

/** One declarative tool per domain, called for each question whose gold SQL it can express. */
export const query: SampleMaker = {
  lower({ golds, called }, { catalog, onBug }) {
    const lowered = golds.flatMap((gold) => {
      // The tool cannot express the query, or a bug has been reported.
      const call = unlessQueryError(() =>
        isolateBugs(gold.question, onBug, () => lowerToQuery(gold.query, catalog)),
      );
      return call ? [{ gold, candidate: singleCall(gold.question, 'query', call) }] : [];
    });
    for (const gold of called) {
      // The proof decides whether the call that the question itself gives is right.
      const call = { name: QUERY_TOOL, arguments: { ...gold.question.query_arguments } };
      lowered.push({ gold, candidate: singleCall(gold.question, 'query', call) });
    }
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
