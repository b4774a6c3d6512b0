import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FaultKind, type FaultProfile, faultProfile } from '../../../contracts/fault.ts';
import { openSmallFarm, type SmallFarm } from '../../testing/small-farm.ts';
import { drawFault } from './draw-fault.ts';
import { FAULT_PROFILES, namedProfile } from './profiles.ts';

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
  test('strikes the same calls of the same task, at its rate, whoever asks', () => {
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

  test('can mean some tools only', () => {
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

  test.each(Object.keys(FAULT_PROFILES))('%s is valid, and can be asked for by name', async (name) => {
    expect(faultProfile.safeParse(namedProfile(name)).success).toBe(true);
    const base = await begin(name, { seed: 5 });
    // While the run is open, silent faults are not told of.
    await farm.inject({ method: 'POST', url: `${base}/answer`, payload: { answer: 1 } });
    expect((await farm.inject(base)).json().faults).toMatchObject({ name, seed: 5 });
  });

  test('of the server holds for runs that choose none, is off when a run says so, and off by default', async () => {
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
