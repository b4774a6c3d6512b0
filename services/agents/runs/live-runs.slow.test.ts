import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Task } from '../../../contracts/task.ts';
import { accessEnvironment } from '../../base/http/environment.ts';
import { type RunningServer, startServer } from '../../server.ts';
import { begin, fails, farm, PEOPLE, post, send, useSmallFarm, view } from '../../testing/runs.ts';
import { HARNESS_HEADERS, openSmallFarm, type SmallFarm } from '../../testing/small-farm.ts';
import { endpoint, parameter, temporaryFolder, writeZooFarmWithTask } from '../../testing/zoo.ts';
import { predictionsOf } from './export-runs.ts';
import { SqliteRuns } from './sqlite-runs.ts';

useSmallFarm();
afterEach(() => void vi.useRealTimers());

/** Advances the runs' clock. */
function pass(seconds: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1000 });
}

describe('a budget', () => {
  test('of calls: the last one is answered, the next is not', async () => {
    const run = await begin('1/rest', { budget: { calls: 2 } });
    for (const status of [200, 200, 409]) {
      expect((await post(`${run.base}/call/${PEOPLE}`, { min_age: 1 })).status).toBe(status);
    }
    const { body } = await post(`${run.base}/answer`, { answer: 1 });
    expect(body.detail).toBe('The run is over: its budget of 2 calls is spent.');
    expect(await view(run.base)).toMatchObject({
      status: 'out_of_budget',
      end_reason: 'calls',
      used: { calls: 2 },
    });
  });

  test('of calls holds for calls at once', async () => {
    const run = await begin('1/rest', { budget: { calls: 5 } });
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => post(`${run.base}/call/${PEOPLE}`, { min_age: 1 })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    expect((await view(run.base)).trajectory.map(({ n }) => n)).toEqual([1, 2, 3, 4, 5]);
  });

  test('of bytes holds for calls at once: one answer may exceed it, no more', async () => {
    const run = await begin('1/rest', { budget: { bytes: 1000 } });
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => post(`${run.base}/call/${PEOPLE}`, { min_age: 1 })),
    );
    const given = answers.filter(({ status }) => status === 200).map(({ text }) => Buffer.byteLength(text));
    const used = given.reduce((sum, bytes) => sum + bytes, 0);
    expect(used - (given.at(-1) ?? 0)).toBeLessThan(1000);
    expect(await view(run.base)).toMatchObject({
      end_reason: 'bytes',
      used: { calls: given.length, bytes: used },
    });
  });

  test('of calls accepts an answer that was reached within it', async () => {
    const run = await begin('1/rest', { budget: { calls: 1 } });
    await post(`${run.base}/call/${PEOPLE}`, { min_age: 1 });
    expect((await post(`${run.base}/answer`, { answer: 1 })).status).toBe(200);
  });

  test('of bytes, and of seconds from the first request on', async () => {
    const bytes = await begin('1/rest', { budget: { bytes: 10 } });
    expect((await post(`${bytes.base}/call/${PEOPLE}`, { min_age: 1 })).status).toBe(200);
    expect(await fails(post(`${bytes.base}/call/${PEOPLE}`, { min_age: 1 }))).toBe('RUN_OVER');

    const seconds = await begin('1/rest', { budget: { seconds: 300 } });
    pass(400);
    expect((await post(`${seconds.base}/call/${PEOPLE}`, { min_age: 1 })).status).toBe(200);
    pass(400);
    expect(await fails(post(`${seconds.base}/answer`, { answer: 1 }))).toBe('RUN_OVER');
    expect(await view(seconds.base)).toMatchObject({ end_reason: 'seconds' });
  });
});

describe('a run whose seconds are over', () => {
  const over = async (base: string) => {
    await post(`${base}/call/${PEOPLE}`, { min_age: 30 });
    pass(250);
  };

  test('is out of budget for every reader, though no request touches it any more', async () => {
    const { body } = await post('/runs', {
      select: { formulation: 'rest' },
      budget: { seconds: 200 },
      answer_tool: true,
    });
    const [run, untouched] = body.runs;
    await over(run.base);
    const states = (await send('GET', body.base)).body.runs.map(
      ({ status, end_reason }: { status: string; end_reason: string | null }) => [status, end_reason],
    );
    expect(states).toEqual([
      ['out_of_budget', 'seconds'],
      ['open', null],
      ['open', null],
    ]);
    const seen = await view(run.base);
    expect(seen).toMatchObject({ status: 'out_of_budget', end_reason: 'seconds', used: { calls: 1 } });
    expect(seen.used.seconds).toBeCloseTo(200, 1);
    const [, line] = (await send('GET', `${body.base}/predictions`)).text.trim().split('\n');
    expect(JSON.parse(line ?? '')).toMatchObject({ out_of_budget: true });
    expect(JSON.parse(line ?? '')).not.toHaveProperty('error');
    expect(await fails(post(`${run.base}/answer`, { answer: 1 }))).toBe('RUN_OVER');
    expect(await view(untouched.base)).toMatchObject({ status: 'open' });
  });

  test('is so in the file of a stopped server, and for its successor', async () => {
    const file = join(farm.folder, 'left.sqlite');
    const gone = await openSmallFarm({ runs: { place: file } });
    const payload = { sample_id: 'test/small/1/rest', budget: { seconds: 200 } };
    const { base, run_id } = (await gone.app.inject({ method: 'POST', url: '/runs', payload })).json();
    await gone.app.inject(`${base}/tools`);
    await gone.close();
    pass(250);
    const store = SqliteRuns.read(file);
    expect(store.run(run_id)).toMatchObject({ status: 'out_of_budget', end_reason: 'seconds' });
    const [, line] = (await predictionsOf(store, [...store.runs()])).split('\n');
    expect(JSON.parse(line ?? '')).toMatchObject({ out_of_budget: true, latency_s: 200 });
    store.close();
    const again = await openSmallFarm({ runs: { place: file } });
    expect((await again.app.inject(base)).json()).toMatchObject({ status: 'out_of_budget' });
    const late = await again.app.inject({ method: 'POST', url: `${base}/answer`, payload: { answer: 1 } });
    expect(late.json().detail).toBe('The run is over: its budget of 200 seconds is spent.');
    await again.close();
  });
});

/** Never ends; each number makes a different query. */
const runaway = endpoint(
  'runaway',
  'WITH RECURSIVE n(i) AS (SELECT :start UNION ALL SELECT i + 1 FROM n) SELECT count(*) AS n FROM n',
  ['n'],
  { speed: 'slow', parameters: [parameter('start', 'integer')] },
);
const HARNESS = { 'x-harness-key': 'the-key-of-whoever-hangs-up' };
const folder = temporaryFolder();
let task: Task;
let server: RunningServer;
beforeAll(async () => {
  const farm = join(folder.path, 'farm');
  task = writeZooFarmWithTask(farm, { endpoints: [runaway], question: 'How many are there?' });
  const agents = { runs: { place: join(folder.path, 'runs.sqlite') }, harnessKey: HARNESS['x-harness-key'] };
  server = await startServer(farm, { port: 0, logger: false, agents, limits: { timeoutMs: 600_000 } });
});
afterAll(async () => {
  await server?.stop();
  folder.remove();
});

const at = (path: string) => new URL(path, server.address);

async function hangUpBegin(): Promise<string> {
  const answer = await fetch(at('/runs'), {
    method: 'POST',
    headers: HARNESS,
    body: JSON.stringify({ sample_id: task.sample_id }),
  });
  const { base } = (await answer.json()) as { base: string };
  return base;
}

async function load(): Promise<{ running: number; waiting: number }> {
  const text = await (await fetch(at('/metrics'), { headers: HARNESS })).text();
  const value = (name: string) =>
    Number(new RegExp(`^rookery_slow_queries_${name} (\\d+)`, 'm').exec(text)?.[1]);
  return { running: value('running'), waiting: value('waiting') };
}

const MCP_HEAD = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
  'mcp-name': runaway.operation_id,
};
const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** Each way to call the tool that never ends. */
const CALLS: Readonly<Record<string, (base: string, signal: AbortSignal) => Promise<unknown>>> = {
  'by its name': (base, signal) =>
    fetch(at(`${base}/call/${runaway.operation_id}`), { method: 'POST', body: '{"start": 1}', signal }),
  "at the service's address": (base, signal) => fetch(at(`${base}${runaway.path}?start=1`), { signal }),
  'over stateless MCP': (base, signal) => {
    const params = { name: runaway.operation_id, arguments: { start: 1 }, _meta: ENVELOPE };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    return fetch(at(`${base}/mcp`), { method: 'POST', headers: MCP_HEAD, body, signal });
  },
  'over MCP with sessions': async (base, signal) => {
    const { 'content-type': type, accept } = MCP_HEAD;
    const ask = (method: string, params: object, more: Record<string, string>, abort?: AbortSignal) =>
      fetch(at(`${base}/mcp`), {
        method: 'POST',
        headers: { 'content-type': type, accept, ...more },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
        ...(abort ? { signal: abort } : {}),
      });
    const clientInfo = { name: 't', version: '1' };
    const begun = await ask(
      'initialize',
      { protocolVersion: '2025-11-25', capabilities: {}, clientInfo },
      {},
    );
    const session = { 'mcp-session-id': begun.headers.get('mcp-session-id') ?? '' };
    return ask('tools/call', { name: runaway.operation_id, arguments: { start: 1 } }, session, signal);
  },
};

test.each(Object.keys(CALLS))('a caller that hangs up in a run stops the query: a call %s', async (way) => {
  const base = await hangUpBegin();
  const hangUp = new AbortController();
  const call = CALLS[way]?.(base, hangUp.signal).catch(() => 'hung up');
  await expect.poll(load).toEqual({ running: 1, waiting: 0 });
  hangUp.abort();
  expect(await call).toBe('hung up');
  await expect.poll(load).toEqual({ running: 0, waiting: 0 });
  const record = async () => {
    const view = await (await fetch(at(base), { headers: HARNESS })).json();
    return (view as { trajectory: unknown }).trajectory;
  };
  await expect.poll(record).toMatchObject([{ tool: runaway.operation_id, code: 'CALLER_GONE' }]);
});

test('a run leaves one of the processes for slow queries to other callers, however many it requests', async () => {
  const hangUp = new AbortController();
  const ask = (base: string, start: number) =>
    fetch(at(`${base}/call/${runaway.operation_id}`), {
      method: 'POST',
      body: JSON.stringify({ start }),
      signal: hangUp.signal,
    }).catch(() => {});
  const greedy = await hangUpBegin();
  const calls = Array.from({ length: 5 }, (_, n) => ask(greedy, n));
  await expect.poll(load).toEqual({ running: 1, waiting: 4 });
  calls.push(ask(await hangUpBegin(), 9));
  await expect.poll(load).toEqual({ running: 2, waiting: 4 });
  hangUp.abort();
  await Promise.all(calls);
  await expect.poll(load).toEqual({ running: 0, waiting: 0 });
});

const KEY = 'a-key-for-metrics-alone';
const METRICS = { authorization: `Bearer ${KEY}` };
const open: SmallFarm[] = [];
afterEach(async () => {
  for (const farm of open.splice(0)) await farm.close();
});
const served = async (options: Parameters<typeof openSmallFarm>[0] = {}): Promise<SmallFarm> => {
  const farm = await openSmallFarm(options);
  open.push(farm);
  return farm;
};

/** Status codes of `GET /metrics` for a caller on this machine, one behind a proxy on it, and one elsewhere. */
async function statuses({ app }: SmallFarm, headers: Record<string, string> = {}): Promise<number[]> {
  const proxied = { ...headers, 'x-forwarded-for': '203.0.113.7' };
  const answers = await Promise.all([
    app.inject({ url: '/metrics', headers }),
    app.inject({ url: '/metrics', headers: proxied }),
    app.inject({ url: '/metrics', headers, remoteAddress: '203.0.113.7' }),
  ]);
  return answers.map(({ statusCode }) => statusCode);
}

test('without a key metrics are open on loopback, outside of exams', async () => {
  const farm = await served();
  expect(await statuses(farm)).toEqual([200, 401, 401]);
  expect(await statuses(farm, HARNESS_HEADERS)).toEqual([200, 200, 200]);
  expect(await statuses(await served({ exam: true }))).toEqual([403, 403, 403]);
});

test.each([false, true])('the metrics key opens them and nothing else; exam: %s', async (exam) => {
  const farm = await served({ exam, access: { keys: ['an-api-key'], metricsKey: KEY } });
  const address = await farm.app.listen({ port: 0 });
  const ask = async (path: string, headers: Record<string, string>, more = {}) =>
    (await fetch(`${address}${path}`, { headers, ...more })).status;
  const apiKey = { 'x-api-key': 'an-api-key' };
  expect(await ask('/metrics', METRICS)).toBe(200);
  expect(await ask('/metrics', { authorization: 'Bearer another-key-of-16' })).toBe(401);
  expect(await ask('/metrics', apiKey)).toBe(exam ? 403 : 401);
  expect(await ask('/metrics', { ...HARNESS_HEADERS, ...apiKey })).toBe(200);
  const [sample] = farm.samples;
  for (const path of ['/', '/tasks', `/tasks/${sample?.sample_id}/gold`, '/openapi/rookery.json']) {
    expect([path, await ask(path, METRICS)]).toEqual([path, 401]);
  }
  const begin = { method: 'POST', body: JSON.stringify({ sample_id: sample?.sample_id }) };
  expect(await ask('/runs', METRICS, begin)).toBe(401);
});

test('a metrics key that is short, or equals another key, is refused', () => {
  const env = { ROOKERY_API_KEYS: 'one-of-the-api-keys', ROOKERY_HARNESS_KEY: 'the-key-of-the-harness' };
  expect(accessEnvironment({ ...env, ROOKERY_METRICS_KEY: KEY }).metricsKey).toBe(KEY);
  expect(accessEnvironment({ ROOKERY_METRICS_KEY: '' }).metricsKey).toBeUndefined();
  for (const metricsKey of ['short', ...Object.values(env)]) {
    expect(() => accessEnvironment(env, { metricsKey })).toThrow(
      expect.objectContaining({ file: '--metrics-key' }),
    );
  }
});

/** The value of a sample; undefined where there is none. */
async function valuesOf(farm: SmallFarm, headers: Record<string, string> = {}) {
  const { body } = await farm.app.inject({ url: '/metrics', headers });
  return (sample: string) => {
    const line = body.split('\n').find((each) => each.startsWith(`${sample} `));
    return line === undefined ? undefined : Number(line.slice(sample.length));
  };
}

test('runs are counted: begun, open, ended by outcome, calls and what fails in them, budget, tokens and cost', async () => {
  const farm = await served();
  const post = (url: string, payload: object = {}) => farm.inject({ method: 'POST', url, payload });
  const begin = async (budget = {}) =>
    (await post('/runs', { sample_id: 'test/small/1/rest', budget })).json().base as string;
  const call = (base: string, args: object) =>
    post(`${base}/call/get_people_by_min_age_v1_test_small_people_by_min_age_get`, args);
  const [answered, spent, , broken] = [
    await begin({ calls: 4 }),
    await begin({ calls: 1 }),
    await begin(),
    await begin(),
  ];
  await call(answered, { min_age: 30 });
  await call(answered, { age: 'x' });
  await call(spent, { min_age: 30 });
  expect((await call(spent, { min_age: 30 })).statusCode).toBe(409);
  await post(`${answered}/answer`, { answer: 1, input_tokens: 900, output_tokens: 30, cost: 0.25 });
  await post(`${broken}/answer`, { error: 'out of quota' });

  const value = await valuesOf(farm);
  expect(value('rookery_runs_begun_total')).toBe(4);
  expect(value('rookery_runs_open')).toBe(1);
  expect(value('rookery_runs_stuck')).toBe(0);
  expect(value('rookery_runs_store_up')).toBe(1);
  for (const outcome of ['answered', 'calls', 'error']) {
    expect([outcome, value(`rookery_runs_ended_total{outcome="${outcome}"}`)]).toEqual([outcome, 1]);
  }
  expect(value('rookery_run_calls_total')).toBe(3);
  expect(value('rookery_run_call_errors_total{class="caller",code="INVALID_PARAMETERS"}')).toBe(1);
  expect(value('rookery_run_budget_spent_ratio_bucket{le="0.5",part="calls"}')).toBe(1);
  expect(value('rookery_run_budget_spent_ratio_bucket{le="1",part="calls"}')).toBe(2);
  expect(value('rookery_run_tokens_total{kind="input"}')).toBe(900);
  expect(value('rookery_run_tokens_total{kind="output"}')).toBe(30);
  expect(value('rookery_run_cost_total')).toBe(0.25);
});
