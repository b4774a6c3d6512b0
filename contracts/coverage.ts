import { z } from 'zod';
import { flag, formulation } from './sample.ts';

/** Why a question is not in the farm in one formulation. */
export const rejection = z.object({
  /** From the catalogue in contracts/errors.ts, kind `query`. */
  code: z.string(),
  reason: z.string(),
  /** The piece of SQL that caused it, or null when it is the whole query. */
  clause: z.string().nullable(),
});
export type Rejection = z.infer<typeof rejection>;

/** One question in one formulation. */
export const verdict = z.object({
  question_id: z.union([z.number().int(), z.string()]),
  db: z.string(),
  formulation,
  kept: z.boolean(),
  rejection: rejection.nullable(),
  flags: z.array(flag),
  /** Names of the SQL constructs in the gold query: `group_by`, `left_join`, `cte`, … */
  constructs: z.array(z.string()),
  /** Rules of the audit by which the gold SQL is probably wrong; left out where there are none. */
  findings: z.array(z.string()).optional(),
  /** Number of gold calls; 0 when rejected. */
  calls: z.number().int(),
  /** Number of tools offered; 0 when rejected. */
  tools: z.number().int(),
});
export type Verdict = z.infer<typeof verdict>;

/** `coverage.json` */
export const coverage = z.object({
  split: z.string(),
  questions: z.number().int(),
  verdicts: z.array(verdict),
  /**
   * Questions of which a statement took a third of its limit of processor time or more, so that a slower machine may decide
   * otherwise; left out where there are none.
   */
  machine_dependent: z.array(verdict.pick({ db: true, question_id: true })).optional(),
});
export type Coverage = z.infer<typeof coverage>;
