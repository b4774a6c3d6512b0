import { type Formulation, formulation } from '../../../../contracts/sample.ts';
import type { TaskHead } from '../../../../contracts/task-index.ts';
import type { TaskHalf } from '../../../../contracts/task-selection.ts';
import { HttpProblem } from '../../../base/http/problem.ts';
import type { Episodes } from '../episodes.ts';

/** The splits of each environment, by the half of the questions that they have. */
const SPLITS: Readonly<Record<string, TaskHalf>> = { train: 'train', test: 'held_back' };
export const SPLIT_NAMES = ['train', 'test'] as const;

/** The environment of a name: a formulation. Throws UNKNOWN_ROUTE. */
export function environmentOf(name: string): Formulation {
  const found = formulation.safeParse(name.toLowerCase());
  if (found.success) return found.data;
  throw new HttpProblem('UNKNOWN_ROUTE', `There is no environment ${name.slice(0, 80)}; ${ENVIRONMENTS}`);
}

const ENVIRONMENTS = `there are ${formulation.options.join(', ')}`;

/** The tasks of a split, in the farm's order. Throws INVALID_PARAMETERS. */
export function splitTasks(
  episodes: Episodes,
  environment: Formulation,
  split: string,
): Promise<readonly TaskHead[]> {
  const half = SPLITS[split];
  if (half === undefined) throw invalid('split', `Invalid split: there are ${SPLIT_NAMES.join(' and ')}`);
  return episodes.tasks({ formulation: environment, half });
}

/** Throws INVALID_PARAMETERS. */
export function taskAt(tasks: readonly TaskHead[], index: number): TaskHead {
  const task = tasks.at(index);
  if (task) return task;
  throw invalid('index', `Invalid index: the split has ${tasks.length} tasks`);
}

/** What the standard calls a task: enough to begin it anywhere. */
export function specOf(episodes: Episodes, { sample_id, difficulty }: TaskHead) {
  return { sample_id, question: episodes.task(sample_id).question, difficulty, canary: episodes.canary };
}

export function invalid(field: string, message: string): HttpProblem {
  return new HttpProblem('INVALID_PARAMETERS', message, { errors: [{ field, code: 'not_one_of', message }] });
}
