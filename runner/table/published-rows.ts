import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { packageRoot } from '../../contracts/package-root.ts';
import { formulation } from '../../contracts/sample.ts';
import { hybridFigures, type LeaderboardRow, queryFigures } from './leaderboard.ts';
import { defaultName } from './options-text.ts';

const scores = z.object({ precision: z.number(), recall: z.number(), f1: z.number() });

/** A file of published rows. */
export const publishedFile = z.strictObject({
  source: z.string(),
  /** The split that they were measured on: they are shown beside runs on a farm of it. */
  split: z.string(),
  rows: z.array(
    z.strictObject({
      table: z.string(),
      model: z.string(),
      agent: z.string(),
      formulation,
      n: z.number().int(),
      completion: z.number().optional(),
      relevance: z.number().optional(),
      intent: scores.optional(),
      slot: scores.optional(),
      loops: z.number().optional(),
      out_of_budget: z.number().optional(),
      stuck: z.number().optional(),
      unclassified: z.number().optional(),
      query: queryFigures.optional(),
      hybrid: hybridFigures.optional(),
      options: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).default({}),
    }),
  ),
});

/** All published rows that come with rookery. */
export function publishedRows(): LeaderboardRow[] {
  const folder = join(packageRoot, 'runner', 'published');
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .flatMap((name) => {
      const { source, split, rows } = publishedFile.parse(
        JSON.parse(readFileSync(join(folder, name), 'utf8')),
      );
      return rows.map(
        ({ table, ...row }): LeaderboardRow => ({
          ...EMPTY,
          ...row,
          name: defaultName(row),
          completion: row.completion ?? null,
          relevance: row.relevance ?? null,
          intent: row.intent ?? null,
          slot: row.slot ?? null,
          query: row.query ?? null,
          hybrid: row.hybrid ?? null,
          loops: row.loops ?? null,
          out_of_budget: row.out_of_budget ?? null,
          stuck: row.stuck ?? null,
          unclassified: row.unclassified ?? null,
          split,
          source: `${source}, ${table}`,
        }),
      );
    });
}

const EMPTY = {
  completion_strict: null,
  ast: null,
  exact_string: null,
  ceiling: null,
  ended_by: {},
  robust: null,
  world_difference: null,
  parts: null,
  no_call: null,
  interval: null,
  latency_p50: null,
  latency_p95: null,
  input_tokens: null,
  output_tokens: null,
  cost: null,
  infra_errors: null,
  error_classes: null,
  run: null,
};
