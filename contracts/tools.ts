import { z } from 'zod';
import { cell } from './value.ts';

/** The column of a handle, where a tool takes either a value or a column. */
export const columnReference = z.strictObject({ key_name: z.string() });
export type ColumnReference = z.infer<typeof columnReference>;

/**
 * What an argument may hold where a single value is expected: a literal, `$handle$` (an earlier result; a column means
 * its first value), or a column of the data source.
 */
export const operand = z.union([z.string(), z.number(), z.bigint(), z.boolean(), z.null(), columnReference]);
export type OperandArgument = z.infer<typeof operand>;

/** A table that a tool has made, with a preview of its rows. */
export const tableAnswer = z.object({
  kind: z.literal('table'),
  /** Names this table in later calls. */
  handle: z.string(),
  columns: z.array(z.string()),
  /** null when no preview was requested, or when counting the rows took too long. */
  row_count: z.number().int().nullable(),
  /** The first rows; of grouped data the group columns and what has been computed for each group. */
  preview: z.array(z.record(z.string(), cell)),
});
export type TableAnswer = z.infer<typeof tableAnswer>;

/** The values of one column, in row order. */
export const columnAnswer = z.object({
  kind: z.literal('column'),
  handle: z.string(),
  column: z.string(),
  values: z.array(cell),
  /** All values of the result, shown here or not; null when counting them took too long. */
  row_count: z.number().int().nullable(),
  /** True when there are more values than are shown; continue at `?offset=<next_offset>`. */
  truncated: z.boolean(),
  next_offset: z.number().int().nullable(),
  /** Only where there are more: how to ask for the next values, for agents. */
  more: z.string().optional(),
});
export type ColumnAnswer = z.infer<typeof columnAnswer>;

/** A single value. */
export const valueAnswer = z.object({ kind: z.literal('value'), handle: z.string(), value: cell });
export type ValueAnswer = z.infer<typeof valueAnswer>;

/** The answer of a SLOT or SEL tool, by the kind of result. */
export const toolAnswer = z.discriminatedUnion('kind', [tableAnswer, columnAnswer, valueAnswer]);
export type ToolAnswer = z.infer<typeof toolAnswer>;
