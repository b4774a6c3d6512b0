import { z } from 'zod';
import { task } from './task.ts';

/** A task as a farm serves it, without its gold. */
export const servedTask = task
  .pick({
    sample_id: true,
    split: true,
    db: true,
    question_id: true,
    formulation: true,
    question: true,
    difficulty: true,
    start_tables: true,
    share: true,
  })
  .extend({
    /** Only when requested. */
    evidence: z.string().optional(),
    /** Not in a run. */
    toolset_size: z.number().int().optional(),
    links: z.object({ self: z.string(), tools: z.string(), mcp: z.string() }),
  });
export type ServedTask = z.infer<typeof servedTask>;

/** `GET /tasks` */
export const taskPage = z.object({
  tasks: z.array(servedTask),
  /** The number of tasks in the selection, over all pages. */
  total: z.number().int(),
  offset: z.number().int(),
  /** The path of the next page, or null. */
  next: z.string().nullable(),
});
export type TaskPage = z.infer<typeof taskPage>;
