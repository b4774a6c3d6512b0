import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Task, task as taskSchema } from '../../../contracts/task.ts';
import { invalid, parseFarmFile } from '../../base/farm/read-json.ts';

/**
 * The tasks of some domains, from `tasks/<db>.jsonl` of a farm folder; a domain without the file has none.
 * Throws FARM_INVALID with the line.
 */
export function loadTasks(folder: string, dbs: readonly string[]): Task[] {
  return dbs.flatMap((db) => loadDomain(join(folder, 'tasks', `${db}.jsonl`), db));
}

function loadDomain(file: string, db: string): Task[] {
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
