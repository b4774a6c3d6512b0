import { z } from 'zod';
import { PLAN_CLASSES } from './hybrid-kinds.ts';
import { cell } from './value.ts';

/**
 * How a statement with APIs in it is carried out. `http`: hidden tables and scalar APIs are asked over HTTP. `functions`: all
 * in SQLite, with the scalar APIs as functions and virtual tables there: quicker, and the same rows.
 */
export const EXECUTORS = ['http', 'functions'] as const;
export type Executor = (typeof EXECUTORS)[number];

/** The field of a place API's answer that says that several places have the name, and the largest is meant. */
export const AMBIGUOUS_PLACE = 'ambiguous_place';

/** What one API was asked for a statement. */
export const planStep = z.object({
  /** `tables/<table>` or `scalars/<api>`. */
  api: z.string(),
  /** What the statement calls the table; null for a scalar API. */
  alias: z.string().nullable(),
  /** How its rows were narrowed: not at all, by values of the statement, by keys that other rows have; a scalar API by its inputs. */
  by: z.enum(['all', 'values', 'keys', 'inputs']),
  /** Requests; the same request is made once for a statement. */
  calls: z.number().int(),
  /** Answers, those that were there already among them. */
  pages: z.number().int(),
  /** Keys or inputs that were asked for. */
  keys: z.number().int(),
  /** Rows or values that came. */
  rows: z.number().int(),
  /** Of these values, those for a name that several places of the world have; left out where there are none. */
  ambiguous: z.number().int().positive().optional(),
});
export type PlanStep = z.infer<typeof planStep>;

export const planClass = z.enum(PLAN_CLASSES);
export type PlanClass = z.infer<typeof planClass>;

/** What the gold call of a `hybrid` task takes: no agent can know more of the APIs' data by fewer calls of the same kind. */
export const goldPlan = z.object({
  /** Percent of the tables that are hidden, and by which seed they were drawn. */
  share: z.number().int(),
  seed: z.number().int(),
  class: planClass,
  calls: z.number().int(),
  pages: z.number().int(),
  rows_moved: z.number().int(),
});
export type GoldPlan = z.infer<typeof goldPlan>;

/** The answer of `POST /v1/<split>/<db>/sql`. */
export const planAnswer = z.object({
  columns: z.array(z.string()),
  data: z.array(z.record(z.string(), cell)),
  row_count: z.number().int(),
  truncated: z.boolean(),
  executor: z.enum(EXECUTORS),
  /** Absent for `functions`, which does not ask. */
  class: planClass.optional(),
  /** Tables that were read by API. */
  hidden: z.array(z.string()),
  /** In the order in which it was carried out; empty for `functions`. */
  plan: z.array(planStep),
  /** Of the whole plan. */
  calls: z.number().int(),
  rows_moved: z.number().int(),
});
export type PlanAnswer = z.infer<typeof planAnswer>;
