import type { Verdict } from '../../../contracts/coverage.ts';
import { parseQuery, type Query } from '../../../sql/index.ts';
import type { RestCandidate } from '../../lower/candidate.ts';
import { lowerRest } from '../../lower/lower-rest.ts';
import type { GoldQuery } from '../../verify/gold-answers.ts';
import { makeVerdict, NOTHING_MADE } from '../contract/make-sample.ts';
import type { SampleMaker } from '../contract/sample-maker.ts';
import { choicesThatFitInPath } from './choices-that-fit-in-path.ts';
import { markSpeed } from './mark-speed.ts';
import { proveRest } from './prove-rest.ts';

/** REST: one endpoint a query template, one call a question. */
export const rest: SampleMaker = {
  lower({ golds, tieBroken }, context) {
    const { split, db, title, catalog, referenceTime, database, onBug } = context;
    const pathChoices = context.pathParameters ? choicesThatFitInPath(context.file) : undefined;
    const lowered = lowerRest(tieBroken, { split, db, catalog, title, pathChoices, onBug });
    const queries = queriesOf(lowered.candidates, tieBroken);
    const endpoints = markSpeed(lowered.endpoints, queries, { database, catalog });
    const rejected = lowered.rejections.map(({ question, rejection }): Verdict => {
      const refutation = { kept: false, rejection, flags: [] } as const;
      return makeVerdict(question, 'rest', refutation, NOTHING_MADE);
    });
    return {
      offers: { endpoints, start_tables: [] },
      async prove(context) {
        const byId = new Map(golds.map((gold) => [gold.question.question_id, gold]));
        const parse = (text: string) => parseQuery(text, { catalog, referenceTime });
        const proven = await proveRest(lowered.candidates, byId, { ...context, seed: split, parse });
        return {
          offers: { endpoints: [...proven.endpoints], start_tables: [] },
          samples: proven.samples,
          verdicts: [...rejected, ...proven.verdicts],
        };
      },
    };
  },
};

/** A query of each endpoint, by the endpoint's name. */
function queriesOf(candidates: readonly RestCandidate[], golds: readonly GoldQuery[]): Map<string, Query> {
  const byQuestion = new Map(golds.map(({ question, query }) => [question.question_id, query]));
  return new Map(
    candidates.flatMap(({ endpoint, question }) => {
      const query = byQuestion.get(question.question_id);
      return query ? [[endpoint, query] as const] : [];
    }),
  );
}
