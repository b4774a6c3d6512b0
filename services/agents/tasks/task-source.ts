import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Farm } from '../../../contracts/farm.ts';
import { type Task, task as taskSchema } from '../../../contracts/task.ts';
import { invalid, parseFarmFile } from '../../base/farm/read-json.ts';

/** Where tasks come from, domain by domain. */
export interface TaskSource {
  /** The domains, in the farm's order. */
  readonly dbs: readonly string[];
  /** How many tasks they have together. */
  readonly count: number;
  /** The commitment to the world's seed, where they are those of a world. */
  readonly world?: string;
  /** The tasks of one of them. Throws FARM_INVALID. */
  read(db: string): readonly Task[];
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
  return { dbs: [...byDomain.keys()], count, read: (db) => byDomain.get(db) ?? [] };
}

/**
 * The tasks of some domains of a farm folder, each in `tasks/<db>.jsonl`, which is read when it is asked for: a large
 * farm has tens of thousands, of which a server may never be asked. A domain without the file has none.
 */
export function farmTasks(folder: string, farm: Farm, dbs: readonly string[]): TaskSource {
  const withTasks = dbs.filter((db) => taskPath(db) in farm.files);
  const counts = farm.domains.map(({ db, samples }) =>
    withTasks.includes(db) ? Object.values(samples).reduce((sum, each) => sum + each, 0) : 0,
  );
  return {
    dbs: withTasks,
    count: counts.reduce((sum, count) => sum + count, 0),
    ...(farm.world ? { world: farm.world.commitment } : {}),
    read: (db) => readTasks(join(folder, taskPath(db)), db),
  };
}

function taskPath(db: string): string {
  return `tasks/${db}.jsonl`;
}

/** The tasks in a file; none when it is not there. Throws FARM_INVALID with the line. */
export function readTasks(file: string, db: string): Task[] {
  if (!existsSync(file)) return [];
  const tasks: Task[] = [];
  readFileSync(file, 'utf8')
    .split('\n')
    .forEach((line, at) => {
      if (line === '') return;
      const task = parseFarmFile(`${file}:${at + 1}`, line, taskSchema);
      if (task.db !== db) throw invalid(`${file}:${at + 1}`, `is a task of ${task.db}, not ${db}`);
      tasks.push(task);
    });
  return tasks;
}
