import type { Task } from '../../../contracts/task.ts';
import type { FlagTest, TaskSelection } from '../../../contracts/task-selection.ts';
import { HttpProblem } from '../../base/http/problem.ts';
import { didYouMean, nearestNames } from '../../base/nearest.ts';
import { seededOrder } from '../../base/seeded-order.ts';

/** The tasks of a farm, in its order: by domain, then by question, then by formulation. */
export class TaskBook implements Iterable<Task> {
  readonly #tasks: readonly Task[];
  readonly #byId: ReadonlyMap<string, Task>;

  constructor(tasks: Iterable<Task>) {
    this.#tasks = [...tasks];
    this.#byId = new Map(this.#tasks.map((task) => [task.sample_id, task]));
    if (this.#byId.size !== this.#tasks.length) throw new Error('two tasks have the same sample id');
  }

  /** Throws UNKNOWN_TASK with the nearest ids. */
  get(sampleId: string): Task {
    const task = this.#byId.get(sampleId);
    if (task) return task;
    const shown = sampleId.slice(0, 120);
    const suggestions = nearestNames(sampleId, this.#sameDomain(sampleId));
    throw new HttpProblem('UNKNOWN_TASK', `There is no task ${shown}${didYouMean(suggestions)}`, {
      errors: [{ field: 'sample_id', code: 'unknown_task', message: `unknown: ${shown}`, suggestions }],
    });
  }

  find(sampleId: string): Task | undefined {
    return this.#byId.get(sampleId);
  }

  /** In the farm's order. A sample is drawn from what the other filters leave, a smaller one out of a larger one. */
  select(filter: TaskSelection): readonly Task[] {
    const matching = this.#tasks.filter((task) => matches(task, filter));
    if (filter.sample === undefined || filter.sample >= matching.length) return matching;
    const drawn = new Set(
      seededOrder(matching, filter.seed, 'tasks', (task) => task.sample_id).slice(0, filter.sample),
    );
    return matching.filter((task) => drawn.has(task));
  }

  [Symbol.iterator](): Iterator<Task> {
    return this.#tasks[Symbol.iterator]();
  }

  /** Ids of the domain that an id names: comparing it with thousands would take long. */
  *#sameDomain(sampleId: string): Iterable<string> {
    const domain = sampleId.split('/').slice(0, 2).join('/');
    for (const { split, db, sample_id } of this.#tasks) if (`${split}/${db}` === domain) yield sample_id;
  }
}

function matches(task: Task, { split, db, formulation, difficulty, flags = [] }: TaskSelection): boolean {
  return (
    (split?.includes(task.split) ?? true) &&
    (db?.includes(task.db) ?? true) &&
    (formulation?.includes(task.formulation) ?? true) &&
    (difficulty?.includes(task.difficulty ?? '') ?? true) &&
    flags.every((test) => holds(test, task.flags))
  );
}

function holds(test: FlagTest, flags: readonly string[]): boolean {
  if (test === 'none') return flags.length === 0;
  return test.startsWith('-') ? !flags.includes(test.slice(1)) : flags.includes(test);
}
