import { samplePath } from '../../../contracts/sample-path.ts';
import type { ServedTask } from '../../../contracts/served-task.ts';
import type { Task } from '../../../contracts/task.ts';
import type { ExamAliases } from '../exam-names/exam-names.ts';

export interface TaskDescription {
  /** Whether it has the question's evidence. */
  readonly evidence: boolean;
  /** The aliases by which the agent of an exam knows the task; null for its own ids. */
  readonly names?: ExamAliases | null;
}

/** A task as it is served below `base`: nothing of its gold, and its evidence only when asked for. */
export function describeTask(
  task: Task,
  base: string,
  { evidence, names = null }: TaskDescription,
): ServedTask {
  const { formulation, question, share } = task;
  const { sample_id, split, db, question_id, difficulty } = names ? aliasesOf(task, names) : task;
  return {
    sample_id,
    split,
    db,
    question_id,
    formulation,
    question,
    ...(evidence ? { evidence: task.evidence } : {}),
    difficulty,
    start_tables: task.start_tables,
    ...(share ? { share } : {}),
    toolset_size: task.toolset.size,
    links: taskLinks(base, names ? sample_id : samplePath(sample_id)),
  };
}

/** The task of a run, for the harness: its own ids, and the addresses that the agent has. */
export function describeForHarness(task: Task, base: string, description: TaskDescription): ServedTask {
  const { names } = description;
  const own = describeTask(task, base, { ...description, names: null });
  return names ? { ...own, links: taskLinks(base, names.sample(task.sample_id)) } : own;
}

/** The difficulty is the benchmark's own word for a question. */
function aliasesOf(task: Task, names: ExamAliases) {
  return {
    sample_id: names.sample(task.sample_id),
    split: names.split(task.split),
    db: names.domain(task),
    question_id: names.question(task),
    difficulty: null,
  };
}

function taskLinks(base: string, path: string): ServedTask['links'] {
  return {
    self: `${base}/tasks/${path}`,
    tools: `${base}/tasks/${path}/tools`,
    mcp: `${base}/mcp/tasks/${path}`,
  };
}
