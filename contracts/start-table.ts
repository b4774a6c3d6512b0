import { z } from 'zod';

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
