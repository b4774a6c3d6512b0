import { z } from 'zod';
import { QUERY_COMPONENTS } from './query-components.ts';

/** The operators of a call of the `query` tool. */
export const queryComponent = z.enum(QUERY_COMPONENTS);

/** How the calls of the `query` tool compare with the gold call; whether their rows are right is told by the outcome. */
export const queryScore = z.object({
  /** Whether the tool was called, and at least once with arguments that fit its schema. */
  call: z.enum(['valid', 'invalid', 'none']),
  /** Collection, presence of a search, filters, aggregations and group-by are all equal. */
  exact: z.boolean(),
  /** `exact`, and the search text is the same. */
  exact_strict: z.boolean(),
  /** The AST score by the published code is 1. */
  exact_legacy: z.boolean(),
  /** By the paper's rule, and by the published code's. */
  ast: z.number(),
  ast_legacy: z.number(),
  /** The collection is the gold one. */
  routed: z.boolean(),
  /** By the number of the gold call's operators. */
  complexity: z.enum(['simple', 'moderate', 'complex']),
  /** What the gold call contains. */
  components: z.array(queryComponent),
});
export type QueryScore = z.infer<typeof queryScore>;
