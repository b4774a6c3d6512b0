import { closeSync, existsSync, openSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import type { Farm } from '../../../contracts/farm.ts';
import { type Task, task as taskSchema } from '../../../contracts/task.ts';
import { headsOf, type TaskHead, taskIndex } from '../../../contracts/task-index.ts';
import { invalid, parseFarmFile, readFarmFile } from '../../base/farm/read-json.ts';
import { taskFile, taskIndexFile } from '../../base/farm/served-files.ts';

/** The tasks of one domain, in the farm's order. */
export interface DomainTasks {
  readonly heads: readonly TaskHead[];
  /** The task at a place. Throws FARM_INVALID. */
  read(at: number): Task;
  /** All of them. Throws FARM_INVALID. */
  readAll(): readonly Task[];
}

/** Where tasks come from, domain by domain. */
export interface TaskSource {
  /** The domains, in the farm's order. */
  readonly dbs: readonly string[];
  /** How many tasks they have together. */
  readonly count: number;
  /** The commitment to the world's seed, where they are those of a world. */
  readonly world?: string;
  /** The tasks of one of them. Throws FARM_INVALID. */
  open(db: string): DomainTasks;
}

/** Tasks at hand. */
export function givenTasks(tasks: Iterable<Task>): TaskSource {
  const byDomain = new Map<string, Task[]>();
  let count = 0;
  for (const task of tasks) {
    const others = byDomain.get(task.db);
    if (others) others.push(task);
    else byDomain.set(task.db, [task]);
    count++;
  }
  return { dbs: [...byDomain.keys()], count, open: (db) => wholeTasks(() => byDomain.get(db) ?? []) };
}

/**
 * The tasks of some domains of a farm folder, each in `tasks/<db>.jsonl`, of which a line is read when it is asked for: a
 * large farm has tens of thousands. What they are chosen by is in an index beside them; of a farm that was generated before
 * there was one, the tasks of a domain are read when something of it is asked for. A domain without the file has none.
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

/** Tasks that are had all at once, when one is asked for. */
function wholeTasks(readAll: () => readonly Task[]): DomainTasks {
  let tasks: readonly Task[] | undefined;
  const all = () => {
    tasks ??= readAll();
    return tasks;
  };
  return {
    get heads() {
      return all();
    },
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
  const heads = headsOf(index);
  return {
    heads,
    read(at) {
      const from = at === 0 ? 0 : (ends[at - 1] as number);
      const task = parseLine(`${file}:${at + 1}`, readPart(file, from, (ends[at] as number) - from), db);
      if (task.sample_id !== heads[at]?.sample_id)
        throw invalid(file, 'is another file than its index is of');
      return task;
    },
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

/** The tasks in a file; none when it is not there. Throws FARM_INVALID with the line. */
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
