import { samplePath } from '../../../contracts/sample-path.ts';
import type { ServedTask } from '../../../contracts/served-task.ts';
import type { Task } from '../../../contracts/task.ts';

/** A task as it is served below `base`: nothing of its gold, and its evidence only when asked for. */
export function describeTask(task: Task, base: string, options: { readonly evidence: boolean }): ServedTask {
  const { sample_id, split, db, question_id, formulation, question, difficulty } = task;
  const path = samplePath(sample_id);
  return {
    sample_id,
    split,
    db,
    question_id,
    formulation,
    question,
    ...(options.evidence ? { evidence: task.evidence } : {}),
    difficulty,
    start_tables: task.start_tables,
    toolset_size: task.toolset.size,
    links: {
      self: `${base}/tasks/${path}`,
      tools: `${base}/tasks/${path}/tools`,
      mcp: `${base}/mcp/tasks/${path}`,
    },
  };
}
