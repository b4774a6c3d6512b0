import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type FaultKind, type FaultProfile, faultProfile } from '../../contracts/faults.ts';
import { openSmallFarm, type SmallFarm } from '../testing/small-farm.ts';
import { drawFault, FAULT_PROFILES, namedProfile } from './faults.ts';

let farm: SmallFarm;
beforeAll(async () => {
  farm = await openSmallFarm();
});
afterAll(() => farm.close());

const PEOPLE = 'get_people_by_min_age_v1_test_small_people_by_min_age_get';
const profile = (fault: FaultKind, more: object = {}): FaultProfile =>
  faultProfile.parse({ name: fault, rules: [{ fault, rate: 1, ms: 30, retry_after_s: 2, ...more }] });
const begin = async (faults: unknown, more: object = {}) => {
  const payload = { sample_id: 'test/small/1/rest', faults, ...more };
  const answer = await farm.inject({ method: 'POST', url: '/runs', payload });
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json().base as string;
};
const call = (base: string, args: object = { min_age: 40 }) =>
  farm.inject({ method: 'POST', url: `${base}/call/${PEOPLE}`, payload: args });
const trajectory = async (base: string) => (await farm.inject(base)).json().trajectory;
const TRUE_BODY = '{"data":[{"name":"Cid","age":41}],"row_count":1,"truncated":false}';

describe('a fault', () => {
  test.each<[FaultKind, number]>([
    ['rate_limit', 429],
    ['unavailable', 503],
    ['server_error', 500],
    ['timeout', 504],
  ])('%s answers %i, and the service is not asked', async (kind, status) => {
    const base = await begin(profile(kind));
    const answer = await call(base);
    expect(answer.statusCode).toBe(status);
    expect(answer.headers['content-type']).toContain('problem+json');
    expect(answer.headers['retry-after']).toBe(
      kind === 'rate_limit' || kind === 'unavailable' ? '2' : undefined,
    );
    expect(await trajectory(base)).toMatchObject([{ status, fault: kind, rows: null }]);
  });

  test('latency only takes time', async () => {
    const base = await begin(profile('latency', { ms: 80 }));
    expect((await call(base)).body).toBe(TRUE_BODY);
    const [entry] = await trajectory(base);
    expect(entry.fault).toBe('latency');
    expect(entry.latency_ms).toBeGreaterThan(75);
  });

  test.each<FaultKind>(['truncated', 'malformed'])(
    '%s is an answer that is no JSON, always',
    async (kind) => {
      const base = await begin(profile(kind));
      for (let i = 0; i < 20; i++) {
        const answer = await call(base);
        expect(answer.statusCode).toBe(200);
        expect(() => JSON.parse(answer.body), answer.body).toThrow();
      }
      expect((await trajectory(base))[0]).toMatchObject({ status: 200, rows: 1, fault: kind });
    },
  );

  test('schema_drift is JSON of another shape, always', async () => {
    const base = await begin(profile('schema_drift'));
    const bodies = new Set<string>();
    for (let i = 0; i < 30; i++) bodies.add((await call(base)).body);
    expect(bodies).not.toContain(TRUE_BODY);
    expect(bodies.size).toBeGreaterThan(3);
    for (const body of bodies) expect(() => JSON.parse(body), body).not.toThrow();
  });
});

describe('a profile', () => {
  test('strikes the same calls of the same task, at its rate, in every run', () => {
    const flaky = namedProfile('flaky', 7) as FaultProfile;
    const draws = (seed: number, scope = 'a/b/1/rest') =>
      Array.from(
        { length: 2000 },
        (_, n) => drawFault({ ...flaky, seed }, { scope, n, tool: 't' })?.fault ?? null,
      );
    expect(draws(7)).toEqual(draws(7));
    expect(draws(7)).not.toEqual(draws(8));
    expect(draws(7)).not.toEqual(draws(7, 'a/b/2/rest'));
    const share = (kind: FaultKind) => draws(7).filter((each) => each === kind).length / 2000;
    expect(share('unavailable')).toBeGreaterThan(0.08);
    expect(share('unavailable')).toBeLessThan(0.12);
    expect(share('server_error')).toBeGreaterThan(0.03);
    expect(share('server_error')).toBeLessThan(0.06);
  });

  test('can be limited to some tools', () => {
    const rules = [{ fault: 'server_error' as const, rate: 1, tools: ['get_*', 'x'] }];
    const some = { name: 'some', seed: 0, rules };
    const hit = (tool: string | null) => drawFault(some, { scope: '', n: 1, tool }) !== null;
    expect([hit('get_a'), hit('x'), hit('forget_a'), hit('xx'), hit(null)]).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  test.each(Object.keys(FAULT_PROFILES))('%s is valid, and can be requested by name', async (name) => {
    expect(faultProfile.safeParse(namedProfile(name)).success).toBe(true);
    const base = await begin(name, { seed: 5 });
    // While the run is open, silent faults are hidden.
    await farm.inject({ method: 'POST', url: `${base}/answer`, payload: { answer: 1 } });
    expect((await farm.inject(base)).json().faults).toMatchObject({ name, seed: 5 });
  });

  test('of the server applies to runs that choose none, is off when a run turns it off, and off by default', async () => {
    const faulty = await openSmallFarm({ faults: profile('server_error') });
    const status = async (served: SmallFarm, more: object) => {
      const payload = { sample_id: 'test/small/1/rest', ...more };
      const { base } = (await served.inject({ method: 'POST', url: '/runs', payload })).json();
      const answer = await served.inject({
        method: 'POST',
        url: `${base}/call/${PEOPLE}`,
        payload: { min_age: 1 },
      });
      return answer.statusCode;
    };
    expect(await status(faulty, {})).toBe(500);
    expect(await status(faulty, { faults: 'none' })).toBe(200);
    expect(await status(farm, {})).toBe(200);
    await faulty.close();
  });

  test('is marked in predictions, which leave out the calls whose answer was lost', async () => {
    const base = await begin({ name: 'once', rules: [{ fault: 'truncated', rate: 0.5 }] });
    for (let i = 0; i < 12; i++) await call(base);
    await farm.inject({ method: 'POST', url: `${base}/answer`, payload: { answer: 1 } });
    const lost = (await trajectory(base)).filter(
      ({ fault }: { fault: string | null }) => fault !== null,
    ).length;
    expect(lost).toBeGreaterThan(0);
    const [header, line] = (await farm.inject(`${base}/predictions`)).body
      .split('\n')
      .map((text) => text && JSON.parse(text));
    expect(header.settings.faults).toMatchObject({ name: 'once' });
    expect(line.calls).toHaveLength(12 - lost);
  });
});

const UNRECORDED_CALLS_PEOPLE = 'get_people_by_min_age_v1_test_small_people_by_min_age_get';
const DIRECT = '/v1/test/small/people_by_min_age?min_age=40';
const UNRECORDED_CALLS_TRUE_BODY = '{"data":[{"name":"Cid","age":41}],"row_count":1,"truncated":false}';

const open: SmallFarm[] = [];
afterEach(async () => {
  for (const farm of open.splice(0)) await farm.close();
});

const unrecordedCallsProfile = (fault: FaultKind, more: object = {}): FaultProfile =>
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

test('a server with faults injects them at every address that calls tools, marked and counted', async () => {
  const farm = await faulty(unrecordedCallsProfile('unavailable', { retry_after_s: 3 }));
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
  expect(await client.callTool({ name: UNRECORDED_CALLS_PEOPLE, arguments: { min_age: 40 } })).toMatchObject({
    isError: true,
    _meta: { 'rookery/retry-after': '3' },
  });
  await client.close();
  expect(await injected(farm, 'unavailable')).toBe(6);
});

test('and at no others', async () => {
  const farm = await faulty(unrecordedCallsProfile('server_error'));
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

test('a repeated call recovers; a restarted server fails in the same places', async () => {
  const half = unrecordedCallsProfile('server_error', { rate: 0.5 });
  const history = async (farm: SmallFarm, url = DIRECT) => {
    const statuses: number[] = [];
    for (let i = 0; i < 24; i++) statuses.push((await farm.inject(url)).statusCode);
    return statuses;
  };
  const first = await history(await faulty(half));
  expect(new Set(first)).toEqual(new Set([200, 500]));
  const second = await faulty(half);
  // Calls in between make no difference.
  const other = await history(second, '/v1/test/small/people_by_min_age?min_age=41');
  expect(await history(second)).toEqual(first);
  expect(other).not.toEqual(first);
  expect(await history(await faulty({ ...half, seed: 5 }))).not.toEqual(first);
});

test('corruption starts from the real answer', async () => {
  const late = await faulty(unrecordedCallsProfile('latency'));
  const began = performance.now();
  const answer = await late.inject({ url: DIRECT, headers: { 'x-request-id': 'mine' } });
  expect(performance.now() - began).toBeGreaterThan(18);
  expect(answer.body).toBe(UNRECORDED_CALLS_TRUE_BODY);
  expect(answer.headers).toMatchObject({ 'x-rookery-fault': 'latency', 'x-request-id': 'mine' });
  const broken = await (await faulty(unrecordedCallsProfile('truncated'))).inject(DIRECT);
  expect(UNRECORDED_CALLS_TRUE_BODY.startsWith(broken.body)).toBe(true);
  expect(() => JSON.parse(broken.body)).toThrow();
  const filter = { truncate_array: late.service.start_tables[0]?.handle, n: 2 };
  const table = await post(late, '/v1/test/small/slot/truncate?preview=1', filter);
  expect(table.json()).toMatchObject({ kind: 'table', row_count: 2, preview: [{}] });
});

test('rules name tools by their real names, at every address', async () => {
  const farm = await faulty(
    unrecordedCallsProfile('server_error', { tools: [UNRECORDED_CALLS_PEOPLE, 'truncate'] }),
  );
  expect((await farm.inject(DIRECT)).statusCode).toBe(500);
  expect((await farm.inject('/v1/test/small/cities_by_name?name=Oslo')).statusCode).toBe(200);
  expect((await post(farm, '/v1/test/small/slot/truncate', {})).statusCode).toBe(500);
  expect((await post(farm, '/v1/test/small/slot/group_data_by', {})).statusCode).toBe(400);
});

test('calls of runs meet the faults of their run, once', async () => {
  const farm = await faulty(unrecordedCallsProfile('latency'));
  const call = async (more: object) => {
    const { base } = (await post(farm, '/runs', { sample_id: 'test/small/1/rest', ...more })).json();
    const answer = await post(farm, `${base}/call/${UNRECORDED_CALLS_PEOPLE}`, { min_age: 40 });
    return [answer.body, faultOf(answer)];
  };
  expect(await call({})).toEqual([UNRECORDED_CALLS_TRUE_BODY, 'latency']);
  expect(await injected(farm, 'latency')).toBe(1);
  expect(await call({ faults: 'none' })).toEqual([UNRECORDED_CALLS_TRUE_BODY, undefined]);
  expect(await injected(farm, 'latency')).toBe(1);
});

test('a request cannot pass itself off as internal', async () => {
  const farm = await faulty(unrecordedCallsProfile('server_error'));
  const headers = { 'x-rookery-internal': 'true' };
  expect((await farm.inject({ url: DIRECT, headers })).statusCode).toBe(500);
});

test('without the option there are no faults, and nothing is marked', async () => {
  const farm = await faulty();
  for (let i = 0; i < 20; i++) {
    const answer = await farm.inject(DIRECT);
    expect([answer.statusCode, faultOf(answer)]).toEqual([200, undefined]);
  }
});
