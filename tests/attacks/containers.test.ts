import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AgentRun, Rookery } from '../../client/index.ts';
import { alerts, dashboard } from '../../deploy/kubernetes/monitoring.ts';
import { type RunningAgents, startAgents } from '../../services/agents/start-agents.ts';
import { type RunningGateway, startGateway } from '../../services/gateway/start-gateway.ts';
import { type RunningServer, startServer } from '../../services/index.ts';
import { writeZooFarmWithTask } from '../../services/testing/zoo.ts';
import { scratchFolder } from '../support/split-fixture.ts';
import { type Attacker, attackerAt } from './attacker.ts';

const harnessKey = 'the-key-of-whoever-gives-the-exam';
const KEY = { 'x-harness-key': harnessKey };
const metricsKey = 'the-key-of-prometheus';
const TASK = 'test/zoo/1/rest';
const folder = scratchFolder();
let services: RunningServer;
let agents: RunningAgents;
let gateway: RunningGateway;
let harness: Rookery;
/** At the port of the gateway that is published. */
let attacker: Attacker;

beforeAll(async () => {
  const farm = join(folder, 'farm');
  writeZooFarmWithTask(farm);
  const common = { port: 0, logger: false } as const;
  services = await startServer(farm, common);
  const servicesAt = services.address;
  const exam = { ...common, servicesAt, harnessPort: 0, exam: true, metricsKey } as const;
  agents = await startAgents(farm, { ...exam, runs: join(folder, 'runs.sqlite'), harnessKey });
  gateway = await startGateway(farm, {
    ...exam,
    agentsAt: agents.address,
    agentsHarnessAt: agents.harnessAddress ?? '',
  });
  harness = new Rookery(gateway.harnessAddress ?? '', { harnessKey });
  attacker = attackerAt(gateway.address);
});
afterAll(async () => {
  await gateway?.stop();
  await agents?.stop();
  await services?.stop();
});

const HARNESS_PLACES = [
  '/',
  '/tasks',
  `/tasks/${TASK}`,
  '/tools/zoo/rest',
  '/mcp/zoo/rest',
  '/lists/x',
  '/catalog/zoo',
  '/tools?query=names',
  '/console/console.js',
  '/openapi/zoo.rest.json',
  '/openapi/rest.json',
  '/openapi/rookery.json',
  '/docs/zoo',
  '/metrics',
  '/v1/test/zoo/by_id?id=1',
];

describe('an exam across processes', () => {
  test.each(HARNESS_PLACES)('%s is not at the port that agents reach, whatever key is sent', async (path) => {
    expect((await attacker.send('GET', path)).status).toBe(404);
    expect((await attacker.send('GET', path, undefined, KEY)).status).toBe(404);
    expect((await attacker.send('POST', path, {}, KEY)).status).toBeGreaterThanOrEqual(404);
  });

  test('the process for agents keeps to runs at its own port too, whoever gets past the gateway', async () => {
    const inside = attackerAt(agents.address);
    for (const path of ['/tasks', '/metrics', '/lists/x', '/openapi/rookery.json']) {
      expect(await inside.code('GET', path, undefined, KEY)).toBe('HARNESS_ONLY');
    }
    expect(await inside.code('POST', '/runs', { sample_id: TASK }, KEY)).toBe('HARNESS_ONLY');
  });

  test('the metrics key opens metrics at the port that agents reach, those of all processes, and nothing else', async () => {
    const key = { authorization: `Bearer ${metricsKey}` };
    const { status, text } = await attacker.send('GET', '/metrics', undefined, key);
    expect(status).toBe(200);
    expect(text).toMatch(/rookery_runs_open\{service="agents",[^}]*\} \d/);
    for (const path of HARNESS_PLACES.filter((each) => each !== '/metrics')) {
      expect((await attacker.send('GET', path, undefined, key)).status).toBe(404);
    }
    expect(await attackerAt(gateway.harnessAddress ?? '').code('GET', '/tasks', undefined, key)).toBe(
      'HARNESS_ONLY',
    );
  });

  test('every figure that alerts and the dashboard ask for is in what Prometheus gets', async () => {
    const asked = JSON.stringify([alerts(), dashboard()]).match(/\b(?:rookery|process)_[a-z_]+(?=[{[)\s])/g);
    const { text } = await attackerAt(gateway.harnessAddress ?? '').send('GET', '/metrics', undefined, {
      authorization: `Bearer ${metricsKey}`,
    });
    const given = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name));
    expect(new Set(asked).size).toBeGreaterThan(8);
    for (const name of new Set(asked)) expect(given).toContain(name.replace(/_bucket$/, ''));
  });

  test('neither scores nor exports nor batches are at the agents port', async () => {
    const batch = await harness.batch({ select: {} });
    const [run] = batch.runs;
    await attacker.send('POST', `${run?.base}/answer`, { answer: 1 });
    for (const path of [`${run?.base}/score`, `${run?.base}/predictions`]) {
      expect((await attacker.send('GET', path, undefined, KEY)).status).toBe(404);
    }
    expect(await attacker.code('GET', `/runs/${batch.id}`, undefined, KEY)).toBe('HARNESS_ONLY');
    expect((await attacker.send('POST', '/runs', { sample_id: TASK }, KEY)).status).toBe(404);
    expect((await attacker.send('GET', run?.base ?? '', undefined, KEY)).text).not.toContain(batch.id);
  });

  test('the harness gives it at its own port, an agent works through it at the other', async () => {
    const run = await harness.run({ sample_id: TASK });
    const agent = AgentRun.at(`${gateway.address}${run.base}`);
    const { tools } = await agent.tools('plain');
    const byId = tools.find(({ name }) => name.endsWith('by_id'))?.name ?? '';
    expect(await agent.call(byId, { id: 1 })).toMatchObject({ ok: true });
    const { paths } = JSON.parse((await attacker.send('GET', `${run.base}/openapi.json`)).text);
    const path = Object.keys(paths).find((each) => each.endsWith('/by_id'));
    expect((await attacker.send('GET', `${run.base}${path}?id=1`)).status).toBe(200);
    await agent.answer([['Ada']]);
    expect(await run.view()).toMatchObject({
      sample_id: TASK,
      status: 'answered',
      trajectory: { length: 2 },
    });
    expect(await (await harness.send(`${run.base}/predictions`)).text()).toContain(TASK);
  });

  test('the port of the harness still needs its key, but for what is open in open mode and for metrics', async () => {
    const keyless = attackerAt(gateway.harnessAddress ?? '');
    for (const path of ['/tasks', '/tools/zoo/rest', '/openapi/rookery.json']) {
      expect(await keyless.code('GET', path)).toBe('HARNESS_ONLY');
    }
    const { text } = await keyless.send('GET', '/metrics');
    expect(text).toMatch(/rookery_gateway_scrape_success\{service="agents",[^}]*\} 1/);
    expect((await keyless.send('GET', '/v1/test/zoo/by_id?id=1')).status).toBe(200);
  });

  test('health names no domain, up or down', async () => {
    const ready = await attacker.send('GET', '/health/ready');
    expect([ready.status, ready.text]).toEqual([200, expect.not.stringContaining('zoo')]);
    expect(JSON.parse(ready.text)).toMatchObject({ domains: 1 });
    await services.stop();
    await expect.poll(async () => (await attacker.send('GET', '/health/ready')).status).toBe(503);
    const down = await attacker.send('GET', '/health/ready');
    expect(down.text).not.toMatch(/zoo|test/);
    const run = await harness.run({ sample_id: TASK });
    const call = await AgentRun.at(`${gateway.address}${run.base}`).call('by_id', { id: 1 });
    expect(call.status).toBeGreaterThanOrEqual(404);
    expect(call.text).not.toMatch(/zoo|test/);
  });
});
