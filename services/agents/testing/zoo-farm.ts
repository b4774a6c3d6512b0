import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Task } from '../../../contracts/task.ts';
import { endpoint, parameter, writeZooFarm } from '../../app-fixture.ts';

const byId = endpoint('by_id', 'SELECT id, name FROM animal WHERE id = :id', ['id', 'name'], {
  parameters: [parameter('id', 'integer')],
});
const howMany = endpoint('how_many', 'SELECT count(*) AS n FROM animal', ['n']);

const TASK: Task = {
  sample_id: 'test/zoo/1/rest',
  split: 'test',
  db: 'zoo',
  question_id: 1,
  formulation: 'rest',
  question: 'What is the second animal called?',
  evidence: '',
  difficulty: null,
  flags: [],
  start_tables: [],
  toolset: { path: '/openapi/zoo.rest.json', size: 2 },
  gold_tools: [byId.operation_id],
};

/** The folder of a farm with one domain, `zoo`, and one task. */
export function writeZooFarmWithTasks(root: string): void {
  writeZooFarm(root, ['zoo'], [byId, howMany]);
  mkdirSync(join(root, 'tasks'));
  const text = `${JSON.stringify(TASK)}\n`;
  writeFileSync(join(root, 'tasks', 'zoo.jsonl'), text);
  const farm = JSON.parse(readFileSync(join(root, 'farm.json'), 'utf8'));
  farm.files['tasks/zoo.jsonl'] = createHash('sha256').update(text).digest('hex');
  writeFileSync(join(root, 'farm.json'), JSON.stringify(farm));
}
