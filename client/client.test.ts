import { afterAll, beforeAll, expect, test } from 'vitest';
import { HARNESS_KEY, openSmallFarm, type SmallFarm } from '../services/testing/small-farm.ts';
import { Rookery } from './index.ts';

const PEOPLE = 'get_people_by_min_age_v1_test_small_people_by_min_age_get';
let small: SmallFarm;
let farm: Rookery;
beforeAll(async () => {
  small = await openSmallFarm();
  farm = new Rookery(await small.app.listen({ port: 0 }), { harnessKey: HARNESS_KEY });
});
afterAll(() => small.close());

test('a call is a result whether or not it was carried out, and tells of faults on purpose', async () => {
  const rules = [{ fault: 'unavailable' as const, rate: 1, retry_after_s: 4 }];
  const sample_id = 'test/small/1/rest';
  const well = await farm.run({ sample_id });
  expect(await well.call(PEOPLE, { min_age: 40 })).toMatchObject({
    ok: true,
    body: { row_count: 1 },
    fault: null,
  });
  expect(await well.call(PEOPLE, {})).toMatchObject({ ok: false, status: 400, fault: null });
  const faulty = await farm.run({ sample_id, faults: { rules } });
  expect(await faulty.call(PEOPLE, { min_age: 40 })).toMatchObject({
    ok: false,
    status: 503,
    retryAfter: '4',
    fault: 'unavailable',
  });
});

test('the end of a run is thrown, with its problem', async () => {
  const run = await farm.run({ sample_id: 'test/small/1/rest', budget: { calls: 1 } });
  await run.call(PEOPLE, { min_age: 40 });
  await expect(run.call(PEOPLE, { min_age: 40 })).rejects.toMatchObject({
    name: 'RookeryError',
    status: 409,
    problem: { code: 'RUN_OVER' },
  });
  await expect(farm.task('test/small/9/rest')).rejects.toThrow(/UNKNOWN_TASK/);
});
