import { z } from 'zod';
import { API_CLASSES } from './augmentation.ts';
import { planClass } from './plan.ts';

const count = z.number().int().nonnegative();
const cost = z.object({ calls: count, pages: count, rows: count });

/**
 * Why an attempt at a `hybrid` task failed, the first that holds:
 * - `unbound_input`: a statement used an API without its inputs, and there is no answer;
 * - `routing`: data were looked for where they are not, and there is no answer;
 * - `not_executed`: what was written could not be carried out;
 * - `no_answer`: there is none;
 * - `invented_value`: an API was asked for a value that nothing had told;
 * - `lost_rows`: some of the gold rows, and no others; `extra_rows`: all of them, and others;
 * - `wrong_aggregation`: as many rows, whose texts are right and whose numbers are not;
 * - `wrong_rows`: anything else.
 */
export const HYBRID_FAILURES = [
  'unbound_input',
  'routing',
  'not_executed',
  'no_answer',
  'invented_value',
  'lost_rows',
  'extra_rows',
  'wrong_aggregation',
  'wrong_rows',
] as const;
export const hybridFailure = z.enum(HYBRID_FAILURES);
export type HybridFailure = z.infer<typeof hybridFailure>;

/** How an attempt at a `hybrid` task did. */
export const hybridScore = z.object({
  /** `40`, or by a seed `40-7`. */
  share: z.string(),
  class: planClass,
  /** Of augmented questions. */
  augmented: z.object({ class: z.enum(API_CLASSES), depth: z.number().int() }).nullable(),
  /** Execution accuracy with extra columns forgiven: what counts. */
  execution: z.boolean(),
  /** The same without. */
  exact: z.boolean(),
  failure: hybridFailure.nullable(),
  /** null where the runner did not say. */
  used: cost.nullable(),
  planned: cost,
  /** Seconds. */
  model_s: z.number().nullable(),
  execution_s: z.number().nullable(),
});
export type HybridScore = z.infer<typeof hybridScore>;
