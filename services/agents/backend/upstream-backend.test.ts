import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { runView } from '../../../contracts/api.ts';
import { createApp } from '../../base/http/create-app.ts';
import { DEFAULT_LIMITS } from '../../base/limits.ts';
import { DEFAULT_REPLICA_LIMITS, domainsUpstream, Upstreams } from '../../base/upstream.ts';
import { oddServer } from '../../testing/runs.ts';
import { HARNESS_HEADERS, HARNESS_KEY, openSmallFarm, type SmallFarm } from '../../testing/small-farm.ts';
import { agentContext } from '../agent-context.ts';
import { agentRoutes } from '../agent-routes.ts';
import { emitTask } from '../describe-task.ts';
import { givenTasks } from '../task-book.ts';
import type { ServiceCall } from './backend.ts';
import { upstreamBackend } from './upstream-backend.ts';

let farm: SmallFarm;
let address: string;
const open: (() => unknown)[] = [];
beforeAll(async () => {
  farm = await openSmallFarm();
  address = await farm.app.listen({ port: 0 });
});
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});
afterAll(() => farm.close());

function backend(origins: readonly string[] = [address], limitMs?: number) {
  const urls = origins.map((origin) => new URL(origin));
  const upstreams = new Upstreams(
    () => 'test',
    [domainsUpstream(['small'], { ...DEFAULT_REPLICA_LIMITS, urls })],
  );
  const made = upstreamBackend(upstreams, limitMs);
  open.push(() => made.close?.());
  return (more: Partial<ServiceCall> = {}) => made.call({ ...byMinAge(40), ...more });
}

function byMinAge(min_age: unknown): ServiceCall {
  const { service } = farm;
  const endpoint = service.endpoints.find((each) => each.name === 'people_by_min_age');
  const name = endpoint?.operation_id ?? '';
  return { service, formulation: 'rest', name, arguments: { min_age }, view: '' };
}

async function odd(answer: RequestListener): Promise<string> {
  const { url, close } = await oddServer(answer);
  open.push(close);
  return url;
}

test('answers what the service answers, to GET and POST, problems too', async () => {
  const call = backend();
  const direct = await fetch(new URL('/v1/test/small/people_by_min_age?min_age=40', address));
  expect(await call()).toEqual({
    status: 200,
    contentType: direct.headers.get('content-type'),
    body: await direct.text(),
  });
  const [start] = farm.service.start_tables;
  const made = await call({
    formulation: 'slot',
    name: 'filter_data',
    arguments: {
      data_source: start?.handle,
      key_name: 'person_age',
      value: 40,
      condition: 'greater_than',
    },
  });
  expect([made.status, JSON.parse(made.body)]).toMatchObject([200, { kind: 'table', row_count: 1 }]);
  const wrong = await call(byMinAge('old'));
  expect(wrong.contentType).toContain('application/problem+json');
  expect([wrong.status, JSON.parse(wrong.body).code]).toEqual([400, 'INVALID_PARAMETERS']);
});

test('passes header fields on, Retry-After too', async () => {
  const origin = await odd((incoming, outgoing) => {
    outgoing.writeHead(429, { 'retry-after': '7', 'content-type': 'text/plain' });
    outgoing.end(`${incoming.headers['x-api-key']} ${incoming.headers['x-request-id']}`);
  });
  const headers = { 'x-api-key': 'k', 'x-request-id': 'r1' };
  expect(await backend([origin])({ headers })).toEqual({
    status: 429,
    contentType: 'text/plain',
    retryAfter: '7',
    body: 'k r1',
  });
});

test('a service that is missing, hangs up, or takes too long, is a problem', async () => {
  const codeOf = async (origin: string, limitMs?: number) => {
    const answer = await backend([origin], limitMs)();
    return [answer.status, JSON.parse(answer.body).code, answer.retryAfter];
  };
  const rude = await odd((incoming) => void incoming.socket.destroy());
  const nonsense = await odd((incoming) => void incoming.socket.end('nonsense\r\n\r\n'));
  const silent = await odd(() => {});
  const slow = await odd((_incoming, outgoing) => {
    // A byte now and then, forever.
    const timer = setInterval(() => outgoing.write('.'), 20);
    outgoing.on('close', () => clearInterval(timer));
  });
  for (const origin of [await closedPort(), rude]) {
    expect(await codeOf(origin)).toEqual([503, 'DOMAIN_UNAVAILABLE', '1']);
  }
  expect(await codeOf(nonsense)).toEqual([502, 'BAD_GATEWAY', undefined]);
  for (const origin of [silent, slow]) {
    expect(await codeOf(origin, 200)).toEqual([504, 'GATEWAY_TIMEOUT', undefined]);
  }
});

test('with several replicas, one that is missing or hangs up costs no caller an answer', async () => {
  const rude = await odd((incoming) => void incoming.socket.destroy());
  const call = backend([await closedPort(), rude, address]);
  const answers = await Promise.all(Array.from({ length: 30 }, () => call()));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
});

test('a domain that has no upstream is a problem too', async () => {
  const { status, body } = await backend()({ service: { ...farm.service, db: 'smal' } });
  expect([status, JSON.parse(body).code]).toEqual([404, 'UNKNOWN_DOMAIN']);
});

async function closedPort(): Promise<string> {
  const { url, server } = await oddServer(() => {});
  await new Promise((resolve) => server.close(resolve));
  return url;
}

test('a process without databases serves runs over remote services, and records when they are gone', async () => {
  const elsewhere = await openSmallFarm();
  const app = await createApp(DEFAULT_LIMITS, false);
  open.push(() => app.close());
  const { service, samples } = elsewhere;
  const context = await agentContext(app, [service], {
    tasks: givenTasks(samples.map((sample) => emitTask(sample, service))),
    farmHash: 'f'.repeat(64),
    runs: { place: join(farm.folder, 'elsewhere.sqlite') },
    backend: { call: backend([await elsewhere.app.listen({ port: 0 })]) },
    harnessKey: HARNESS_KEY,
  });
  await agentRoutes(app, context);

  const begun = await app.inject({
    method: 'POST',
    url: '/runs',
    payload: { sample_id: 'test/small/2/rest' },
  });
  const { base } = begun.json();
  const call = {
    method: 'POST',
    url: `${base}/call/get_cities_by_name_v1_test_small_cities_by_name_get`,
  } as const;
  const answer = await app.inject({ ...call, payload: { name: 'Oslo' } });
  expect(answer.json()).toMatchObject({ data: [{ id: 4, size: 50 }], row_count: 1 });
  await elsewhere.close();
  const late = await app.inject({ ...call, payload: { name: 'Bern' } });
  expect([late.statusCode, late.headers['retry-after']]).toEqual([503, '1']);
  expect(
    runView.parse((await app.inject({ url: base, headers: HARNESS_HEADERS })).json()).trajectory,
  ).toMatchObject([
    { n: 1, status: 200, rows: 1, arguments: { name: 'Oslo' } },
    { n: 2, status: 503, code: 'DOMAIN_UNAVAILABLE', fault: null },
  ]);
});
