import { LRUCache } from 'lru-cache';
import { printShare } from '../../../contracts/share.ts';
import type { Task } from '../../../contracts/task.ts';
import type { TaskHead } from '../../../contracts/task-index.ts';
import {
  type FlagTest,
  isInDefaultSelection,
  type TaskBand,
  type TaskSelection,
} from '../../../contracts/task-selection.ts';
import { didYouMean, nearestNames } from '../../../contracts/wording.ts';
import { HttpProblem } from '../../base/http/problem.ts';
import { chunkedMap } from '../../base/map-in-pieces.ts';
import { seededOrder } from '../../base/seeded-order.ts';
import { halfOf } from './half-of.ts';
import { TaskBands } from './task-bands.ts';
import type { DomainTasks, TaskSource } from './task-source.ts';

interface KnownDomain extends DomainTasks {
  /** The place of each task by its sample id; made when first asked for. */
  places?: ReadonlyMap<string, number>;
  /** By sample id; made when first asked for. */
  bands?: ReadonlyMap<string, TaskBand>;
}

/** Whole tasks that are kept: those of the runs under way, for the most part. */
const KEPT = 2000;

/**
 * The tasks of a farm, in its order: by domain, then by question, then by formulation. What those of a domain are chosen by
 * is read when something of it is first asked for, a whole task when it is.
 */
export class TaskBook {
  readonly #source: TaskSource;
  readonly #bands: TaskBands;
  readonly #known = new Map<string, KnownDomain>();
  readonly #tasks = new LRUCache<string, Task>({ max: KEPT });

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
    const kept = this.#tasks.get(sampleId);
    if (kept) return kept;
    // Comparing an id with those of all domains would take long.
    const [, db = ''] = sampleId.split('/');
    const domain = this.#source.dbs.includes(db) ? this.#domain(db) : undefined;
    const places = domain && placesOf(domain, db);
    const at = places?.get(sampleId);
    if (domain === undefined || at === undefined) throw unknownTask(sampleId, places?.keys() ?? []);
    const task = domain.read(at);
    this.#tasks.set(sampleId, task);
    return task;
  }

  /** Reads all indexes, a domain at a time: in between others are served. */
  async open(): Promise<void> {
    const dbs = this.#source.dbs.filter((db) => !this.#known.has(db));
    await chunkedMap(dbs, (db) => void this.#domain(db));
  }

  /** Reads what a selection is made from, likewise. */
  async read({ db }: Pick<TaskSelection, 'db'>): Promise<void> {
    const dbs = this.#source.dbs.filter((each) => db?.includes(each) ?? true);
    await chunkedMap(dbs, (each) => void this.#domain(each).heads);
  }

  /**
   * In the farm's order. A sample is drawn from what the other filters leave, a smaller one out of a larger one, and of each
   * formulation by itself the same questions as far as they have it; `from` leaves out those that were drawn before. Throws INVALID_PARAMETERS for a difficulty that no task of the domains has,
   * with those that there are, and for halves drawn by a world where none is served.
   */
  select(filter: TaskSelection): readonly TaskHead[] {
    const dbs = this.#source.dbs.filter((db) => filter.db?.includes(db) ?? true);
    const all = dbs.flatMap((db) => this.#domain(db).heads);
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
    const stream = seededOrder(
      matching,
      seed,
      'tasks',
      filter.formulation?.length === 1 ? questionOf : drawnBy,
    );
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

  #bandOf({ db, sample_id }: TaskHead): TaskBand {
    const domain = this.#domain(db);
    domain.bands ??= this.#bands.ofDomain(domain.readAll());
    return domain.bands.get(sample_id) ?? 'hard';
  }

  #domain(db: string): KnownDomain {
    const known = this.#known.get(db);
    if (known) return known;
    // Not a copy: what is had all at once is read when it is first looked at.
    const domain: KnownDomain = this.#source.open(db);
    this.#known.set(db, domain);
    return domain;
  }
}

function placesOf(domain: KnownDomain, db: string): ReadonlyMap<string, number> {
  domain.places ??= new Map(domain.heads.map(({ sample_id }, at) => [sample_id, at]));
  if (domain.places.size !== domain.heads.length)
    throw new Error(`two tasks of ${db} have the same sample id`);
  return domain.places;
}

function unknownTask(sampleId: string, known: Iterable<string>): HttpProblem {
  const shown = sampleId.slice(0, 120);
  const suggestions = nearestNames(sampleId, known);
  return new HttpProblem('UNKNOWN_TASK', `There is no task ${shown}${didYouMean(suggestions)}`, {
    errors: [{ field: 'sample_id', code: 'unknown_task', message: `unknown: ${shown}`, suggestions }],
  });
}

/** Samples of a question at several shares are drawn together, and the same questions from tasks of any share. */
function drawnBy({ sample_id, share }: TaskHead): string {
  return share ? sample_id.slice(0, -`@${printShare(share)}`.length) : sample_id;
}

/**
 * Of one formulation, questions are drawn: the same order in each, so that runs of several formulations pair. It is that of
 * the ids of REST tasks, by which these have always been drawn.
 */
function questionOf({ split, db, question_id }: TaskHead): string {
  return `${split}/${db}/${question_id}/rest`;
}

/** Each split names difficulties as it likes, so nobody can know the words. */
function requireKnown(wanted: readonly string[], tasks: readonly TaskHead[]): void {
  if (wanted.length === 0) return;
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
  task: TaskHead,
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
