import { QueryError } from '../../../contracts/errors.ts';
import { QUERY_TOOL } from '../../../contracts/query-tool.ts';
import type { Question } from '../../../contracts/split.ts';
import { type Candidate, isolateBugs } from '../../lower/candidate.ts';
import { lowerToQuery } from '../../lower/lower-query.ts';
import type { GoldQuery } from '../../verify/gold-answers.ts';
import type { SampleMaker } from '../contract/sample-maker.ts';
import { proveQuery } from './prove-query.ts';

/** The one declarative tool of a domain: a call for each question whose gold SQL it can express. */
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

/** The call that a question names; whether it answers it is for the proof to say. */
function namedCall(question: Question): Candidate {
  const call = { name: QUERY_TOOL, arguments: { ...question.query_arguments } };
  return { question, formulation: 'query', initialization_step: null, output: [call] };
}

/** A question that meets a bug, which has been reported, has no call. */
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
