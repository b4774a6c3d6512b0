import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Task } from '../../../contracts/task.ts';
import { type RunningServer, startServer } from '../../server.ts';
import { endpoint, parameter, temporaryFolder } from '../../testing/zoo.ts';
import { writeZooFarmWithTask } from '../../testing/zoo-farm.ts';

/** Never ends; each number is a question of its own. */
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

async function begin(): Promise<string> {
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

/** A call of the tool that never ends, in each way that there is to make it. */
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

test.each(Object.keys(CALLS))('whoever hangs up in a run stops the query: a call %s', async (way) => {
  const base = await begin();
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

test('a run leaves one of the processes for slow queries to others, however many it asks for', async () => {
  const hangUp = new AbortController();
  const ask = (base: string, start: number) =>
    fetch(at(`${base}/call/${runaway.operation_id}`), {
      method: 'POST',
      body: JSON.stringify({ start }),
      signal: hangUp.signal,
    }).catch(() => {});
  const greedy = await begin();
  const calls = Array.from({ length: 5 }, (_, n) => ask(greedy, n));
  await expect.poll(load).toEqual({ running: 1, waiting: 4 });
  calls.push(ask(await begin(), 9));
  await expect.poll(load).toEqual({ running: 2, waiting: 4 });
  hangUp.abort();
  await Promise.all(calls);
  await expect.poll(load).toEqual({ running: 0, waiting: 0 });
});
