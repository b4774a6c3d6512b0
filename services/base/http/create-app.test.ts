import { Agent, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { openSmallFarm, type SmallFarm } from '../../testing/small-farm.ts';
import { DEFAULT_LIMITS } from '../limits.ts';
import { createApp } from './create-app.ts';
import { accessEnvironment } from './environment.ts';
import { readJson, readOwnJson, writeJson } from './json.ts';

const open: SmallFarm[] = [];
afterEach(async () => {
  for (const farm of open.splice(0)) await farm.close();
});
const served = async (options: Parameters<typeof openSmallFarm>[0] = {}): Promise<SmallFarm> => {
  const farm = await openSmallFarm(options);
  open.push(farm);
  return farm;
};
const UNPACK = { br: brotliDecompressSync, gzip: gunzipSync } as const;

test('compresses specifications, lists and pages on request, but not short answers or rows', async () => {
  const farm = await served();
  const get = (url: string, encoding?: string) =>
    farm.inject({ url, headers: encoding === undefined ? {} : { 'accept-encoding': encoding } });
  const list = (await get('/tools/small/rest')).json();
  for (const url of [
    '/openapi/rookery.json',
    '/tasks?limit=5',
    '/tools/small/rest',
    '/metrics',
    '/catalog/small',
  ]) {
    const plain = await get(url);
    expect([url, plain.headers['content-encoding']]).toEqual([url, undefined]);
    for (const encoding of ['br', 'gzip'] as const) {
      const packed = await get(url, `${encoding}, x;q=0.1`);
      expect([url, packed.headers['content-encoding']]).toEqual([url, encoding]);
      expect(packed.headers.vary).toMatch(/accept-encoding/i);
      expect(packed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 1.5);
      const text = UNPACK[encoding](packed.rawPayload).toString();
      if (url !== '/metrics') expect(text).toBe(plain.body);
    }
  }
  const rows = `/v1/test/small/people_by_min_age?min_age=0`;
  for (const url of ['/health/ready', '/farm', rows, list.call.replace('{name}', list.tools[0].name)]) {
    expect([url, (await get(url, 'br, gzip')).headers['content-encoding']]).toEqual([url, undefined]);
  }
});

test('an unavailable media type gives 406', async () => {
  const farm = await served();
  const status = async (url: string, accept: string) =>
    (await farm.inject({ url, headers: { accept } })).statusCode;
  const rows = '/v1/test/small/people_by_min_age?min_age=40';
  for (const url of [rows, '/tasks', '/openapi/rookery.json', '/health/live', '/tools/small/slot']) {
    for (const accept of ['application/json', 'application/*', 'text/csv, */*;q=0.1']) {
      expect([url, accept, await status(url, accept)]).toEqual([url, accept, 200]);
    }
    for (const accept of [
      'text/csv',
      'application/xml, text/*',
      'application/json;q=0',
      'application/json;q=0, */*',
      'text/csv, */*;q=0',
    ]) {
      expect([url, accept, await status(url, accept)]).toEqual([url, accept, 406]);
    }
  }
  for (const [url, accept, type] of [
    ['/', 'application/xml', undefined],
    ['/', '*/*', 'application/json'],
    ['/', 'text/*', 'text/html'],
    ['/', 'text/html, application/xml;q=0.9, */*;q=0.8', 'text/html'],
    ['/docs', 'application/json', undefined],
    ['/docs/small', 'application/json', undefined],
    ['/llms.txt', 'application/json', undefined],
    ['/llms.txt', 'text/markdown, text/plain;q=0.9', 'text/plain'],
  ] as const) {
    const { statusCode, headers } = await farm.inject({ url, headers: { accept } });
    const kind = statusCode === 200 ? String(headers['content-type']).split(';')[0] : undefined;
    expect([url, accept, kind ?? statusCode]).toEqual([url, accept, type ?? 406]);
  }
  expect(await status('/metrics', 'text/plain;version=0.0.4')).toBe(200);
  expect(
    await status('/metrics', 'application/openmetrics-text;version=1.0.0,text/plain;q=0.5,*/*;q=0.1'),
  ).toBe(200);
  expect(await status('/metrics', 'application/json')).toBe(406);
  const refused = await farm.inject({ url: rows, headers: { accept: 'text/csv' } });
  expect(refused.json()).toMatchObject({
    code: 'NOT_ACCEPTABLE',
    detail: 'text/csv cannot be had here; there is application/json',
  });
});

test('allows cross-origin requests only for configured origins, with or without keys', async () => {
  const origin = 'https://page.test';
  const ask = (farm: SmallFarm, from: string, headers: Record<string, string> = {}) =>
    farm.app.inject({ url: '/tasks', headers: { origin: from, ...headers } });
  const closed = await served();
  expect((await ask(closed, origin)).headers['access-control-allow-origin']).toBeUndefined();

  const farm = await served({ access: { keys: ['k'], cors: [origin] } });
  const asked = await farm.app.inject({
    method: 'OPTIONS',
    url: '/runs',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type',
    },
  });
  expect([asked.statusCode, asked.headers]).toEqual([
    204,
    expect.objectContaining({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': expect.stringContaining('POST'),
      'access-control-allow-headers': 'authorization,content-type',
    }),
  ]);
  const answer = await ask(farm, origin);
  expect(answer.headers).toMatchObject({ 'access-control-allow-origin': origin, vary: 'Origin' });
  expect((await ask(farm, 'https://other.test')).headers['access-control-allow-origin']).toBeUndefined();
  const rows = { url: '/v1/test/small/people_by_min_age?min_age=40', headers: { origin } };
  expect((await farm.app.inject(rows)).headers['access-control-allow-origin']).toBe(origin);
  const mcp = (from: string) =>
    farm.app.inject({
      method: 'POST',
      url: '/mcp/small/rest',
      headers: { origin: from, host: 'farm.test', 'content-type': 'application/json' },
      payload: {},
    });
  expect((await mcp(origin)).statusCode).not.toBe(403);
  expect((await mcp('https://other.test')).json()).toMatchObject({ code: 'FOREIGN_ORIGIN' });
  expect((await farm.inject('/no/such/place')).statusCode).toBe(404);
  expect((await farm.inject({ method: 'DELETE', url: '/farm' })).headers.allow).toBe('GET, HEAD, OPTIONS');
});

test('validates origins and proxy addresses', async () => {
  expect(accessEnvironment({ ROOKERY_CORS: 'https://a.test http://b.test:81' }).cors).toEqual([
    'https://a.test',
    'http://b.test:81',
  ]);
  for (const text of ['a.test', 'https://a.test/', 'https://a.test/x']) {
    expect(() => accessEnvironment({ ROOKERY_CORS: text })).toThrow(
      /cannot be used; give the origin of a page/,
    );
  }
  await expect(served({ access: { trustProxy: 'nginx' } })).rejects.toMatchObject({ file: '--trust-proxy' });
});

const CLIENTS = 100;
const REQUESTS = 20;
const WORK_MS = 0.5;

/** Sends one request over a new connection. */
function ask(port: number, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    request({ port, host: '127.0.0.1', path: '/work', agent }, (answer) => {
      answer.resume().once('end', resolve);
    })
      .once('error', reject)
      .end();
  });
}

test('a busy server answers its last client about when its first clients are answered again', async () => {
  const app = await createApp(DEFAULT_LIMITS, false);
  app.get('/work', (_request, reply) => {
    const until = performance.now() + WORK_MS;
    while (performance.now() < until);
    return reply.send('done');
  });
  await app.listen({ port: 0, host: '127.0.0.1', backlog: 1024 });
  const { port } = app.server.address() as AddressInfo;
  const answered = new Array<number>(CLIENTS).fill(0);
  let most = 0;
  const clients = answered.map(async (_, who) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let n = 0; n < REQUESTS; n++) {
      await ask(port, agent);
      answered[who] = n + 1;
      // The most answers to one client while another has none yet.
      if (answered.includes(0)) most = Math.max(most, n + 1);
    }
    agent.destroy();
  });
  await Promise.all(clients);
  await app.close();
  expect(most).toBeLessThanOrEqual(4);
});

test.each([
  '{"a":[1,"x",null,true,{"b":-2.5}]}',
  '[5.0]',
  '9007199254740993',
  '[-0,1e400]',
  '"5.0"',
  '{"n":0.00001}',
])('%s survives writing and reading unchanged', (text) => {
  const value = readJson(text);
  expect(writeJson(value)).toBe(text);
  expect(readOwnJson(text)).toEqual(value);
});
