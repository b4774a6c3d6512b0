import { z } from 'zod';
import { flag, formulation } from './sample.ts';
import { hiddenShare } from './share.ts';
import { provenFaults } from './silent-fault.ts';
import { startTable } from './start-table.ts';

/** A start table of a task, and the label by which the gold calls refer to it. */
export const taskStartTable = startTable.extend({ label: z.string() });
export type TaskStartTable = z.infer<typeof taskStartTable>;

/**
 * One line of `tasks/<db>.jsonl`: a sample without its gold. It only keeps the names of the gold tools, which tool
 * lists need and which are never served.
 */
export const task = z.object({
  /** `<split>/<db>/<question_id>/<formulation>`; of `hybrid`, `@` and the share follow. */
  sample_id: z.string(),
  split: z.string(),
  db: z.string(),
  question_id: z.union([z.number().int(), z.string()]),
  formulation,
  question: z.string(),
  evidence: z.string(),
  difficulty: z.string().nullable(),
  flags: z.array(flag),
  /** The start tables of a SLOT or SEL task: the main one first, then any others that it needs. REST: none. */
  start_tables: z.array(taskStartTable),
  toolset: z.object({ path: z.string(), size: z.number().int() }),
  /** Names of the tools that the gold calls, each once and sorted: which comes first is not told. Never served. */
  gold_tools: z.array(z.string()),
  /** `hybrid` only: the share of the tables that is behind APIs. */
  share: hiddenShare.optional(),
  /** Faults that an answer on the way can have without telling; never served. Left out where none can be told. */
  silent_faults: provenFaults.optional(),
});
export type Task = z.infer<typeof task>;
