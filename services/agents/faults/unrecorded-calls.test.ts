import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterEach, expect, test } from 'vitest';
import { type FaultKind, type FaultProfile, faultProfile } from '../../../contracts/fault.ts';
import { openSmallFarm, type SmallFarm } from '../../testing/small-farm.ts';

const PEOPLE = 'get_people_by_min_age_v1_test_small_people_by_min_age_get';
const DIRECT = '/v1/test/small/people_by_min_age?min_age=40';
const TRUE_BODY = '{"data":[{"name":"Cid","age":41}],"row_count":1,"truncated":false}';

const open: SmallFarm[] = [];
afterEach(async () => {
  for (const farm of open.splice(0)) await farm.close();
});

const profile = (fault: FaultKind, more: object = {}): FaultProfile =>
  faultProfile.parse({ name: fault, seed: 4, rules: [{ fault, rate: 1, ms: 20, ...more }] });
const faulty = async (faults?: FaultProfile): Promise<SmallFarm> => {
  const farm = await openSmallFarm(faults ? { faults } : {});
  open.push(farm);
  return farm;
};
const post = (farm: SmallFarm, url: string, payload: object) => farm.inject({ method: 'POST', url, payload });
const faultOf = (answer: { headers: Readonly<Record<string, unknown>> }) => answer.headers['x-rookery-fault'];
const injected = async (farm: SmallFarm, fault: FaultKind) =>
  Number(
    new RegExp(`rookery_injected_faults_total\\{fault="${fault}"\\} (\\d+)`).exec(
      (await farm.inject('/metrics')).body,
    )?.[1] ?? 0,
  );

test('a server with faults has them at every address where tools are called, marked and counted', async () => {
  const farm = await faulty(profile('unavailable', { retry_after_s: 3 }));
  const handle = farm.service.start_tables[0]?.handle;
  const list = (await farm.inject('/tools/small/rest?obfuscate=true')).json();
  const source = { data_source: handle };
  const answers = [
    await farm.inject(DIRECT),
    await post(farm, '/v1/test/small/slot/truncate', { truncate_array: handle, n: 2 }),
    await post(farm, '/v1/test/small/sel/get_person_names', source),
    await post(farm, list.call.replace('{name}', list.tools[0].name), { ARG_0: 1 }),
    await farm.inject('/v1/test/small/no_such_endpoint'),
  ];
  for (const answer of answers) {
    expect(answer.statusCode).toBe(503);
    expect(answer.headers).toMatchObject({
      'x-rookery-fault': 'unavailable',
      'retry-after': '3',
      'cache-control': 'no-store',
      'content-type': expect.stringContaining('problem+json'),
    });
  }
  const client = new Client({ name: 'test', version: '1' });
  const address = new URL('/mcp/small/rest', await farm.app.listen({ port: 0 }));
  await client.connect(new StreamableHTTPClientTransport(address));
  expect(await client.callTool({ name: PEOPLE, arguments: { min_age: 40 } })).toMatchObject({
    isError: true,
    _meta: { 'rookery/retry-after': '3' },
  });
  await client.close();
  expect(await injected(farm, 'unavailable')).toBe(6);
});

test('and at no others', async () => {
  const farm = await faulty(profile('server_error'));
  for (const url of [
    '/health/live',
    '/health/ready',
    '/metrics',
    '/',
    '/tasks',
    '/tasks/test/small/1/rest',
    '/tasks/test/small/1/rest/tools',
    '/tools/small/slot',
    '/v1/test/small/slot/toolset',
    '/v1/test/small/sel/start_tables',
  ]) {
    const answer = await farm.inject(url);
    expect([url, answer.statusCode, faultOf(answer)]).toEqual([url, 200, undefined]);
  }
});

test('a call that failed can be made again; a server that is started again fails in the same places', async () => {
  const half = profile('server_error', { rate: 0.5 });
  const history = async (farm: SmallFarm, url = DIRECT) => {
    const statuses: number[] = [];
    for (let i = 0; i < 24; i++) statuses.push((await farm.inject(url)).statusCode);
    return statuses;
  };
  const first = await history(await faulty(half));
  expect(new Set(first)).toEqual(new Set([200, 500]));
  const second = await faulty(half);
  // Whatever else is called in between.
  const other = await history(second, '/v1/test/small/people_by_min_age?min_age=41');
  expect(await history(second)).toEqual(first);
  expect(other).not.toEqual(first);
  expect(await history(await faulty({ ...half, seed: 5 }))).not.toEqual(first);
});

test('what is corrupted is the answer that there would have been', async () => {
  const late = await faulty(profile('latency'));
  const began = performance.now();
  const answer = await late.inject({ url: DIRECT, headers: { 'x-request-id': 'mine' } });
  expect(performance.now() - began).toBeGreaterThan(18);
  expect(answer.body).toBe(TRUE_BODY);
  expect(answer.headers).toMatchObject({ 'x-rookery-fault': 'latency', 'x-request-id': 'mine' });
  const broken = await (await faulty(profile('truncated'))).inject(DIRECT);
  expect(TRUE_BODY.startsWith(broken.body)).toBe(true);
  expect(() => JSON.parse(broken.body)).toThrow();
  const filter = { truncate_array: late.service.start_tables[0]?.handle, n: 2 };
  const table = await post(late, '/v1/test/small/slot/truncate?preview=1', filter);
  expect(table.json()).toMatchObject({ kind: 'table', row_count: 2, preview: [{}] });
});

test('rules mean tools by the names that runs know them by, at every address', async () => {
  const farm = await faulty(profile('server_error', { tools: [PEOPLE, 'truncate'] }));
  expect((await farm.inject(DIRECT)).statusCode).toBe(500);
  expect((await farm.inject('/v1/test/small/cities_by_name?name=Oslo')).statusCode).toBe(200);
  expect((await post(farm, '/v1/test/small/slot/truncate', {})).statusCode).toBe(500);
  expect((await post(farm, '/v1/test/small/slot/group_data_by', {})).statusCode).toBe(400);
});

test('calls of runs meet the faults of their run, once', async () => {
  const farm = await faulty(profile('latency'));
  const call = async (more: object) => {
    const { base } = (await post(farm, '/runs', { sample_id: 'test/small/1/rest', ...more })).json();
    const answer = await post(farm, `${base}/call/${PEOPLE}`, { min_age: 40 });
    return [answer.body, faultOf(answer)];
  };
  expect(await call({})).toEqual([TRUE_BODY, 'latency']);
  expect(await injected(farm, 'latency')).toBe(1);
  expect(await call({ faults: 'none' })).toEqual([TRUE_BODY, undefined]);
  expect(await injected(farm, 'latency')).toBe(1);
});

test('a request cannot pass itself off as internal', async () => {
  const farm = await faulty(profile('server_error'));
  const headers = { 'x-rookery-internal': 'true' };
  expect((await farm.inject({ url: DIRECT, headers })).statusCode).toBe(500);
});

test('without the option there are none, and nothing is marked', async () => {
  const farm = await faulty();
  for (let i = 0; i < 20; i++) {
    const answer = await farm.inject(DIRECT);
    expect([answer.statusCode, faultOf(answer)]).toEqual([200, undefined]);
  }
});
