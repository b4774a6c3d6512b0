import { afterEach, expect, test } from 'vitest';
import { accessEnvironment } from '../../base/access/access-environment.ts';
import { HARNESS_HEADERS, openSmallFarm, type SmallFarm } from '../../testing/small-farm.ts';

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

/** Codes of `GET /metrics` by who asks: somebody on this machine, behind a proxy on it, and elsewhere. */
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

test('a metrics key that is short, or opens more than metrics, is refused', () => {
  const env = { ROOKERY_API_KEYS: 'one-of-the-api-keys', ROOKERY_HARNESS_KEY: 'the-key-of-the-harness' };
  expect(accessEnvironment({ ...env, ROOKERY_METRICS_KEY: KEY }).metricsKey).toBe(KEY);
  expect(accessEnvironment({ ROOKERY_METRICS_KEY: '' }).metricsKey).toBeUndefined();
  for (const metricsKey of ['short', ...Object.values(env)]) {
    expect(() => accessEnvironment(env, { metricsKey })).toThrow(
      expect.objectContaining({ file: '--metrics-key' }),
    );
  }
});

/** The value of one sample; undefined where there is none. */
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
