import { z } from 'zod';
import { cell } from './catalog.ts';
import { PLAN_CLASSES } from './vocabulary.ts';

/** The percentage of a domain's tables that is hidden, and the seed that drew them. */
export const hiddenShare = z.object({
  share: z.number().int().min(0).max(100),
  seed: z.number().int().min(0),
});
export type HiddenShare = Readonly<z.infer<typeof hiddenShare>>;

export const SHARES = [0, 20, 40, 60, 80, 100] as const;

const SHARE = /^(?:100|[1-9]?\d)(?:-[1-9]\d{0,8})?$/;

/** A share as `printShare` writes it. */
export const shareText = z.string().regex(SHARE, 'must be a share from 0 to 100, such as 40, or 40-7');

/** The service restricted to one hidden share; unchanged if no share is given. */
export function atShare<T extends { readonly hidden?: HiddenShare[] | undefined }>(
  service: T,
  share: HiddenShare | undefined,
): T {
  return share ? { ...service, hidden: [{ share: share.share, seed: share.seed }] } : service;
}

/** `40`, or `40-7` with a non-zero seed: the form in URLs and ids. */
export function printShare({ share, seed }: HiddenShare): string {
  return seed === 0 ? String(share) : `${share}-${seed}`;
}

export function readShare(text: string): HiddenShare | null {
  const [, share = '', seed = '0'] = /^(\d{1,3})(?:-(\d{1,9}))?$/.exec(text) ?? [];
  if (share === '' || Number(share) > 100) return null;
  return { share: Number(share), seed: Number(seed) };
}

/**
 * How a statement with APIs is executed. `http`: hidden tables and scalar APIs are called over HTTP.
 * `functions`: everything runs in SQLite, with scalar APIs as functions and hidden tables as virtual tables:
 * faster, same rows.
 */
export const EXECUTORS = ['http', 'functions'] as const;
export type Executor = (typeof EXECUTORS)[number];

/** The field in a place API's response which says that the name is ambiguous and the largest place was taken. */
export const AMBIGUOUS_PLACE = 'ambiguous_place';

/** The scalar APIs that answer lists, which SQL has only as tables: their inputs and the columns of the list. */
export const LIST_TABLES: Readonly<
  Record<string, { readonly inputs: string[]; readonly columns: string[] }>
> = {
  list_words: { inputs: ['string'], columns: ['position', 'word'] },
  list_prime_factors: { inputs: ['number'], columns: ['factor'] },
};

/** The requests to one API for a statement. */
export const planStep = z.object({
  /** `tables/<table>` or `scalars/<api>`. */
  api: z.string(),
  /** The table's alias in the statement; null for a scalar API. */
  alias: z.string().nullable(),
  /** How its rows were restricted: not at all, by literals, or by keys from other rows; a scalar API, by its inputs. */
  by: z.enum(['all', 'values', 'keys', 'inputs']),
  /** Number of distinct requests; identical ones are sent once per statement. */
  calls: z.number().int(),
  /** Number of responses, cached ones included. */
  pages: z.number().int(),
  /** Number of keys or inputs requested. */
  keys: z.number().int(),
  /** Number of rows or values received. */
  rows: z.number().int(),
  /** Number of these values whose place name is ambiguous; absent if zero. */
  ambiguous: z.number().int().positive().optional(),
});
export type PlanStep = z.infer<typeof planStep>;

export const planClass = z.enum(PLAN_CLASSES);
export type PlanClass = z.infer<typeof planClass>;

/** The API use of a `hybrid` task's gold call, the minimum for getting the same data with calls of this kind. */
export const goldPlan = z.object({
  /** Percentage of hidden tables, and the seed that drew them. */
  share: z.number().int(),
  seed: z.number().int(),
  class: planClass,
  calls: z.number().int(),
  pages: z.number().int(),
  rows_moved: z.number().int(),
});
export type GoldPlan = z.infer<typeof goldPlan>;

/** Response of `POST /v1/<split>/<db>/sql`. */
export const planAnswer = z.object({
  columns: z.array(z.string()),
  data: z.array(z.record(z.string(), cell)),
  row_count: z.number().int(),
  truncated: z.boolean(),
  executor: z.enum(EXECUTORS),
  /** Absent for `functions`, which makes no requests. */
  class: planClass.optional(),
  /** Tables read through APIs. */
  hidden: z.array(z.string()),
  /** In execution order; empty for `functions`. */
  plan: z.array(planStep),
  calls: z.number().int(),
  rows_moved: z.number().int(),
});
export type PlanAnswer = z.infer<typeof planAnswer>;

/**
 * The capabilities of a table API. `paper`: equality, all rows at once. `plain`: equality and pages. `rich`:
 * also comparisons, columns, order, aggregates and groups.
 */
export const TABLE_API_STYLES = ['paper', 'plain', 'rich'] as const;
export type TableApiStyle = (typeof TABLE_API_STYLES)[number];

export const DEFAULT_TABLE_API_STYLE: TableApiStyle = 'rich';

/** Comparison suffixes of a rich API: `<column>__ge=5`. A plain column name means equality. */
export const TABLE_OPERATORS = ['gt', 'ge', 'lt', 'le', 'ne', 'like', 'in', 'is_null'] as const;
export type TableOperator = (typeof TABLE_OPERATORS)[number];

export const TABLE_AGGREGATES = ['count', 'sum', 'avg', 'min', 'max'] as const;
export type TableAggregate = (typeof TABLE_AGGREGATES)[number];

export const PAGE_ROWS = { default: 100, most: 1000 } as const;

/** Parameter names reserved by the APIs; a column with such a name gets a number. */
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

export const tableAnswer = z.object({
  data: z.array(z.record(z.string(), cell)),
  row_count: z.number().int(),
  /** Rows on all pages. */
  total: z.number().int(),
  /** Offset of the next page; null on the last one. */
  next_offset: z.number().int().nullable(),
  /** Whether rows are missing from this answer: they are on other pages, or exceed the size limit. */
  truncated: z.boolean(),
});
export type TableAnswer = z.infer<typeof tableAnswer>;

const count = z.number().int().nonnegative();

/** API use of an attempt at a `hybrid` task, as the runner observed it. */
export const apiUse = z.strictObject({
  /** Requests to hidden tables and scalar APIs, including those made by `run_sql`. */
  calls: count,
  pages: count,
  rows: count,
  /** Argument values that occur neither in the question nor in an earlier answer. */
  invented: count,
  /** Calls that looked in the wrong place: SQL on a hidden table, or the API of a visible one. */
  misrouted: count,
  /** Statements that use an API without binding its inputs. */
  unbound: count,
});
export type ApiUse = z.infer<typeof apiUse>;
