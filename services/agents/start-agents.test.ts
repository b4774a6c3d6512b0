import { appendFileSync, cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startServer } from '../server.ts';
import { temporaryFolder, writeZooFarmWithTask } from '../testing/zoo.ts';
import { type StartAgentsOptions, startAgents } from './start-agents.ts';

const folder = temporaryFolder();
const root = join(folder.path, 'farm');
const open: (() => Promise<unknown>)[] = [];
let copies = 0;

beforeAll(() => writeZooFarmWithTask(root));
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});
afterAll(() => folder.remove());

async function start(farm: string, more: Partial<StartAgentsOptions> = {}) {
  const runs = join(folder.path, 'runs.sqlite');
  const servicesAt = 'http://{service}.test:1';
  const agents = await startAgents(farm, { port: 0, servicesAt, runs, logger: false, ...more });
  open.push(() => agents.stop());
  return agents;
}

/** A copy of the farm that lacks some paths. */
function without(...paths: string[]): string {
  const copy = join(folder.path, `farm-${copies++}`);
  cpSync(root, copy, { recursive: true });
  for (const path of paths) rmSync(join(copy, path), { recursive: true });
  return copy;
}

test('needs farm.json, services and tasks, and nothing else', async () => {
  const { app, tasks } = await start(without('databases', 'openapi'));
  expect(tasks).toBe(1);
  expect((await app.inject('/health/ready')).json()).toEqual({ status: 'ready', tasks: 1 });
  expect((await app.inject('/tasks')).json()).toMatchObject({ total: 1 });
  const begun = await app.inject({ method: 'POST', url: '/runs', payload: { sample_id: 'test/zoo/1/rest' } });
  const called = await app.inject({ method: 'POST', url: `${begun.json().base}/call/get_how_many` });
  expect([called.statusCode, called.headers['retry-after'], called.json().code]).toEqual([
    503,
    '1',
    'DOMAIN_UNAVAILABLE',
  ]);
});

test('runs outlive the process, and two processes do not share them', async () => {
  const first = await start(root);
  const begun = await first.app.inject({
    method: 'POST',
    url: '/runs',
    payload: { sample_id: 'test/zoo/1/rest' },
  });
  await expect(start(root)).rejects.toMatchObject({ code: 'OPTION_INVALID' });
  await first.stop();
  const second = await start(root);
  expect((await second.app.inject(begun.json().base)).json()).toMatchObject({ status: 'open' });
});

test('an error names the missing or invalid file or option', async () => {
  const gone = without('tasks/zoo.jsonl');
  await expect(start(gone)).rejects.toMatchObject({
    code: 'FARM_INVALID',
    file: join(gone, 'tasks', 'zoo.jsonl'),
  });
  await expect(start(without('services'))).rejects.toMatchObject({ code: 'FARM_INVALID' });
  await expect(start(root, { only: ['cats'] })).rejects.toMatchObject({ code: 'OPTION_INVALID' });
  await expect(start(root, { servicesAt: 'zoo' })).rejects.toMatchObject({ file: '--services-at' });
  await expect(start(root, { runs: '/dev/null/runs.sqlite' })).rejects.toMatchObject({
    code: 'OPTION_INVALID',
    file: '/dev/null/runs.sqlite',
  });
});

test('a service that serves tasks checks their files too', async () => {
  const changed = without();
  appendFileSync(join(changed, 'tasks', 'zoo.jsonl'), '\n');
  const options = { port: 0, checkHashes: true, logger: false } as const;
  const server = await startServer(changed, options);
  open.push(() => server.stop());
  await expect(startServer(changed, { ...options, agents: {} })).rejects.toMatchObject({
    code: 'FARM_INVALID',
    file: join(changed, 'tasks', 'zoo.jsonl'),
  });
});
