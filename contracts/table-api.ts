import { z } from 'zod';
import { cell } from './value.ts';

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
