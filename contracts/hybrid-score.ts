import { z } from 'zod';
import { API_CLASSES, HYBRID_FAILURES } from './hybrid-kinds.ts';
import { planClass } from './plan.ts';

const count = z.number().int().nonnegative();
const cost = z.object({ calls: count, pages: count, rows: count });

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
