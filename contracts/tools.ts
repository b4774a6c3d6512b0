import { z } from 'zod';
import { cell } from './catalog.ts';

/**
 * One `[left, right, type]` of the paper's `condition_sequence`, e.g. `["T1.id", "T2.hero_id", "INNER"]`:
 * `left` belongs to an alias that is already joined, `right` to the one being joined (or to any joined one,
 * as an additional condition of that join). Types: INNER, LEFT, RIGHT, FULL.
 */
export const joinCondition = z
  .tuple([z.string(), z.string(), z.enum(['INNER', 'LEFT', 'RIGHT', 'FULL'])])
  .meta({ description: '[left `alias.column`, right `alias.column`, INNER, LEFT, RIGHT or FULL]' });
export type JoinCondition = z.infer<typeof joinCondition>;

/**
 * The definition of a start table. The aliases of `alias_to_table_dict` are in join order; one without a
 * condition is cross joined. `modified_table_name` is unique and prefixes the table's columns.
 */
export const startTableDefinition = z.object({
  condition_sequence: z.array(joinCondition).meta({ description: 'the joins, in order' }),
  alias_to_table_dict: z
    .record(z.string(), z.object({ original_table_name: z.string(), modified_table_name: z.string() }))
    .meta({
      description: 'the tables to join, by alias; the names of their columns begin with the modified name',
    }),
});
export type StartTableDefinition = z.infer<typeof startTableDefinition>;

/** The joined table that a SLOT or SEL task starts from. */
export const startTable = startTableDefinition.extend({
  /** Short, readable, derived from the content; a `data_source` in calls. */
  handle: z.string(),
});
export type StartTable = z.infer<typeof startTable>;

/**
 * Arguments of a sample's `initialization_step`: the start table that its label names and, if the task needs
 * more than one, the others, each with its own label.
 */
export const initializationArguments = startTableDefinition.extend({
  additional_tables: z.array(startTableDefinition.extend({ label: z.string() })).optional(),
});
export type InitializationArguments = z.infer<typeof initializationArguments>;

/** A column of a handle, where a tool takes either a value or a column. */
export const columnReference = z.strictObject({ key_name: z.string() });

/** A single value: a literal, `$handle$` (for a column, its first value), or a column of the data source. */
export const operand = z.union([z.string(), z.number(), z.bigint(), z.boolean(), z.null(), columnReference]);
export type OperandArgument = z.infer<typeof operand>;

/** A table made by a tool, with a preview of its rows. */
export const tableAnswer = z.object({
  kind: z.literal('table'),
  handle: z.string(),
  columns: z.array(z.string()),
  /** null if no preview was requested, or if counting the rows took too long. */
  row_count: z.number().int().nullable(),
  /** The first rows; for grouped data, the group columns and aggregates of each group. */
  preview: z.array(z.record(z.string(), cell)),
});
export type TableAnswer = z.infer<typeof tableAnswer>;

/** The values of one column, in row order. */
export const columnAnswer = z.object({
  kind: z.literal('column'),
  handle: z.string(),
  column: z.string(),
  values: z.array(cell),
  /** Total number of values, including those not shown; null if counting them took too long. */
  row_count: z.number().int().nullable(),
  /** True if there are more values than shown; continue at `?offset=<next_offset>`. */
  truncated: z.boolean(),
  next_offset: z.number().int().nullable(),
  /** Only if truncated: how an agent requests the next values. */
  more: z.string().optional(),
});
export type ColumnAnswer = z.infer<typeof columnAnswer>;

export const valueAnswer = z.object({ kind: z.literal('value'), handle: z.string(), value: cell });
export type ValueAnswer = z.infer<typeof valueAnswer>;

export const toolAnswer = z.discriminatedUnion('kind', [tableAnswer, columnAnswer, valueAnswer]);
export type ToolAnswer = z.infer<typeof toolAnswer>;

/** The longest name of a tool that every provider takes. */
export const LONGEST_NAME = 64;

/** A tool's name in a list that has tools of several domains: a number follows one that an earlier domain has. */
export function freeToolName(name: string, taken: { has(name: string): boolean }): string {
  let free = name;
  for (let n = 2; taken.has(free); n++) free = `${name.slice(0, LONGEST_NAME - 1 - String(n).length)}_${n}`;
  return free;
}
