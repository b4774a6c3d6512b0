import { printShare } from '../../../contracts/share.ts';
import type { Task } from '../../../contracts/task.ts';
import {
  type FlagTest,
  isInDefaultSelection,
  type TaskBand,
  type TaskSelection,
} from '../../../contracts/task-selection.ts';
import { didYouMean, nearestNames } from '../../../contracts/wording.ts';
import { HttpProblem } from '../../base/http/problem.ts';
import { mapInPieces } from '../../base/map-in-pieces.ts';
import { seededOrder } from '../../base/seeded-order.ts';
import { halfOf } from './half-of.ts';
import { TaskBands } from './task-bands.ts';
import type { TaskSource } from './task-source.ts';

interface DomainTasks {
  readonly tasks: readonly Task[];
  readonly byId: ReadonlyMap<string, Task>;
  /** By sample id; made when first asked for. */
  bands?: ReadonlyMap<string, TaskBand>;
}

/**
 * The tasks of a farm, in its order: by domain, then by question, then by formulation. Those of a domain are read when
 * something of it is first asked for.
 */
export class TaskBook {
  readonly #source: TaskSource;
  readonly #bands: TaskBands;
  readonly #read = new Map<string, DomainTasks>();

  constructor(source: TaskSource, bands = new TaskBands(new Map())) {
    this.#source = source;
    this.#bands = bands;
  }

  /** How many there are. */
  get count(): number {
    return this.#source.count;
  }

  /** Throws UNKNOWN_TASK with the nearest ids. */
  get(sampleId: string): Task {
    // Comparing an id with those of all domains would take long.
    const domain = this.#domainOf(sampleId);
    const task = domain?.byId.get(sampleId);
    if (task) return task;
    const shown = sampleId.slice(0, 120);
    const suggestions = nearestNames(sampleId, domain?.byId.keys() ?? []);
    throw new HttpProblem('UNKNOWN_TASK', `There is no task ${shown}${didYouMean(suggestions)}`, {
      errors: [{ field: 'sample_id', code: 'unknown_task', message: `unknown: ${shown}`, suggestions }],
    });
  }

  /** Reads the tasks that a selection is made from, a domain at a time: in between others are served. */
  async read({ db }: Pick<TaskSelection, 'db'>): Promise<void> {
    const dbs = this.#source.dbs.filter((each) => db?.includes(each) ?? true);
    await mapInPieces(dbs, (each) => void this.#tasksOf(each));
  }

  /**
   * In the farm's order. A sample is drawn from what the other filters leave, a smaller one out of a larger one; `from`
   * leaves out those that were drawn before. Throws INVALID_PARAMETERS for a difficulty that no task of the domains has,
   * with those that there are, and for halves drawn by a world where none is served.
   */
  select(filter: TaskSelection): readonly Task[] {
    const dbs = this.#source.dbs.filter((db) => filter.db?.includes(db) ?? true);
    const all = dbs.flatMap((db) => this.#tasksOf(db).tasks);
    requireKnown(filter.difficulty ?? [], all);
    const { band, half } = filter;
    const halfSeed = half && this.#halfSeed(filter);
    const matching = all.filter(
      (task) =>
        matches(task, filter) &&
        (halfSeed === undefined || half === halfOf(task, halfSeed)) &&
        (band?.includes(this.#bandOf(task)) ?? true),
    );
    const { sample = matching.length, seed, from } = filter;
    if (from === 0 && sample >= matching.length) return matching;
    const stream = seededOrder(matching, seed, 'tasks', drawnBy);
    const drawn = new Set(stream.slice(from, from + sample));
    return matching.filter((task) => drawn.has(task));
  }

  #halfSeed({ half_seed }: TaskSelection): number | string {
    if (half_seed !== 'world') return half_seed;
    const { world } = this.#source;
    if (world !== undefined) return world;
    const message = 'this farm is no world, so none draws its halves: give a number';
    throw new HttpProblem('INVALID_PARAMETERS', message, {
      errors: [{ field: 'half_seed', code: 'not_one_of', message }],
    });
  }

  #bandOf({ db, sample_id }: Task): TaskBand {
    const domain = this.#tasksOf(db);
    domain.bands ??= this.#bands.ofDomain(domain.tasks);
    return domain.bands.get(sample_id) ?? 'hard';
  }

  /** The tasks of the domain that an id names. */
  #domainOf(sampleId: string): DomainTasks | undefined {
    const [, db = ''] = sampleId.split('/');
    return this.#source.dbs.includes(db) ? this.#tasksOf(db) : undefined;
  }

  #tasksOf(db: string): DomainTasks {
    const known = this.#read.get(db);
    if (known) return known;
    const tasks = this.#source.read(db);
    const byId = new Map(tasks.map((task) => [task.sample_id, task]));
    if (byId.size !== tasks.length) throw new Error(`two tasks of ${db} have the same sample id`);
    const domain: DomainTasks = { tasks, byId };
    this.#read.set(db, domain);
    return domain;
  }
}

/** Samples of a question at several shares are drawn together, and the same questions from tasks of any share. */
function drawnBy({ sample_id, share }: Task): string {
  return share ? sample_id.slice(0, -`@${printShare(share)}`.length) : sample_id;
}

/** Each split names difficulties as it likes, so nobody can know the words. */
function requireKnown(wanted: readonly string[], tasks: readonly Task[]): void {
  const known = new Set(tasks.flatMap(({ difficulty }) => difficulty ?? []));
  const unknown = wanted.find((each) => !known.has(each));
  if (unknown === undefined) return;
  const suggestions = [...known].sort();
  const there = suggestions.length > 0 ? `there are ${suggestions.join(', ')}` : 'no task here has any';
  const message = `there is no difficulty ${unknown.slice(0, 64)}: ${there}`;
  throw new HttpProblem('INVALID_PARAMETERS', message, {
    errors: [{ field: 'difficulty', code: 'not_one_of', message, suggestions }],
  });
}

function matches(
  task: Task,
  { split, db, formulation, difficulty, share, flags = [], all }: TaskSelection,
): boolean {
  return (
    (all || flags.includes('guessable') || isInDefaultSelection(task)) &&
    (split?.includes(task.split) ?? true) &&
    (db?.includes(task.db) ?? true) &&
    (formulation?.includes(task.formulation) ?? true) &&
    (difficulty?.includes(task.difficulty ?? '') ?? true) &&
    (share?.includes(task.share ? printShare(task.share) : '') ?? true) &&
    flags.every((test) => holds(test, task.flags))
  );
}

function holds(test: FlagTest, flags: readonly string[]): boolean {
  if (test === 'none') return flags.length === 0;
  return test.startsWith('-') ? !flags.includes(test.slice(1)) : flags.includes(test);
}
