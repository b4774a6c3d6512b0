import { z } from 'zod';

export const BFCL_REPORT_FORMAT = 'rookery-bfcl-report/1';

const count = z.number().int().nonnegative();
/** Of `total` results, `correct` are right; the accuracy is a share, as in BFCL's score files. */
const accuracy = z.object({ accuracy: z.number(), correct: count, total: count });

/**
 * The results of one category of BFCL, by its own rules and by the corrected ones; error types as in its score files.
 */
export const bfclCategoryScore = z.object({
  category: z.string(),
  official: accuracy,
  fixed: accuracy,
  errors: z.record(z.string(), count),
  /** Questions without a result; BFCL leaves them out of the accuracy of partial runs. */
  not_run: count,
  samples: z.array(z.object({ id: z.string(), official: z.string(), fixed: z.string() })),
});
export type BfclCategoryScore = z.infer<typeof bfclCategoryScore>;

export const bfclModelScore = z.object({
  model: z.string(),
  categories: z.array(bfclCategoryScore),
  /** Seconds; null where BFCL writes N/A: no result has it, or, for the deviation, only one. */
  latency: z.object({
    mean: z.number().nullable(),
    deviation: z.number().nullable(),
    p95: z.number().nullable(),
  }),
  input_tokens: count,
  output_tokens: count,
  /** In the currency of the prices given. */
  cost: z.number().nullable(),
});
export type BfclModelScore = z.infer<typeof bfclModelScore>;

/** What `rookery score bfcl --out` writes. */
export const bfclReport = z.object({
  format: z.literal(BFCL_REPORT_FORMAT),
  models: z.array(bfclModelScore),
  left_out: z.array(z.object({ file: z.string(), reason: z.string() })),
});
export type BfclReport = z.infer<typeof bfclReport>;
