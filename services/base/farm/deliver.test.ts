import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { all, temporaryFolder, writeZooFarm } from '../../testing/zoo.ts';
import { deliver, deliverAll } from './deliver.ts';
import { loadFarm } from './load-farm.ts';

const folder = temporaryFolder();
const farm = join(folder.path, 'farm');
beforeAll(() => {
  writeZooFarm(farm, ['birds', 'wild fish'], [all]);
  mkdirSync(join(farm, 'eval'));
  writeFileSync(join(farm, 'eval', 'birds.jsonl'), '{}');
});
afterAll(() => folder.remove());

const listing = (root: string) =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => statSync(join(root, path)).isFile())
    .sort();

test('a domain gets what its service reads, and no more; it can be served from there', async () => {
  const to = join(folder.path, 'birds');
  expect(deliver(farm, to, { dbs: ['birds'] })).toBe('delivered');
  expect(listing(to)).toEqual([
    'databases/birds.sqlite',
    'farm.json',
    'openapi/birds.rest.json',
    'services/birds.json',
  ]);
  const loaded = await loadFarm(to, { only: ['birds'], checkHashes: true });
  expect(loaded.domains).toHaveLength(1);
});

test('everybody gets a folder of their own', () => {
  const to = join(folder.path, 'all');
  expect(deliverAll(farm, to).map(([name]) => name)).toEqual(['birds', 'wild-fish', 'gateway', 'agents']);
  expect(listing(join(to, 'gateway'))).toEqual(['farm.json']);
  expect(existsSync(join(to, 'wild-fish', 'databases', 'wild fish.sqlite'))).toBe(true);
  expect(listing(to).some((path) => path.includes('eval'))).toBe(false);
});

test('tasks go to the process for agents, and to nobody else; no database does', async () => {
  const withTasks = join(folder.path, 'with-tasks');
  writeZooFarm(withTasks, ['birds', 'fish'], [all]);
  mkdirSync(join(withTasks, 'tasks'));
  const described = JSON.parse(readFileSync(join(withTasks, 'farm.json'), 'utf8'));
  for (const db of ['birds', 'fish']) {
    writeFileSync(join(withTasks, 'tasks', `${db}.jsonl`), '\n');
    described.files[`tasks/${db}.jsonl`] = createHash('sha256').update('\n').digest('hex');
  }
  writeFileSync(join(withTasks, 'farm.json'), JSON.stringify(described));

  const to = join(folder.path, 'delivered-tasks');
  deliverAll(withTasks, to);
  expect(listing(join(to, 'agents'))).toEqual([
    'farm.json',
    'services/birds.json',
    'services/fish.json',
    'tasks/birds.jsonl',
    'tasks/fish.jsonl',
  ]);
  expect(listing(to).filter((file) => file.includes('tasks') && !file.startsWith('agents'))).toEqual([]);
  await expect(loadFarm(join(to, 'birds'), { only: ['birds'], checkHashes: true })).resolves.toBeDefined();
});

test('what is there already is left alone, and another farm takes its place', () => {
  const to = join(folder.path, 'again');
  deliver(farm, to, { dbs: ['birds'] });
  expect(deliver(farm, to, { dbs: ['birds'] })).toBe('unchanged');
  const other = join(folder.path, 'other');
  writeZooFarm(other, ['birds'], []);
  expect(deliver(other, to, { dbs: ['birds'] })).toBe('delivered');
  expect(readFileSync(join(to, 'farm.json'))).toEqual(readFileSync(join(other, 'farm.json')));
  expect(listing(to)).toHaveLength(4);
});

test('an unknown domain is refused', () => {
  expect(() => deliver(farm, join(folder.path, 'x'), { dbs: ['cats'] })).toThrow(/no domain cats/);
});
