import { z } from 'zod';
import { flag, formulation } from './sample.ts';
import { provenFaults } from './silent-fault.ts';
import { startTable } from './start-table.ts';

/** A start table of a task, and the label by which the gold calls refer to it. */
export const taskStartTable = startTable.extend({ label: z.string() });
export type TaskStartTable = z.infer<typeof taskStartTable>;

/**
 * One line of `tasks/<db>.jsonl`: a sample without its gold, for whoever gives tasks to agents. Of the gold it
 * holds the names of the tools only, which tool lists need and which are never served.
 */
export const task = z.object({
  /** `<split>/<db>/<question_id>/<formulation>` */
  sample_id: z.string(),
  split: z.string(),
  db: z.string(),
  question_id: z.union([z.number().int(), z.string()]),
  formulation,
  question: z.string(),
  evidence: z.string(),
  difficulty: z.string().nullable(),
  flags: z.array(flag),
  /** Where a SLOT or SEL task begins: the first is the start table, further ones are needed beside it. REST: none. */
  start_tables: z.array(taskStartTable),
  toolset: z.object({ path: z.string(), size: z.number().int() }),
  /** Names of the tools that the gold calls, each once. Never served. */
  gold_tools: z.array(z.string()),
  /** Faults that an answer on the way can have without telling; never served. Left out where none can be told. */
  silent_faults: provenFaults.optional(),
});
export type Task = z.infer<typeof task>;
