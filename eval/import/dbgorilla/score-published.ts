import { z } from 'zod';
import type { QueryScore } from '../../../contracts/query-score.ts';
import { QUERY_TOOL } from '../../../contracts/query-tool.ts';
import type { AgentCall } from '../../calls/agent-call.ts';
import { scoreDbGorilla } from '../../metrics/dbgorilla.ts';
import { importInvalid } from '../imported.ts';
import { type ImportedQuery, readJson } from './import-dbgorilla.ts';
import { toArguments } from './published-query.ts';

const resultsFile = z.object({
  model_name: z.string().optional(),
  detailed_results: z.array(
    z.object({
      query_index: z.int(),
      database_schema_index: z.int(),
      predicted_query: z.record(z.string(), z.unknown()).nullish(),
      ast_score: z.number().nullish(),
      error: z.string().nullish(),
    }),
  ),
});

/** One published prediction, scored. */
export interface PublishedScore {
  readonly id: number;
  readonly score: QueryScore;
  /** The score that the file has. */
  readonly published: number | null;
  /** The question was asked with the tool of another schema, so that it could not be answered. */
  readonly otherSchema: boolean;
}

export interface PublishedScores {
  readonly model: string;
  readonly scores: readonly PublishedScore[];
}

/** The published predictions of a model, scored as ours are, but for execution: there are no rows. Throws IMPORT_INVALID. */
export function scorePublished(file: string, queries: readonly ImportedQuery[]): PublishedScores {
  const read = resultsFile.safeParse(readJson(file));
  if (!read.success) throw importInvalid(file, 'is no file of results: it has no detailed_results');
  const schemas = [...new Set(queries.map(({ collections }) => collections.join()))];
  const scores = read.data.detailed_results.map((result): PublishedScore => {
    const gold = queries[result.query_index];
    if (!gold)
      throw importInvalid(file, `has a result for question ${result.query_index}, which there is not`);
    return {
      id: gold.id,
      score: scoreDbGorilla(gold.query, callsOf(result)),
      published: result.ast_score ?? null,
      otherSchema: schemas.indexOf(gold.collections.join()) !== result.database_schema_index,
    };
  });
  return { model: read.data.model_name ?? file, scores };
}

/** A call that could not be read was made all the same. */
function callsOf({
  predicted_query,
  error,
}: z.infer<typeof resultsFile>['detailed_results'][number]): AgentCall[] {
  if (predicted_query) return [{ name: QUERY_TOOL, arguments: toArguments(predicted_query), label: null }];
  return error && !/no tool called/i.test(error) ? [{ name: QUERY_TOOL, arguments: {}, label: null }] : [];
}
