import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Endpoint } from '../../contracts/service.ts';
import type { Task } from '../../contracts/task.ts';
import { endpoint, parameter, writeZooFarm } from './zoo.ts';

const byId = endpoint('by_id', 'SELECT id, name FROM animal WHERE id = :id', ['id', 'name'], {
  parameters: [parameter('id', 'integer')],
});
const howMany = endpoint('how_many', 'SELECT count(*) AS n FROM animal', ['n']);

/** What a farm of one task has, where it matters. */
export interface ZooTask {
  /** The first is the gold one. */
  readonly endpoints: readonly [Endpoint, ...Endpoint[]];
  readonly question: string;
}

const USUAL: ZooTask = { endpoints: [byId, howMany], question: 'What is the second animal called?' };

/** Writes the folder of a farm with one domain, `zoo`, and one task; answers the task. */
export function writeZooFarmWithTask(root: string, { endpoints, question }: ZooTask = USUAL): Task {
  const task: Task = {
    sample_id: 'test/zoo/1/rest',
    split: 'test',
    db: 'zoo',
    question_id: 1,
    formulation: 'rest',
    question,
    evidence: '',
    difficulty: null,
    flags: [],
    start_tables: [],
    toolset: { path: '/openapi/zoo.rest.json', size: endpoints.length },
    gold_tools: [endpoints[0].operation_id],
  };
  writeZooFarm(root, ['zoo'], [...endpoints]);
  mkdirSync(join(root, 'tasks'));
  const text = `${JSON.stringify(task)}\n`;
  writeFileSync(join(root, 'tasks', 'zoo.jsonl'), text);
  const farm = JSON.parse(readFileSync(join(root, 'farm.json'), 'utf8'));
  farm.files['tasks/zoo.jsonl'] = createHash('sha256').update(text).digest('hex');
  writeFileSync(join(root, 'farm.json'), JSON.stringify(farm));
  return task;
}
