import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { request } from 'undici';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { partHash, readFarm, servedFiles } from '../base/farm.ts';
import { gatewayEnvironment } from '../base/http/environment.ts';
import { listen } from '../base/http/listen.ts';
import { type RunningServer, startServer } from '../server.ts';
import { type OddServer, oddServer, stepsIn } from '../testing/runs.ts';
import { endpoint, parameter, RUNAWAY, temporaryFolder, writeZooFarm } from '../testing/zoo.ts';
import { cachedLookup } from './forward.ts';
import { buildGateway, type GatewayOptions, startGateway } from './start-gateway.ts';

const folder = temporaryFolder();
const root = join(folder.path, 'farm');
const open: { close(): Promise<unknown> }[] = [];

beforeAll(() => {
  const byId = endpoint('by_id', 'SELECT id, name FROM animal WHERE id = :id', ['id', 'name'], {
    parameters: [parameter('id', 'integer')],
  });
  const many = endpoint(
    'many',
    'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 9000) SELECT i, hex(zeroblob(300)) AS z FROM n',
    ['i', 'z'],
  );
  const counting = endpoint('counting', RUNAWAY.replace('FROM n)', 'FROM n WHERE i < :steps)'), ['n'], {
    parameters: [parameter('steps', 'integer')],
    speed: 'slow',
  });
  writeZooFarm(root, ['birds', 'fish'], [byId, many, counting]);
});
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
});
afterAll(() => folder.remove());

async function service(db: string, port = 0): Promise<RunningServer> {
  const server = await startServer(root, { port, only: [db], logger: false });
  open.push({ close: () => server.stop() });
  return server;
}

/** A gateway in front of the given services. */
async function gateway(
  services: Record<string, readonly string[]>,
  more: Partial<GatewayOptions> = {},
): Promise<{ url: string; stop: () => Promise<void> }> {
  const places = Object.entries(services).map(([db, urls]) => [db, urls.map((url) => new URL(url))] as const);
  const app = await buildGateway({
    farm: readFarm(root).farm,
    services: new Map(places),
    logger: false,
    ...more,
  });
  const { address: url, stop } = await listen(app, { port: 0 });
  open.push({ close: stop });
  return { url, stop };
}

async function both() {
  const [birds, fish] = await Promise.all([service('birds'), service('fish')]);
  return { birds, fish, ...(await gateway({ birds: [birds.address], fish: [fish.address] })) };
}

async function odd(answer: RequestListener): Promise<OddServer> {
  const made = await oddServer(answer);
  open.push({ close: async () => made.close() });
  return made;
}

async function closedPort(): Promise<string> {
  const { url, server } = await odd(() => {});
  await new Promise((resolve) => server.close(resolve));
  return url;
}

test('routes by domain and passes answers on byte for byte', async () => {
  const { url, birds, fish } = await both();
  for (const [db, direct] of [
    ['birds', birds],
    ['fish', fish],
  ] as const) {
    const path = `/v1/test/${db}/by_id?id=2`;
    const one = await request(`${direct.address}${path}`);
    const other = await request(`${url}${path}`);
    expect(other.statusCode).toBe(200);
    expect(await other.body.text()).toBe(await one.body.text());
    expect(other.headers.etag).toBe(one.headers.etag);
    expect(other.headers['content-type']).toBe(one.headers['content-type']);
  }
  const large = await request(`${url}/v1/test/birds/many`);
  expect(await large.body.text()).toBe(
    await (await request(`${birds.address}/v1/test/birds/many`)).body.text(),
  );
});

test('a service’s rejection comes through as its own problem', async () => {
  const { url } = await both();
  const answer = await request(`${url}/v1/test/birds/by_id?id=x`);
  expect(answer.statusCode).toBe(400);
  expect(answer.headers['content-type']).toContain('application/problem+json');
  expect(await answer.body.json()).toMatchObject({ code: 'INVALID_PARAMETERS' });
});

test('a valid copy is confirmed, without a body', async () => {
  const { url } = await both();
  const first = await request(`${url}/v1/test/birds/by_id?id=1`);
  await first.body.dump();
  const again = await request(`${url}/v1/test/birds/by_id?id=1`, {
    headers: { 'if-none-match': String(first.headers.etag) },
  });
  expect(again.statusCode).toBe(304);
  expect(await again.body.text()).toBe('');
});

test('unknown domains, splits and addresses are the gateway’s own problems, with the nearest names', async () => {
  const { url } = await both();
  const domain = await request(`${url}/v1/test/bird/by_id?id=1`);
  expect(domain.statusCode).toBe(404);
  expect(await domain.body.json()).toMatchObject({
    code: 'UNKNOWN_DOMAIN',
    errors: [{ suggestions: expect.arrayContaining(['test/birds']) }],
  });
  const split = await request(`${url}/v1/other/birds/by_id?id=1`);
  expect(await split.body.json()).toMatchObject({ code: 'UNKNOWN_DOMAIN' });
  const route = await request(`${url}/nowhere`);
  expect(await route.body.json()).toMatchObject({ code: 'UNKNOWN_ROUTE' });
});

test('the caller’s request id reaches the service and comes back; keys do not reach it', async () => {
  let seen: Record<string, unknown> = {};
  const { url: place } = await odd((incoming, outgoing) => {
    seen = incoming.headers;
    outgoing.end('{}');
  });
  const { url } = await gateway({ birds: [place] }, { keys: ['k1'] });
  const answer = await request(`${url}/v1/test/birds/x`, {
    headers: { 'x-request-id': 'abc-1', 'x-api-key': 'k1', authorization: 'Bearer k1', 'x-more': 'kept' },
  });
  expect(answer.headers['x-request-id']).toBe('abc-1');
  expect(seen).toMatchObject({ 'x-request-id': 'abc-1', 'x-more': 'kept' });
  expect(seen).not.toHaveProperty('x-api-key');
  expect(seen).not.toHaveProperty('authorization');
  const own = await request(`${url}/v1/test/birds/x`, { headers: { 'x-api-key': 'k1' } });
  expect(own.headers['x-request-id']).toBe(seen['x-request-id']);
});

test('a body is passed on unchanged, and one that is too large is rejected', async () => {
  const { url: place } = await odd((incoming, outgoing) => void incoming.pipe(outgoing));
  const { url } = await gateway({ birds: [place] });
  const body = '{"a": 1.0,  "b": "é"}';
  const post = (text: string) =>
    request(`${url}/v1/test/birds/slot/x`, {
      method: 'POST',
      body: text,
      headers: { 'content-type': 'application/json' },
    });
  expect(await (await post(body)).body.text()).toBe(body);
  const refused = await post('x'.repeat(2 * 1024 * 1024));
  expect(refused.statusCode).toBe(413);
  expect(await refused.body.json()).toMatchObject({ code: 'REQUEST_TOO_LARGE' });
});

test('a service that is down: 503 with Retry-After for it, at once, and others stay up', async () => {
  const fish = await service('fish');
  const { url } = await gateway({ birds: [await closedPort()], fish: [fish.address] });
  for (let i = 0; i < 3; i++) {
    const began = performance.now();
    const down = await request(`${url}/v1/test/birds/by_id?id=1`);
    expect(down.statusCode).toBe(503);
    expect(down.headers['retry-after']).toBe('1');
    expect(down.headers['content-type']).toContain('application/problem+json');
    expect(await down.body.json()).toMatchObject({ code: 'DOMAIN_UNAVAILABLE', status: 503 });
    expect(performance.now() - began).toBeLessThan(60_000);
    expect((await request(`${url}/v1/test/fish/by_id?id=1`)).statusCode).toBe(200);
  }
});

test('repeated requests are answered from memory, with the same bytes and tag but a request id of their own', async () => {
  let asked = 0;
  const { url: place } = await odd((incoming, outgoing) => {
    asked++;
    const body = incoming.url?.includes('large') ? 'x'.repeat(300_000) : '{"data":[]}';
    outgoing.writeHead(200, {
      'content-type': 'application/json',
      'content-length': body.length,
      ...(incoming.url?.includes('untagged') ? {} : { etag: '"t"', 'cache-control': 'no-cache' }),
    });
    outgoing.end(body);
  });
  const { url } = await gateway({ birds: [place] });
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const before = asked;
    const answer = await request(`${url}/v1/test/birds/${path}`, { headers });
    const text = await answer.body.text();
    return { status: answer.statusCode, headers: answer.headers, text, passedOn: asked > before };
  };
  expect((await get('x?a=1')).passedOn).toBe(true);
  const again = await get('x?a=1', { 'x-request-id': 'mine' });
  expect(again).toMatchObject({ status: 200, text: '{"data":[]}', passedOn: false });
  expect(again.headers).toMatchObject({
    etag: '"t"',
    'content-type': 'application/json',
    'x-request-id': 'mine',
  });
  expect(await get('x?a=1', { 'if-none-match': '"t"' })).toMatchObject({
    status: 304,
    text: '',
    passedOn: false,
  });
  expect((await get('x?a=2')).passedOn).toBe(true);
  for (const path of ['large', 'untagged']) {
    await get(path);
    expect((await get(path)).passedOn, path).toBe(true);
  }
});

test('cached answers of a service are invalid as soon as it is gone', async () => {
  const birds = await service('birds');
  const { url } = await gateway({ birds: [birds.address] });
  const status = async () => {
    const answer = await request(`${url}/v1/test/birds/by_id?id=1`);
    await answer.body.dump();
    return answer.statusCode;
  };
  expect([await status(), await status()]).toEqual([200, 200]);
  await birds.stop();
  await expect.poll(status).toBe(503);
});

test('a service that recovers is found again', async () => {
  const place = await closedPort();
  const { url } = await gateway({ birds: [place] });
  expect((await request(`${url}/v1/test/birds/by_id?id=1`)).statusCode).toBe(503);
  await service('birds', Number(new URL(place).port));
  await expect.poll(async () => (await request(`${url}/v1/test/birds/by_id?id=1`)).statusCode).toBe(200);
});

test('with several replicas, one that is missing or hangs up costs no caller an answer', async () => {
  const birds = await service('birds');
  let hungUp = 0;
  const { url: rude } = await odd((incoming) => {
    hungUp++;
    incoming.socket.destroy();
  });
  const { url } = await gateway({ birds: [await closedPort(), rude, birds.address] });
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, i) => request(`${url}/v1/test/birds/by_id?id=${(i % 5) + 1}`)),
  );
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 200));
  expect(hungUp).toBeGreaterThan(0);
});

test('requests are spread over replicas', async () => {
  const seen = [0, 0, 0];
  const places = await Promise.all(
    seen.map((_, i) =>
      odd((_incoming, outgoing) => {
        seen[i] = (seen[i] ?? 0) + 1;
        outgoing.end('{}');
      }),
    ),
  );
  const { url } = await gateway({ birds: places.map((place) => place.url) });
  for (let i = 0; i < 30; i++) await (await request(`${url}/v1/test/birds/x`)).body.dump();
  expect(seen).toEqual([10, 10, 10]);
});

test('an answered request is never repeated, even when the answer is 500 or breaks off', async () => {
  let asked = 0;
  const { url: place } = await odd((incoming, outgoing) => {
    asked++;
    if (incoming.url?.endsWith('half')) {
      outgoing.writeHead(200, { 'content-length': 100 });
      outgoing.write('half');
      return void setTimeout(20).then(() => outgoing.destroy());
    }
    outgoing.writeHead(500).end('broken');
  });
  const { url } = await gateway({ birds: [place, (await odd((_i, o) => void o.end())).url] });
  const statuses = [];
  for (let i = 0; i < 2; i++) statuses.push((await request(`${url}/v1/test/birds/x`)).statusCode);
  expect(statuses.sort()).toEqual([200, 500]);
  expect(asked).toBe(1);
  const halves = await Promise.all(
    [1, 2].map(async () => {
      try {
        return await (await request(`${url}/v1/test/birds/half`)).body.text();
      } catch {
        return 'broken off';
      }
    }),
  );
  expect(halves.sort()).toEqual(['', 'broken off']);
  expect(asked).toBe(2);
});

test('a service that exceeds the time limit is 504, and is not asked again', async () => {
  let asked = 0;
  const { url: place } = await odd(() => void asked++);
  const { url } = await gateway({ birds: [place] }, { replicas: { answerMs: 300 } });
  const answer = await request(`${url}/v1/test/birds/x`);
  expect(answer.statusCode).toBe(504);
  expect(await answer.body.json()).toMatchObject({ code: 'GATEWAY_TIMEOUT' });
  expect(asked).toBe(1);
});

test('an answer that is not HTTP is 502', async () => {
  const { url: place } = await odd((incoming) => void incoming.socket.end('nonsense\r\n\r\n'));
  const { url } = await gateway({ birds: [place] });
  const answer = await request(`${url}/v1/test/birds/x`);
  expect(answer.statusCode).toBe(502);
  expect(await answer.body.json()).toMatchObject({ code: 'BAD_GATEWAY' });
});

test('a caller that leaves cancels its request', async () => {
  let left = false;
  const { url: place } = await odd((_incoming, outgoing) => {
    outgoing.on('close', () => {
      left = true;
    });
  });
  const { url } = await gateway({ birds: [place] });
  await expect(request(`${url}/v1/test/birds/x`, { signal: AbortSignal.timeout(100) })).rejects.toThrow();
  await expect.poll(() => left).toBe(true);
});

test('keys: none and a wrong one are rejected, each valid one works in every form; probes need none', async () => {
  const birds = await service('birds');
  const { url } = await gateway({ birds: [birds.address] }, { keys: ['first-key', 'second-key'] });
  const get = async (path: string, headers: Record<string, string> = {}) =>
    (await request(`${url}${path}`, { headers })).statusCode;
  const path = '/v1/test/birds/by_id?id=1';
  const refused = await request(`${url}${path}`);
  expect(refused.statusCode).toBe(401);
  expect(refused.headers['www-authenticate']).toMatch(/^Bearer /);
  expect(await refused.body.json()).toMatchObject({ code: 'UNAUTHORIZED' });
  for (const wrong of ['first-ke', 'first-key2', '', 'FIRST-KEY']) {
    expect(await get(path, { 'x-api-key': wrong })).toBe(401);
  }
  const basic = `Basic ${Buffer.from('anyone:second-key').toString('base64')}`;
  expect(await get(path, { 'x-api-key': 'first-key' })).toBe(200);
  expect(await get(path, { authorization: 'Bearer second-key' })).toBe(200);
  expect(await get(path, { authorization: basic })).toBe(200);
  for (const closed of ['/', '/metrics', '/openapi/birds.rest.json', '/docs/birds'])
    expect(await get(closed)).toBe(401);
  expect(await get('/health/live')).toBe(200);
  expect(await get('/health/ready')).toBe(200);
});

test('each key has its own rate limit, with Retry-After', async () => {
  const birds = await service('birds');
  const { url } = await gateway({ birds: [birds.address] }, { keys: ['a', 'b'], rateLimit: 3 });
  const get = (key: string) => request(`${url}/v1/test/birds/by_id?id=1`, { headers: { 'x-api-key': key } });
  const statuses = [];
  for (let i = 0; i < 4; i++) statuses.push((await get('a')).statusCode);
  expect(statuses).toEqual([200, 200, 200, 429]);
  const limited = await get('a');
  expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0);
  expect(await limited.body.json()).toMatchObject({ code: 'RATE_LIMITED', status: 429 });
  const other = await get('b');
  expect(other.statusCode).toBe(200);
  expect(other.headers['x-ratelimit-remaining']).toBe('2');
  for (let i = 0; i < 5; i++) expect((await request(`${url}/health/live`)).statusCode).toBe(200);
});

test('the index is public; for a service that is down it uses farm.json', async () => {
  const fish = await service('fish');
  const { url } = await gateway({ birds: [await closedPort()], fish: [fish.address] });
  const index = await (await request(`${url}/`)).body.json();
  expect(index).toMatchObject({
    domains: [
      { db: 'birds', endpoints: 3, status: 'unavailable', openapi: { rest: '/openapi/birds.rest.json' } },
      { db: 'fish', endpoints: 3, tables: 0, base: '/v1/test/fish', docs: { rest: '/docs/fish' } },
    ],
    totals: { domains: 2, endpoints: 6 },
  });
  const page = await request(`${url}/`, { headers: { accept: 'text/html' } });
  expect(page.headers['content-type']).toContain('text/html');
  expect(await page.body.text()).toContain('unavailable');
  expect((await request(`${url}/docs/birds`)).headers.location).toBe('/#/reference/birds/rest');
  expect((await request(`${url}/docs/fish/slot`)).statusCode).toBe(404);
  expect((await request(`${url}/docs/birds/slot`)).statusCode).toBe(404);
});

test('the catalog of a domain comes from its service', async () => {
  const { url } = await both();
  const catalog = await request(`${url}/catalog/birds`);
  expect(await catalog.body.json()).toMatchObject({ db: 'birds', endpoints: { length: 3 } });
  const wrong = await request(`${url}/catalog/brids`);
  expect(await wrong.body.json()).toMatchObject({
    code: 'UNKNOWN_DOMAIN',
    detail: expect.stringContaining('did you mean birds'),
  });
});

test('specifications: one domain’s, and all merged', async () => {
  const { url } = await both();
  const one = await request(`${url}/openapi/birds.rest.json`);
  expect(await one.body.json()).toMatchObject({ info: { title: 'birds' } });
  const all = await request(`${url}/openapi/rest.json`);
  expect(all.statusCode).toBe(200);
  expect(await all.body.json()).toMatchObject({ openapi: '3.1.0', info: { title: 'zoo farm (rest)' } });
  expect((await request(`${url}/openapi/slot.json`)).statusCode).toBe(404);
  expect((await request(`${url}/openapi/cats.rest.json`)).statusCode).toBe(404);
});

test('ready only when every domain is, and names those that are not', async () => {
  const fish = await service('fish');
  const { url } = await gateway({ birds: [await closedPort()], fish: [fish.address] });
  const ready = await request(`${url}/health/ready`);
  expect(ready.statusCode).toBe(503);
  expect(await ready.body.json()).toMatchObject({ code: 'NOT_READY', errors: [{ field: 'birds' }] });
  expect((await request(`${url}/health/live`)).statusCode).toBe(200);
});

test('however often readiness is requested, the services are asked once a second', async () => {
  let asked = 0;
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const lookup = cachedLookup(async () => ++asked, 1000);
  expect(await Promise.all([lookup(), lookup()])).toEqual([1, 1]);
  vi.advanceTimersByTime(999);
  expect(await lookup()).toBe(1);
  vi.advanceTimersByTime(1);
  expect(await lookup()).toBe(2);
});

test('concurrent readiness requests share one look at the services', async () => {
  let asked = 0;
  const odd = await oddServer((request, response) => {
    if (request.url === '/health/ready') asked++;
    response.end('{}');
  });
  open.push({ close: async () => odd.close() });
  const { url } = await gateway({ birds: [odd.url] });
  const answers = await Promise.all(Array.from({ length: 50 }, () => statusOf(`${url}/health/ready`)));
  expect(new Set(answers)).toEqual(new Set([200]));
  expect(asked).toBeLessThan(50);
});

test('readiness needs no key, but counts against the limit; liveness does not', async () => {
  const birds = await service('birds');
  const { url } = await gateway({ birds: [birds.address] }, { keys: ['secret'], rateLimit: 5 });
  const ready = [];
  for (let i = 0; i < 7; i++) ready.push(await statusOf(`${url}/health/ready`));
  expect(ready).toEqual([200, 200, 200, 200, 200, 429, 429]);
  for (let i = 0; i < 7; i++) expect(await statusOf(`${url}/health/live`)).toBe(200);
  expect(await statusOf(`${url}/v1/test/birds/by_id?id=1`, { 'x-api-key': 'secret' })).toBe(200);
});

test('a caller that tries wrong keys must wait, and one with a valid key is not affected', async () => {
  const birds = await service('birds');
  const { url } = await gateway({ birds: [birds.address] }, { keys: ['secret'] });
  const ask = (key: string) => statusOf(`${url}/v1/test/birds/by_id?id=1`, { 'x-api-key': key });
  const answers = [];
  for (let i = 0; i < 70; i++) answers.push(await ask(`guess ${i}`));
  expect(answers.slice(0, 60)).toEqual(Array.from({ length: 60 }, () => 401));
  expect(answers.slice(60)).toEqual(Array.from({ length: 10 }, () => 429));
  expect(await ask('secret')).toBe(200);
});

test('one service may serve several domains, and is asked once for all of them', async () => {
  const server = await startServer(root, { port: 0, logger: false });
  open.push({ close: () => server.stop() });
  const { url } = await gateway({ birds: [server.address], fish: [server.address] });
  for (const db of ['birds', 'fish']) expect(await statusOf(`${url}/v1/test/${db}/by_id?id=1`)).toBe(200);
  const index = (await (await request(`${url}/`)).body.json()) as { domains: { db: string }[] };
  expect(index.domains.map(({ db }) => db)).toEqual(['birds', 'fish']);
  expect(await (await request(`${url}/health/ready`)).body.json()).toMatchObject({
    domains: { birds: { replicas: 1, ready: 1 }, fish: { replicas: 1, ready: 1 } },
  });
  const asked = await (await request(`${server.address}/metrics`)).body.text();
  expect(asked).toMatch(/rookery_http_requests_total\{domain="",kind="health",code="200"\} 1/);
  await server.stop();
  expect(await statusOf(`${url}/v1/test/fish/by_id?id=2`)).toBe(503);
});

test('metrics of a silent service are missing and marked so; frequent scrapes are throttled', async () => {
  const birds = await service('birds');
  const silent = await oddServer(() => {});
  open.push({ close: async () => silent.close() });
  const { url } = await gateway({ birds: [birds.address], fish: [silent.url] });
  await statusOf(`${url}/health/ready`);
  const began = performance.now();
  const text = await (await request(`${url}/metrics`)).body.text();
  expect(performance.now() - began).toBeLessThan(60_000);
  expect(text).toMatch(/rookery_gateway_scrape_success\{service="birds",instance="[\d.:]+"\} 1/);
  expect(text).toMatch(/rookery_gateway_scrape_success\{service="fish",instance="[\d.:]+"\} 0/);
  expect(text).toMatch(/rookery_http_requests_total\{service="birds"/);
  const many = await Promise.all(Array.from({ length: 30 }, () => statusOf(`${url}/metrics`)));
  expect(many).toContain(429);
  expect(many).toContain(200);
});

test('a gateway that was set up for another farm refuses to start', async () => {
  const options = { port: 0, servicesAt: 'http://{service}:8080', logger: false } as const;
  const { farm } = readFarm(root);
  const own = partHash(
    farm,
    farm.domains.flatMap(({ db }) => servedFiles(db)),
  );
  const running = await startGateway(root, { ...options, expect: own });
  open.push({ close: () => running.stop() });
  await expect(startGateway(root, { ...options, expect: '0123456789abcdef' })).rejects.toMatchObject({
    code: 'FARM_CHANGED',
    file: root,
  });
});

test('metrics: its own and every service’s, with labels that separate them', async () => {
  const { url } = await both();
  await (await request(`${url}/v1/test/birds/by_id?id=1`)).body.dump();
  const text = await (await request(`${url}/metrics`)).body.text();
  expect(text).toMatch(
    /rookery_gateway_requests_total\{service="gateway",domain="birds",kind="domain",code="200"\} 1/,
  );
  expect(text).toMatch(
    /rookery_http_requests_total\{service="birds",instance="[\d.:]+",domain="birds",kind="rest"/,
  );
  expect(text).toMatch(/rookery_gateway_replicas\{service="gateway",upstream="fish",state="up"\} 1/);
  expect(text.match(/^# TYPE process_cpu_seconds_total /gm)).toHaveLength(1);
});

// Pending requests get 3.5 seconds, three times what they need unless the machine is busy.
test('closing waits for pending requests', { retry: 3 }, async () => {
  const birds = await service('birds');
  const { url, stop } = await gateway({ birds: [birds.address] });
  const count = async (steps: number) =>
    (await request(`${url}/v1/test/birds/counting?steps=${steps}`)).statusCode;
  await count(1);
  const inFlight = count(await stepsIn(1000, count));
  const metrics = async () => (await request(`${birds.address}/metrics`)).body.text();
  await expect.poll(metrics).toMatch(/^rookery_slow_queries_running\S* 1$/m);
  const began = performance.now();
  const stopped = stop();
  expect(await inFlight).toBe(200);
  await stopped;
  expect(performance.now() - began).toBeLessThan(60_000);
});

async function statusOf(url: string, headers: Record<string, string> = {}): Promise<number> {
  const { statusCode, body } = await request(url, { headers });
  await body.dump();
  return statusCode;
}

test('unset and empty mean the same: no keys, no limit, all domains', () => {
  const none = { keys: [] };
  expect(gatewayEnvironment({})).toEqual(none);
  expect(
    gatewayEnvironment({ ROOKERY_API_KEYS: '', ROOKERY_RATE_LIMIT: '', ROOKERY_DOMAINS: 'all' }),
  ).toEqual(none);
});

test('lists are separated by commas or whitespace', () => {
  const env = { ROOKERY_API_KEYS: 'a, b c', ROOKERY_RATE_LIMIT: '600', ROOKERY_DOMAINS: 'x,y' };
  expect(gatewayEnvironment(env)).toEqual({ keys: ['a', 'b', 'c'], rateLimit: 600, chosen: ['x', 'y'] });
});

test('an exam is set by ROOKERY_EXAM, and unclear values are rejected', () => {
  expect(gatewayEnvironment({ ROOKERY_EXAM: '1' })).toMatchObject({ exam: true });
  expect(gatewayEnvironment({ ROOKERY_EXAM: '0' })).not.toHaveProperty('exam');
  expect(() => gatewayEnvironment({ ROOKERY_EXAM: 'yes' })).toThrow(/give 1 or 0/);
});

test.each(['0', '-1', 'many', '1.5'])('a rate of %s is rejected', (rate) => {
  expect(() => gatewayEnvironment({ ROOKERY_RATE_LIMIT: rate })).toThrow(/requests a minute/);
});
