import { z } from 'zod';
import { cell } from './catalog.ts';
import { PLAN_CLASSES } from './vocabulary.ts';

/** Which share of a domain's tables is hidden, in percent, and by which seed they were drawn. */
export const hiddenShare = z.object({
  share: z.number().int().min(0).max(100),
  seed: z.number().int().min(0),
});
export type HiddenShare = Readonly<z.infer<typeof hiddenShare>>;

/** The shares that are measured. */
export const SHARES = [0, 20, 40, 60, 80, 100] as const;

const SHARE = /^(?:100|[1-9]?\d)(?:-[1-9]\d{0,8})?$/;

/** A share as `printShare` writes it. */
export const shareText = z.string().regex(SHARE, 'must be a share from 0 to 100, such as 40, or 40-7');

/** A service of which only the tools of one of its shares are looked at; as it is where no share is given. */
export function atShare<T extends { readonly hidden?: HiddenShare[] | undefined }>(
  service: T,
  share: HiddenShare | undefined,
): T {
  return share ? { ...service, hidden: [{ share: share.share, seed: share.seed }] } : service;
}

/** `40`, or with a seed other than 0 `40-7`: how addresses and ids write it. */
export function printShare({ share, seed }: HiddenShare): string {
  return seed === 0 ? String(share) : `${share}-${seed}`;
}

/** The share that a text says; null for anything else. */
export function readShare(text: string): HiddenShare | null {
  const [, share = '', seed = '0'] = /^(\d{1,3})(?:-(\d{1,9}))?$/.exec(text) ?? [];
  if (share === '' || Number(share) > 100) return null;
  return { share: Number(share), seed: Number(seed) };
}

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

/**
 * How much an API of a table can do. `paper`: equality, all rows at once. `plain`: equality, and pages. `rich`: comparisons,
 * columns, order, aggregates and groups too.
 */
export const TABLE_API_STYLES = ['paper', 'plain', 'rich'] as const;
export type TableApiStyle = (typeof TABLE_API_STYLES)[number];

export const DEFAULT_TABLE_API_STYLE: TableApiStyle = 'rich';

/** How a rich API compares: `<column>__ge=5`. A column by itself is equality. */
export const TABLE_OPERATORS = ['gt', 'ge', 'lt', 'le', 'ne', 'like', 'in', 'is_null'] as const;
export type TableOperator = (typeof TABLE_OPERATORS)[number];

export const TABLE_AGGREGATES = ['count', 'sum', 'avg', 'min', 'max'] as const;
export type TableAggregate = (typeof TABLE_AGGREGATES)[number];

/** Rows of a page: unless told, and at most. */
export const PAGE_ROWS = { default: 100, most: 1000 } as const;

/** What the APIs call what is no column; a column of such a name gets a number. */
export const TABLE_ARGUMENTS = [
  'limit',
  'offset',
  'select',
  'distinct',
  'order_by',
  'aggregate',
  'aggregate_column',
  'group_by',
] as const;

/** Every answer of a table's API. */
export const tableAnswer = z.object({
  data: z.array(z.record(z.string(), cell)),
  /** Rows in `data`. */
  row_count: z.number().int(),
  /** Rows on all pages. */
  total: z.number().int(),
  /** Where the next page begins; null on the last one. */
  next_offset: z.number().int().nullable(),
  /** Whether there are rows that this answer has not: on other pages, or beyond what an answer may hold. */
  truncated: z.boolean(),
});
export type TableAnswer = z.infer<typeof tableAnswer>;

const count = z.number().int().nonnegative();

/** What an attempt at a `hybrid` task took of APIs, as its runner saw it. */
export const apiUse = z.strictObject({
  /** Requests of hidden tables and scalar APIs, those that `run_sql` made among them. */
  calls: count,
  pages: count,
  /** Rows and values that came. */
  rows: count,
  /** Values of arguments that stand neither in the question nor in anything that was answered before. */
  invented: count,
  /** Calls that looked for data where they are not: SQL of a hidden table, the API of a visible one. */
  misrouted: count,
  /** Statements that use an API without its inputs. */
  unbound: count,
});
export type ApiUse = z.infer<typeof apiUse>;
