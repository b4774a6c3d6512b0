import { closeSync, existsSync, openSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { queryNeeds } from '../../contracts/difficulty.ts';
import type { Farm } from '../../contracts/farm.ts';
import { printShare } from '../../contracts/hybrid.ts';
import type { Service } from '../../contracts/service.ts';
import {
  type FlagTest,
  headOf,
  isInDefaultSelection,
  isOfDialogue,
  type Task,
  type TaskBand,
  type TaskHalf,
  type TaskHead,
  type TaskKind,
  type TaskSelection,
  taskIndex,
  task as taskSchema,
  taskSelection,
} from '../../contracts/task.ts';
import { wholeNumber, yesOrNo } from '../../contracts/toolset-options.ts';
import { isOfChanges } from '../../contracts/vocabulary.ts';
import { chunkedMap, getOrInsert } from '../base/concurrency.ts';
import { invalid, parseFarmFile, readFarmFile, taskFile, taskIndexFile } from '../base/farm.ts';
import { type HttpProblem, invalidField, unknownName } from '../base/http/problem.ts';
import { seededNumber, seededOrder } from '../base/seeded-order.ts';

export interface DomainTasks {
  readonly length: number;
  head(at: number): TaskHead;
  /** Distinct kinds of tasks: the fields that several share. */
  readonly kinds: readonly TaskKind[];
  /** The index into `kinds` of the task at a position. */
  kindOf(at: number): number;
  read(at: number): Task;
  readAll(): readonly Task[];
}

export interface TaskSource {
  readonly dbs: readonly string[];
  readonly count: number;
  /** The commitment to the world's seed, if the tasks are a world's. */
  readonly world?: string;
  open(db: string): DomainTasks;
}

export function givenTasks(tasks: Iterable<Task>): TaskSource {
  const all = [...tasks];
  const dbs = [...new Set(all.map(({ db }) => db))];
  return { dbs, count: all.length, open: (db) => wholeTasks(() => all.filter((task) => task.db === db)) };
}

/**
 * The tasks of some domains in a farm folder, in `tasks/<db>.jsonl`; single lines are read on use, since a large farm
 * has tens of thousands. Selections use an index file next to them; farms of older versions lack it, so there the
 * tasks of a domain are all read on first use. A domain without the file has no tasks.
 */
export function farmTasks(folder: string, farm: Farm, dbs: readonly string[]): TaskSource {
  const withTasks = dbs.filter((db) => taskFile(db) in farm.files);
  const counts = farm.domains.map(({ db, samples }) =>
    withTasks.includes(db) ? Object.values(samples).reduce((sum, each) => sum + each, 0) : 0,
  );
  return {
    dbs: withTasks,
    count: counts.reduce((sum, count) => sum + count, 0),
    ...(farm.world ? { world: farm.world.commitment } : {}),
    open: (db) =>
      taskIndexFile(db) in farm.files
        ? indexedTasks(join(folder, taskFile(db)), join(folder, taskIndexFile(db)), db)
        : wholeTasks(() => readTasks(join(folder, taskFile(db)), db)),
  };
}

/** Tasks that are read together, on first use. */
function wholeTasks(readAll: () => readonly Task[]): DomainTasks {
  let tasks: readonly Task[] | undefined;
  const all = () => {
    tasks ??= readAll();
    return tasks;
  };
  return {
    get length() {
      return all().length;
    },
    head: (at) => all()[at] as Task,
    get kinds() {
      return all();
    },
    kindOf: (at) => at,
    read: (at) => all()[at] as Task,
    readAll: all,
  };
}

function indexedTasks(file: string, indexFile: string, db: string): DomainTasks {
  const index = parseFarmFile(indexFile, readFarmFile(indexFile), taskIndex);
  const { length } = index.question_ids;
  if (index.kind.length !== length || index.bytes.length !== length) {
    throw invalid(indexFile, 'does not say as much of each task');
  }
  let end = 0;
  const ends = Float64Array.from(index.bytes, (bytes) => {
    end += bytes;
    return end;
  });
  const read = (at: number) => {
    const from = at === 0 ? 0 : (ends[at - 1] as number);
    const task = parseLine(`${file}:${at + 1}`, readPart(file, from, (ends[at] as number) - from), db);
    if (task.sample_id !== headOf(index, at).sample_id)
      throw invalid(file, 'is another file than its index is of');
    return task;
  };
  // The last task reads correctly only if every line is as long as the index says.
  if (length > 0) read(length - 1);
  return {
    length,
    head: (at) => headOf(index, at),
    kinds: index.kinds,
    kindOf: (at) => index.kind[at] as number,
    read,
    readAll: () => readTasks(file, db),
  };
}

function readPart(file: string, from: number, length: number): string {
  const bytes = Buffer.alloc(length);
  const descriptor = openSync(file, 'r');
  try {
    readSync(descriptor, bytes, 0, length, from);
  } finally {
    closeSync(descriptor);
  }
  return bytes.toString('utf8');
}

/** Reads the tasks in a file; none if it does not exist. Throws FARM_INVALID with the line. */
export function readTasks(file: string, db: string): Task[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line, at) => (line === '' ? [] : [parseLine(`${file}:${at + 1}`, line, db)]));
}

function parseLine(place: string, line: string, db: string): Task {
  const task = parseFarmFile(place, line, taskSchema);
  if (task.db !== db) throw invalid(place, `is a task of ${task.db}, not ${db}`);
  return task;
}

interface KnownDomain extends DomainTasks {
  /** The position of each task by sample id; built on first use. */
  places?: ReadonlyMap<string, number>;
  /** By sample id; built on first use. */
  bands?: ReadonlyMap<string, TaskBand>;
  goldTools?: ReadonlyMap<string, readonly string[]>;
}

interface ChosenTasks {
  readonly domain: KnownDomain;
  readonly places: readonly number[];
}

/** The number of whole tasks in the cache: mostly those of runs under way. */
const KEPT = 2000;

/**
 * The tasks of a farm, in its order: by domain, then by question, then by formulation. The index of a domain is read
 * on its first use, a whole task on its own.
 */
export class TaskBook {
  #source: TaskSource;
  readonly #bandsOf: (tasks: readonly Task[]) => ReadonlyMap<string, TaskBand>;
  readonly #known = new Map<string, KnownDomain>();
  readonly #tasks = new LRUCache<string, Task>({ max: KEPT });

  constructor(
    source: TaskSource,
    services: ReadonlyMap<string, Service> = new Map(),
    passRates?: ReadonlyMap<string, number>,
  ) {
    this.#source = source;
    this.#bandsOf = (tasks) => bandsOf(tasks, services, passRates);
  }

  /** Replaces the source, when the farm has grown. */
  take(source: TaskSource): void {
    this.#source = source;
    this.#known.clear();
    this.#tasks.clear();
  }

  get count(): number {
    return this.#source.count;
  }

  /** Throws UNKNOWN_TASK with the nearest ids. */
  get(sampleId: string): Task {
    const kept = this.#tasks.get(sampleId);
    if (kept) return kept;
    // Only the ids of its own domain are compared: comparing all would be slow.
    const [, db = ''] = sampleId.split('/');
    const domain = this.#source.dbs.includes(db) ? this.#domain(db) : undefined;
    const places = domain && placesOf(domain, db);
    const at = places?.get(sampleId);
    if (domain === undefined || at === undefined) throw unknownTask(sampleId, places?.keys() ?? []);
    return this.#read(domain, at);
  }

  #read(domain: DomainTasks, at: number): Task {
    const { sample_id } = domain.head(at);
    return getOrInsert(this.#tasks, sample_id, () => domain.read(at));
  }

  /** Reads all indexes, one domain at a time, so that other work can run in between. */
  async open(): Promise<void> {
    const dbs = this.#source.dbs.filter((db) => !this.#known.has(db));
    await chunkedMap(dbs, (db) => void this.#domain(db));
  }

  /** Reads the indexes that a selection needs, also one domain at a time. */
  async read({ db }: Pick<TaskSelection, 'db'>): Promise<void> {
    const dbs = this.#source.dbs.filter((each) => db?.includes(each) ?? true);
    await chunkedMap(dbs, (each) => void this.#domain(each).length);
  }

  /**
   * The selected tasks, in the farm's order. A sample is drawn from what the other filters leave; a larger sample
   * contains a smaller one, and every formulation gets the same questions as far as it has them. `from` skips tasks
   * that were drawn before. Throws INVALID_PARAMETERS for an unknown difficulty, listing the known ones, and for
   * halves by world where no world is served.
   */
  select(filter: TaskSelection): readonly TaskHead[] {
    return this.#choose(filter).flatMap(({ domain, places }) => places.map((at) => domain.head(at)));
  }

  /** Up to `limit` tasks of a selection, and the selection's size. Throws as `select`, and FARM_INVALID. */
  page(filter: TaskSelection, offset: number, limit: number): { tasks: Task[]; total: number } {
    const tasks: Task[] = [];
    let total = 0;
    for (const { domain, places } of this.#choose(filter)) {
      const from = Math.max(0, offset - total);
      for (const at of places.slice(from, from + limit - tasks.length)) tasks.push(this.#read(domain, at));
      total += places.length;
    }
    return { tasks, total };
  }

  #choose(filter: TaskSelection): readonly ChosenTasks[] {
    const domains = this.#source.dbs
      .filter((db) => filter.db?.includes(db) ?? true)
      .map((db) => this.#domain(db));
    requireKnown(filter.difficulty ?? [], domains);
    const { band, half, tool, also_in: also } = filter;
    const halfSeed = half && this.#halfSeed(filter);
    const matching = domains.map((domain): ChosenTasks => {
      const fits = domain.kinds.map((kind) => matches(kind, filter));
      const places: number[] = [];
      for (let at = 0; at < domain.length; at++) if (fits[domain.kindOf(at)]) places.push(at);
      if (!filter.split && halfSeed === undefined && !band && !tool && !also) return { domain, places };
      const shared = also && sharedQuestions(domain, filter);
      const fitsToo = (head: TaskHead) =>
        (filter.split?.includes(head.split) ?? true) &&
        (halfSeed === undefined || half === halfOf(head, halfSeed)) &&
        (shared?.has(head.question_id) ?? true) &&
        (band?.includes(this.#bandOf(head)) ?? true) &&
        (tool === undefined || this.#goldToolsOf(head).some((name) => tool.includes(name)));
      return { domain, places: places.filter((at) => fitsToo(domain.head(at))) };
    });
    return draw(filter.unanswerable === 'mixed' ? balance(matching, filter) : matching, filter);
  }

  #halfSeed({ half_seed }: TaskSelection): number | string {
    if (half_seed !== 'world') return half_seed;
    const { world } = this.#source;
    if (world !== undefined) return world;
    const message = 'this farm is no world, so none draws its halves: give a number';
    throw invalidField('half_seed', 'not_one_of', message);
  }

  #bandOf({ db, sample_id }: TaskHead): TaskBand {
    const domain = this.#domain(db);
    domain.bands ??= this.#bandsOf(domain.readAll());
    return domain.bands.get(sample_id) ?? 'hard';
  }

  #goldToolsOf({ db, sample_id }: TaskHead): readonly string[] {
    const domain = this.#domain(db);
    domain.goldTools ??= new Map(domain.readAll().map((task) => [task.sample_id, task.gold_tools]));
    return domain.goldTools.get(sample_id) ?? [];
  }

  #domain(db: string): KnownDomain {
    // Not a copy: tasks that are read together are read on the first access.
    return getOrInsert(this.#known, db, () => this.#source.open(db));
  }
}

function placesOf(domain: KnownDomain, db: string): ReadonlyMap<string, number> {
  domain.places ??= new Map(
    Array.from({ length: domain.length }, (_, at) => [domain.head(at).sample_id, at]),
  );
  if (domain.places.size !== domain.length) throw new Error(`two tasks of ${db} have the same sample id`);
  return domain.places;
}

/** The questions of a domain that a filter selects in each of its `also_in`. */
function sharedQuestions(domain: DomainTasks, filter: TaskSelection): ReadonlySet<TaskHead['question_id']> {
  const { also_in: wanted = [], formulation: _, ...others } = filter;
  const found = new Map<TaskHead['question_id'], Set<TaskHead['formulation']>>();
  const fits = domain.kinds.map((kind) => wanted.includes(kind.formulation) && matches(kind, others));
  for (let at = 0; at < domain.length; at++) {
    if (!fits[domain.kindOf(at)]) continue;
    const { question_id, formulation } = domain.head(at);
    found.set(question_id, (found.get(question_id) ?? new Set()).add(formulation));
  }
  const count = new Set(wanted).size;
  return new Set([...found].filter(([, kinds]) => kinds.size === count).map(([question]) => question));
}

/** Draws as many tasks with one answer as there are without, in each domain and formulation. */
function balance(chosen: readonly ChosenTasks[], { seed }: TaskSelection): readonly ChosenTasks[] {
  return chosen.map(({ domain, places }) => {
    const kindAt = (at: number) => domain.kinds[domain.kindOf(at)] as TaskKind;
    const open = places.filter((at) => kindAt(at).unanswerable);
    const drawn = [...new Set(open.map((at) => kindAt(at).formulation))].flatMap((formulation) => {
      const all = places.filter((at) => kindAt(at).formulation === formulation);
      const others = all.filter((at) => !kindAt(at).unanswerable);
      const most = all.length - others.length;
      return seededOrder(others, seed, 'answerable', (at) => questionOf(domain.head(at)), { most });
    });
    return { domain, places: [...open, ...drawn].sort((a, b) => a - b) };
  });
}

/** Draws a selection's sample from what its other fields leave. */
function draw(chosen: readonly ChosenTasks[], filter: TaskSelection): readonly ChosenTasks[] {
  const count = chosen.reduce((sum, { places }) => sum + places.length, 0);
  const { sample = count, seed, from, formulation } = filter;
  if (from === 0 && sample >= count) return chosen;
  const tasks = chosen.flatMap(({ domain, places }) => places.map((at) => ({ domain, at })));
  const isOfQuestions = formulation?.length === 1 && !formulation.some(isOfChanges);
  const nameOf = isOfQuestions ? questionOf : drawnBy;
  const stream = seededOrder(tasks, seed, 'tasks', ({ domain, at }) => nameOf(domain.head(at)), {
    most: from + sample,
  });
  const drawn = new Map(chosen.map(({ domain }) => [domain, new Set<number>()]));
  for (const { domain, at } of stream.slice(from)) drawn.get(domain)?.add(at);
  return chosen.map(({ domain, places }) => ({
    domain,
    places: places.filter((at) => drawn.get(domain)?.has(at)),
  }));
}

function unknownTask(name: string, known: Iterable<string>): HttpProblem {
  const error = { field: 'sample_id', error: 'unknown_task', most: 120 };
  return unknownName('UNKNOWN_TASK', { missing: 'There is no task', name, known, ...error });
}

/** The id that a task is drawn by: the same for all shares of a question, and for both of a pair. */
function drawnBy({ split, db, sample_id, share, pair }: TaskHead): string {
  if (pair !== undefined) return `${split}/${db}/pair/${pair}`;
  return share ? sample_id.slice(0, -`@${printShare(share)}`.length) : sample_id;
}

/** Draws by the id of a question's REST task, so that runs of different formulations pair up. Must never change. */
function questionOf({ split, db, question_id }: TaskHead): string {
  return `${split}/${db}/${question_id}/rest`;
}

/** Difficulties differ by split, so an error lists the known ones. */
function requireKnown(wanted: readonly string[], domains: readonly DomainTasks[]): void {
  if (wanted.length === 0) return;
  const known = new Set(domains.flatMap(({ kinds }) => kinds.flatMap(({ difficulty }) => difficulty ?? [])));
  const unknown = wanted.find((each) => !known.has(each));
  if (unknown === undefined) return;
  const suggestions = [...known].sort();
  const there = suggestions.length > 0 ? `there are ${suggestions.join(', ')}` : 'no task here has any';
  const message = `there is no difficulty ${unknown.slice(0, 64)}: ${there}`;
  throw invalidField('difficulty', 'not_one_of', message, suggestions);
}

/** Matches per kind: a few dozen tests for a hundred thousand tasks. */
function matches(
  kind: TaskKind,
  { formulation, difficulty, share, flags = [], all, unanswerable, pairs }: TaskSelection,
): boolean {
  return (
    (kind.unanswerable ? unanswerable !== undefined : unanswerable !== 'only') &&
    (!pairs || kind.pair !== undefined) &&
    (isOfDialogue(kind)
      ? flags.some((test) => test === 'dialogue' || test === 'turn')
      : all || flags.includes('guessable') || isInDefaultSelection(kind)) &&
    (formulation?.includes(kind.formulation) ?? true) &&
    (difficulty?.includes(kind.difficulty ?? '') ?? true) &&
    (share?.includes(kind.share ? printShare(kind.share) : '') ?? true) &&
    flags.every((test) => holds(test, kind.flags))
  );
}

function holds(test: FlagTest, flags: readonly string[]): boolean {
  if (test === 'none') return flags.length === 0;
  return test.startsWith('-') ? !flags.includes(test.slice(1)) : flags.includes(test);
}

/** The query string of `GET /tasks`. */
export const taskQuery = taskSelection.extend({
  offset: wholeNumber(0).default(0),
  limit: wholeNumber(1, 1000).default(100),
  evidence: yesOrNo.default(false),
});

/**
 * The half of a task's question, equal in every formulation. With a numeric seed it is the same in each world of a
 * farm; with a world's commitment it is specific to the world.
 */
export function halfOf({ split, db, question_id }: TaskHead, seed: number | string): TaskHalf {
  return seededNumber(seed, 'half', split, db, question_id) < 0.5 ? 'train' : 'held_back';
}

/** The greatest complexity of each band; anything more complex is hard. */
const MOST: readonly (readonly [TaskBand, number])[] = [
  ['easy', 4],
  ['medium', 8],
];
/** The least pass rate of each measured band; anything lower is hard. */
const LEAST: readonly (readonly [TaskBand, number])[] = [
  ['easy', 2 / 3],
  ['medium', 1 / 3],
];
/** Toolsets up to this size add nothing; each doubling beyond it adds one. */
const SMALL_TOOLSET = 16;

/**
 * Difficulty bands of a domain's tasks: by measured pass rate (the share of attempts that passed, by sample id), else by
 * the query's constructs, the tools needed and the toolset's size.
 */
export function bandsOf(
  tasks: readonly Task[],
  services: ReadonlyMap<string, Service>,
  passRates: ReadonlyMap<string, number> = new Map(),
): ReadonlyMap<string, TaskBand> {
  const counted = new Map<string, number>();
  const countOf = (db: string, tool: string) =>
    getOrInsert(counted, `${db} ${tool}`, () => {
      const endpoint = services.get(db)?.endpoints.find(({ operation_id }) => operation_id === tool);
      return endpoint ? countConstructs(endpoint.sql) : 0;
    });
  /** By question: the constructs of its endpoint's query, in every formulation. */
  const constructs = new Map<Task['question_id'], number>();
  for (const { formulation, question_id, db, gold_tools } of tasks)
    if (formulation === 'rest')
      constructs.set(question_id, Math.max(0, ...gold_tools.map((tool) => countOf(db, tool))));
  return new Map(
    tasks.map((task) => {
      const rate = passRates.get(task.sample_id);
      const band = rate === undefined ? byComplexity(complexityOf(task, constructs)) : byPassRate(rate);
      return [task.sample_id, band];
    }),
  );
}

/** Constructs, additional tools to call, and doublings of the toolset beyond a small one. */
function complexityOf(task: Task, constructs: ReadonlyMap<Task['question_id'], number>): number {
  const tools = task.gold_tools.length;
  const doublings = Math.max(0, Math.round(Math.log2(Math.max(1, task.toolset.size) / SMALL_TOOLSET)));
  return (constructs.get(task.question_id) ?? tools) + Math.max(0, tools - 1) + doublings;
}

function byComplexity(complexity: number): TaskBand {
  return MOST.find(([, most]) => complexity <= most)?.[0] ?? 'hard';
}

function byPassRate(rate: number): TaskBand {
  return LEAST.find(([, least]) => rate >= least)?.[0] ?? 'hard';
}

const MOST_JOINS = 3;
const MOST_INNER = 2;

/** Counts a query's constructs: joins, subqueries (two each), and the other operations on its rows. */
export function countConstructs(sql: string): number {
  const { joins, nesting, operations } = queryNeeds(sql);
  return Math.min(MOST_JOINS, joins) + 2 * Math.min(MOST_INNER, nesting) + operations;
}
