import { z } from 'zod';

/** One `[left, right, type]` of the paper's `condition_sequence`, e.g. `["T1.id", "T2.hero_id", "INNER"]`. */
export const joinCondition = z.tuple([z.string(), z.string(), z.string()]);

/** The joined table that a SLOT or SEL task begins from. */
export const startTable = z.object({
  /** Short, readable, derived from the content; a `data_source` for calls. */
  handle: z.string(),
  condition_sequence: z.array(joinCondition),
  alias_to_table_dict: z.record(
    z.string(),
    z.object({ original_table_name: z.string(), modified_table_name: z.string() }),
  ),
});
export type StartTable = z.infer<typeof startTable>;
