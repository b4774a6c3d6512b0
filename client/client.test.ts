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

test('a call returns a result whether or not it succeeded, with any injected fault', async () => {
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

test('retries a few times if an overloaded farm asks for it', async () => {
  let asked = 0;
  const busy = (times: number, headers: Record<string, string>) => {
    asked = 0;
    const answer = async () =>
      ++asked <= times
        ? Response.json({ code: 'OVERLOADED', detail: 'busy' }, { status: 503, headers })
        : Response.json({ domains: [] });
    return new Rookery('http://busy', { fetch: answer });
  };
  expect(await busy(3, { 'retry-after': '0.01' }).index()).toEqual({ domains: [] });
  expect(asked).toBe(4);
  await expect(busy(99, { 'retry-after': '0' }).index()).rejects.toThrow('OVERLOADED');
  expect(asked).toBe(5);
  await expect(busy(1, {}).index()).rejects.toThrow('OVERLOADED');
  expect(asked).toBe(1);
  expect((await busy(1, { 'retry-after': '0', 'x-rookery-fault': 'unavailable' }).send('/')).status).toBe(
    503,
  );
});

test('lists domains, their catalogs, and endpoints by search', async () => {
  const { domains } = await farm.index();
  expect(domains).toMatchObject([{ db: 'small', endpoints: small.service.endpoints.length }]);
  const { tables, endpoints } = await farm.catalog('small');
  expect(tables).toEqual(small.service.catalog.tables);
  expect(endpoints.map(({ name }) => name)).toEqual(small.service.endpoints.map(({ name }) => name));
  // An endpoint’s SQL is not public.
  expect(JSON.stringify(endpoints)).not.toContain('SELECT');
  const [best] = await farm.findEndpoints('people by their least age', 3);
  expect(best).toMatchObject({ split: 'test', db: 'small', name: 'people_by_min_age' });
  await expect(farm.catalog('smal')).rejects.toThrow(/UNKNOWN_DOMAIN.*did you mean small/);
});

test('throws the end of a run, with its problem', async () => {
  const run = await farm.run({ sample_id: 'test/small/1/rest', budget: { calls: 1 } });
  await run.call(PEOPLE, { min_age: 40 });
  await expect(run.call(PEOPLE, { min_age: 40 })).rejects.toMatchObject({
    name: 'RookeryError',
    status: 409,
    problem: { code: 'RUN_OVER' },
  });
  await expect(farm.task('test/small/9/rest')).rejects.toThrow(/UNKNOWN_TASK/);
});

/** A farm whose tasks come in three pages, the second of them empty, and the paths requested so far. */
function pagedFarm(): { readonly paged: Rookery; readonly requested: string[] } {
  const pages: Record<string, { tasks: readonly { sample_id: string }[]; next: string | null }> = {
    '/tasks?db=shop': { tasks: [{ sample_id: 'a' }, { sample_id: 'b' }], next: '/tasks?page=2' },
    '/tasks?page=2': { tasks: [], next: '/tasks?page=3' },
    '/tasks?page=3': { tasks: [{ sample_id: 'c' }], next: null },
  };
  const requested: string[] = [];
  const answer: typeof fetch = (input) => {
    const path = String(input).slice('http://farm.test'.length);
    requested.push(path);
    return Promise.resolve(Response.json(pages[path]));
  };
  return { paged: new Rookery('http://farm.test', { fetch: answer }), requested };
}

test('yields the tasks of a selection page by page, each once', async () => {
  const { paged, requested } = pagedFarm();
  const ids: string[] = [];
  for await (const { sample_id } of paged.tasks({ db: ['shop'] })) ids.push(sample_id);
  expect(ids).toEqual(['a', 'b', 'c']);
  expect(requested).toHaveLength(3);
});

test('requests no further page if the caller stops reading', async () => {
  const { paged, requested } = pagedFarm();
  for await (const _ of paged.tasks({ db: ['shop'] })) break;
  expect(requested).toHaveLength(1);
});

test('yields all tasks of a served farm', async () => {
  const ids: string[] = [];
  for await (const { sample_id } of farm.tasks()) ids.push(sample_id);
  expect([...ids].sort()).toEqual(small.samples.map(({ sample_id }) => sample_id).sort());
});

test('an address may end in slashes; a key goes with every request', async () => {
  const sent: { address: string; authorization: string | null }[] = [];
  const spy: typeof fetch = (input, init) => {
    sent.push({ address: String(input), authorization: new Headers(init?.headers).get('authorization') });
    return Promise.resolve(Response.json({ tasks: [], next: null }));
  };
  const keyed = new Rookery('http://farm.test//', { apiKey: 'k-1', fetch: spy });
  for await (const _ of keyed.tasks()) throw new Error('no task expected');
  await keyed.task('toys/shop/a b/1/rest');
  expect(sent).toEqual([
    { address: 'http://farm.test/tasks', authorization: 'Bearer k-1' },
    {
      address: expect.stringMatching(/^http:\/\/farm\.test\/tasks\/toys\/shop\/.*\/rest$/),
      authorization: 'Bearer k-1',
    },
  ]);
});

test.each([
  ['a page of a proxy', '<h1>Bad gateway</h1>'],
  ['JSON that is no problem', '{"message":"Service Unavailable"}'],
  ['null', 'null'],
  ['nothing', ''],
])('an error with %s has no problem, and keeps its text', async (_, text) => {
  const proxy = new Rookery('http://farm.test', {
    fetch: () => Promise.resolve(new Response(text, { status: 502 })),
  });
  await expect(proxy.task('a/b/1/rest')).rejects.toMatchObject({
    name: 'RookeryError',
    status: 502,
    problem: null,
    message: `502: ${text}`,
  });
});

test('a batch has a run for every selected task', async () => {
  const batch = await farm.batch({ select: { formulation: 'rest' } });
  const rest = small.samples.filter(({ formulation }) => formulation === 'rest');
  expect(batch.runs.map(({ task }) => task.sample_id).sort()).toEqual(
    rest.map(({ sample_id }) => sample_id).sort(),
  );
  expect(new Set(batch.runs.map(({ id }) => id)).size).toBe(rest.length);
});

test('an answer ends a run, and its view has the calls', async () => {
  const run = await farm.run({ sample_id: 'test/small/1/rest' });
  await run.call(PEOPLE, { min_age: 40 });
  await run.answer([['Ann']]);
  expect(await run.view()).toMatchObject({ status: 'answered' });
  await expect(run.call(PEOPLE, { min_age: 40 })).rejects.toMatchObject({ problem: { code: 'RUN_OVER' } });
});
