import { z } from 'zod';
import { cell } from './catalog.ts';

/**
 * One `[left, right, type]` of the paper's `condition_sequence`, e.g. `["T1.id", "T2.hero_id", "INNER"]`:
 * `left` is of an alias that is already joined, `right` of the one being joined (or of any joined one: then
 * it is one more condition of that join). Types: INNER, LEFT, RIGHT, FULL.
 */
export const joinCondition = z
  .tuple([z.string(), z.string(), z.enum(['INNER', 'LEFT', 'RIGHT', 'FULL'])])
  .meta({ description: '[left `alias.column`, right `alias.column`, INNER or LEFT or RIGHT or FULL]' });
export type JoinCondition = z.infer<typeof joinCondition>;

/**
 * What a start table is made of. The aliases of `alias_to_table_dict` are in join order; one that no condition names is
 * joined with every row (a cross join). `modified_table_name` is unique and prefixes the table's columns.
 */
export const startTableDefinition = z.object({
  condition_sequence: z.array(joinCondition).meta({ description: 'how the tables are joined, in order' }),
  alias_to_table_dict: z
    .record(z.string(), z.object({ original_table_name: z.string(), modified_table_name: z.string() }))
    .meta({ description: 'the tables by alias; a modified name is what their columns begin with' }),
});
export type StartTableDefinition = z.infer<typeof startTableDefinition>;

/** The joined table that a SLOT or SEL task starts from. */
export const startTable = startTableDefinition.extend({
  /** Short, readable, derived from the content; a `data_source` for calls. */
  handle: z.string(),
});
export type StartTable = z.infer<typeof startTable>;

/**
 * Arguments of a sample's `initialization_step`: the start table its label names and, when the task needs
 * more than one, the others, each with its own label.
 */
export const initializationArguments = startTableDefinition.extend({
  additional_tables: z.array(startTableDefinition.extend({ label: z.string() })).optional(),
});
export type InitializationArguments = z.infer<typeof initializationArguments>;

/** The column of a handle, where a tool takes either a value or a column. */
export const columnReference = z.strictObject({ key_name: z.string() });

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
