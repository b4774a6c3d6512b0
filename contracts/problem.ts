import { z } from 'zod';

/** `application/problem+json` (RFC 9457) with rookery's `code` and, for bad input, one entry a field. */
export const problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  detail: z.string(),
  /** From the catalogue in contracts/errors.ts, kind `http`. */
  code: z.string(),
  errors: z
    .array(
      z.object({
        field: z.string(),
        code: z.string(),
        message: z.string(),
        /** The nearest names that exist, for an unknown one. */
        suggestions: z.array(z.string()).optional(),
      }),
    )
    .optional(),
});
export type Problem = z.infer<typeof problem>;
export type FieldError = NonNullable<Problem['errors']>[number];
