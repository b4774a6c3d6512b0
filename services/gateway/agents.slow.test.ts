import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { request } from 'undici';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { ROOKERY } from '../../contracts/package-root.ts';
import { type RunningAgents, startAgents } from '../agents/start-agents.ts';
import { type RunningServer, startServer } from '../server.ts';
import { oddServer } from '../testing/runs.ts';
import { temporaryFolder, writeZooFarmWithTask } from '../testing/zoo.ts';
import { type StartGatewayOptions, startGateway } from './start-gateway.ts';

const folder = temporaryFolder();
const root = join(folder.path, 'farm');
const SAMPLE = 'test/zoo/1/rest';
const open: (() => Promise<unknown> | unknown)[] = [];
let zoo: RunningServer;

beforeAll(async () => {
  writeZooFarmWithTask(root);
  zoo = await startServer(root, { port: 0, logger: false });
});
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});
afterAll(async () => {
  await zoo.stop();
  folder.remove();
});

const KEY = 'the-key-of-whoever-gives-the-exam';
const HARNESS = { 'x-harness-key': KEY };

async function agents(port = 0): Promise<RunningAgents> {
  const runs = join(folder.path, 'runs.sqlite');
  const running = await startAgents(root, {
    port,
    servicesAt: zoo.address,
    runs,
    harnessKey: KEY,
    logger: false,
  });
  open.push(() => running.stop());
  return running;
}

async function gateway(agentsAt: string | undefined, more: Partial<StartGatewayOptions> = {}) {
  const running = await startGateway(root, {
    port: 0,
    servicesAt: zoo.address,
    logger: false,
    ...(agentsAt ? { agentsAt } : {}),
    ...more,
  });
  open.push(() => running.stop());
  return running.address;
}

async function odd(answer: RequestListener): Promise<string> {
  const { url, close } = await oddServer(answer);
  open.push(close);
  return url;
}

async function json(url: string, body?: unknown, headers: Record<string, string> = {}) {
  const answer = await request(url, {
    headers,
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  });
  const value = (await answer.body.json()) as Record<string, never>;
  return { status: answer.statusCode, headers: answer.headers, body: value };
}

test('tasks, tools, a recorded run and its predictions match those of a single process', async () => {
  const url = await gateway((await agents()).address);
  expect((await json(`${url}/tasks`)).body).toMatchObject({ total: 1, tasks: [{ sample_id: SAMPLE }] });
  expect((await json(`${url}/tasks/${SAMPLE}/tools`)).body).toMatchObject({ tools: { length: 2 } });
  expect((await json(`${url}/tools/zoo/rest?tools=1`)).body).toMatchObject({ tools: { length: 1 } });

  const begun = await json(`${url}/runs`, { sample_id: SAMPLE, agent: 'me' });
  expect(begun.status).toBe(201);
  const run = `${url}${begun.body.base}`;
  expect((await json(`${run}/call/get_by_id`, { id: 2 })).body).toMatchObject({ row_count: 1 });
  expect((await json(`${run}/v1/test/zoo/by_id?id=1`)).body).toMatchObject({ data: [{ name: 'Ada' }] });
  expect(await json(`${run}/call/get_by_id`, { id: 'x' })).toMatchObject({
    status: 400,
    body: { code: 'INVALID_PARAMETERS' },
  });
  expect((await json(`${run}/predictions`, undefined, HARNESS)).body).toMatchObject({ code: 'RUN_NOT_OVER' });
  await json(`${run}/answer`, { answer: [['Bob']] });
  expect((await json(run)).body).toMatchObject({ status: 'answered', trajectory: { length: 3 } });
  const predictions = await (await request(`${run}/predictions`, { headers: HARNESS })).body.text();
  expect(predictions.trim().split('\n')).toHaveLength(2);
  expect(await json(`${run}/score`, undefined, HARNESS)).toMatchObject({
    status: 409,
    body: { code: 'SCORING_OFF', detail: expect.stringContaining(`${ROOKERY} score`) },
  });
});

test('MCP works through it: sessions, the event stream, and its end', async () => {
  const url = await gateway((await agents()).address, { keys: ['k'] });
  const begun = await json(
    `${url}/runs`,
    { sample_id: SAMPLE, agent: 'mcp', answer_tool: true },
    { 'x-api-key': 'k' },
  );
  const transport = new StreamableHTTPClientTransport(new URL(`${url}${begun.body.base}/mcp`), {
    requestInit: { headers: { authorization: 'Bearer k' } },
  });
  const client = new Client({ name: 'test', version: '1' });
  let changed = 0;
  client.fallbackNotificationHandler = async () => void changed++;
  await client.connect(transport);
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(['get_by_id', 'get_how_many', 'submit_answer']);
  const called = await client.callTool({ name: 'get_by_id', arguments: { id: 1 } });
  expect(called.structuredContent).toMatchObject({ data: [{ name: 'Ada' }] });

  const session = { 'mcp-session-id': transport.sessionId ?? '', 'x-api-key': 'k' };
  await client.callTool({ name: 'submit_answer', arguments: { answer: 'Bob' } });
  // Received over the stream, which carries nothing else.
  await expect.poll(() => changed).toBe(1);
  await transport.terminateSession();
  await client.close();
  const ended = await json(`${url}${begun.body.base}/mcp`, { jsonrpc: '2.0', method: 'x', id: 1 }, session);
  expect(ended.status).toBe(404);
  expect((await json(`${url}${begun.body.base}`, undefined, { 'x-api-key': 'k' })).body).toMatchObject({
    status: 'answered',
    trajectory: { length: 1 },
  });
});

test('pages of other sites are rejected, those of the gateway itself are not', async () => {
  const url = await gateway((await agents()).address);
  const { host } = new URL(url);
  const from = (origin: string) =>
    json(
      `${url}/mcp/zoo/rest`,
      { jsonrpc: '2.0', method: 'x', id: 1 },
      { origin, host: `farm.test:${host.split(':')[1]}` },
    );
  expect((await from('http://elsewhere.test')).body).toMatchObject({ code: 'FOREIGN_ORIGIN' });
  expect((await from(`http://farm.test:${host.split(':')[1]}`)).status).toBe(400);
});

test('an open stream does not delay a shutdown', async () => {
  const { address, stop } = await agents();
  const url = await gateway(address);
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp/zoo/rest`)));
  await client.listTools();
  const began = performance.now();
  await stop();
  // Far more than a busy machine needs; a stream that blocks would never end.
  expect(performance.now() - began).toBeLessThan(60_000);
  await client.close();
});

test('keys and rate limits apply, and keys are not forwarded', async () => {
  const seen: unknown[] = [];
  const place = await odd((incoming, outgoing) => {
    seen.push(incoming.headers['x-api-key'] ?? incoming.headers.authorization);
    outgoing.end('{}');
  });
  const url = await gateway(place, { keys: ['k'], rateLimit: 2 });
  expect((await json(`${url}/tasks`)).status).toBe(401);
  const statuses = [];
  for (let i = 0; i < 3; i++)
    statuses.push((await json(`${url}/runs/r1`, undefined, { 'x-api-key': 'k' })).status);
  expect(statuses).toEqual([200, 200, 429]);
  expect(seen).toEqual([undefined, undefined]);
});

test('answers of the agents’ process are not cached', async () => {
  let asked = 0;
  const place = await odd((_incoming, outgoing) => {
    asked++;
    outgoing.writeHead(200, { 'content-type': 'application/json', 'content-length': 2, etag: '"t"' });
    outgoing.end('{}');
  });
  const url = await gateway(place);
  for (let i = 0; i < 3; i++) await json(`${url}/tasks`);
  expect(asked).toBe(3);
});

test('while the agents’ process is down: 503 with Retry-After at once, domains stay up, and recovery is noticed', async () => {
  const first = await agents();
  const url = await gateway(first.address);
  expect((await json(`${url}/tasks`)).status).toBe(200);
  await first.stop();
  for (const path of ['/tasks', '/runs/r1', '/lists/x', '/mcp/zoo/rest', '/tools/zoo/rest']) {
    const began = performance.now();
    const down = await json(`${url}${path}`);
    expect(down).toMatchObject({
      status: 503,
      headers: { 'retry-after': '1' },
      body: { code: 'AGENTS_UNAVAILABLE' },
    });
    expect(performance.now() - began).toBeLessThan(60_000);
  }
  expect((await json(`${url}/v1/test/zoo/by_id?id=1`)).status).toBe(200);
  expect((await json(`${url}/health/live`)).status).toBe(200);
  expect(await json(`${url}/health/ready`)).toMatchObject({
    status: 503,
    body: { code: 'NOT_READY', errors: [{ field: 'agents' }] },
  });
  await agents(Number(new URL(first.address).port));
  await expect.poll(async () => (await json(`${url}/tasks`)).status).toBe(200);
  // Requests within the same second share a cached answer.
  await expect
    .poll(async () => (await json(`${url}/health/ready`)).body)
    .toMatchObject({ status: 'ready', agents: { ready: 1 } });
});

test('requests that may have been carried out are never sent again, neither POST nor GET', async () => {
  let asked = 0;
  const rude = await odd((incoming) => {
    asked++;
    incoming.resume().on('end', () => incoming.socket.destroy());
  });
  const url = await gateway(rude);
  expect(await json(`${url}/runs`, { sample_id: SAMPLE })).toMatchObject({
    status: 502,
    body: { code: 'BAD_GATEWAY', detail: expect.stringContaining('may have been carried out') },
  });
  expect(asked).toBe(1);
  expect((await json(`${url}/runs/r1/call/x?a=1`)).status).toBe(502);
  expect(asked).toBe(2);
});

test('an event stream starts before its first event', async () => {
  let sendEvent = () => {};
  const place = await odd((_incoming, outgoing) => {
    outgoing.writeHead(200, { 'content-type': 'text/event-stream' });
    outgoing.flushHeaders();
    sendEvent = () => outgoing.end('data: x\n\n');
  });
  const url = await gateway(place);
  const { body } = await request(`${url}/mcp/zoo/rest`);
  sendEvent();
  expect(await body.text()).toBe('data: x\n\n');
});

test('index and metrics include it; without it its addresses do not exist', async () => {
  const url = await gateway((await agents()).address);
  await json(`${url}/tasks`);
  expect((await json(`${url}/`)).body).toMatchObject({ links: { tasks: '/tasks' } });
  const page = await request(`${url}/`, { headers: { accept: 'text/html' } });
  expect(await page.body.text()).toContain('href="/tasks"');
  const metrics = await (await request(`${url}/metrics`)).body.text();
  expect(metrics).toMatch(
    /rookery_gateway_requests_total\{service="gateway",domain="",kind="agents",code="200"\} 1/,
  );
  expect(metrics).toMatch(/rookery_http_requests_total\{service="agents",instance="[\d.:]+",.*kind="tasks"/);
  expect(metrics).toMatch(/rookery_gateway_replicas\{service="gateway",upstream="agents",state="up"\} 1/);

  const without = await gateway(undefined);
  expect((await json(`${without}/`)).body).not.toMatchObject({ links: { tasks: '/tasks' } });
  for (const path of ['/tasks', '/runs/x', '/mcp/zoo/rest', '/lists/x']) {
    expect((await json(`${without}${path}`)).body).toMatchObject({ code: 'UNKNOWN_ROUTE' });
  }
  expect((await json(`${without}/health/ready`)).body).not.toHaveProperty('agents');
});

test('an invalid place is rejected', async () => {
  await expect(gateway('agents:8080')).rejects.toThrow(/OPTION_INVALID|--agents-at|agents:8080/);
  await expect(gateway('https://agents')).rejects.toMatchObject({ file: '--agents-at' });
});
