import type { Sample } from '../../contracts/sample.ts';
import type { Service } from '../../contracts/service.ts';
import { indexTasks } from '../../contracts/task.ts';
import { emitTask } from '../../services/agents/tasks/describe-task.ts';
import { taskFile, taskIndexFile } from '../../services/base/farm/farm-files.ts';
import { type FarmFile, printJson } from '../write/write-file.ts';

/** What agents get, an index of it, and the gold. */
export function sampleFiles(samples: readonly Sample[], service: Service): FarmFile[] {
  const { db } = service;
  const line = (record: object) => printJson(record, { compact: true });
  const tasks = samples.map((sample) => emitTask(sample, service));
  const lines = tasks.map(line);
  const bytes = lines.map((text) => Buffer.byteLength(text));
  return [
    { path: taskFile(db), content: lines.join('') },
    { path: taskIndexFile(db), content: line(indexTasks(tasks, bytes)) },
    { path: `eval/${db}.jsonl`, content: samples.map(line).join('') },
  ];
}
