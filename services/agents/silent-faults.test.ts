import { afterEach, describe, expect, test } from 'vitest';
import type { ProvenFaults } from '../../contracts/faults.ts';
import { openSmallFarm, type SmallFarm } from '../testing/small-farm.ts';
import { emitTask } from './describe-task.ts';
import { answerHash, type Spoiling, spoilAnswer } from './silent-faults.ts';
import { givenTasks } from './task-book.ts';

const PEOPLE = 'get_people_by_min_age_v1_test_small_people_by_min_age_get';
const OTHER = 'get_cities_by_name_v1_test_small_cities_by_name_get';
const TRUE_BODY = '{"data":[{"name":"Cid","age":41}],"row_count":1,"truncated":false}';
const WRONG_BODY = '{"data":[],"row_count":1,"truncated":false}';

let farm: SmallFarm;
afterEach(() => farm.close());

/** A farm whose first task can lose the row of people over forty. */
async function openWith(witnesses: ProvenFaults['faults'][number]['witnesses']) {
  const plain = await openSmallFarm();
  const sample = plain.sample('1/rest');
  const silent_faults: ProvenFaults = {
    tool: PEOPLE,
    answer: answerHash(TRUE_BODY),
    faults: [{ fault: 'dropped_rows', contradiction: 'explicit', witnesses }],
    other_endpoint: { tool: OTHER, arguments: {}, tells: 'rows', columns: [] },
  };
  const task = emitTask({ ...sample, silent_faults }, plain.service);
  await plain.close();
  farm = await openSmallFarm({ tasks: givenTasks([task]) });
}

async function begin(rule: object, more: object = {}) {
  const faults = { name: 'some', rules: [{ fault: 'dropped_rows', rate: 1, ...rule }] };
  const payload = { sample_id: 'test/small/1/rest', faults, ...more };
  return (await farm.inject({ method: 'POST', url: '/runs', payload })).json().base as string;
}
const call = (base: string, min_age = 40) =>
  farm.inject({ method: 'POST', url: `${base}/call/${PEOPLE}`, payload: { min_age } });
const end = async (base: string, doubts?: string) => {
  await farm.inject({ method: 'POST', url: `${base}/answer`, payload: { answer: 1, doubts } });
  const [header, line] = (await farm.inject(`${base}/predictions`)).body.split('\n');
  return { header: JSON.parse(header as string), line: JSON.parse(line as string) };
};

test('a transient silent fault strikes the first answer only', async () => {
  await openWith(['row_count']);
  const base = await begin({});
  expect((await call(base, 41)).body).toBe(WRONG_BODY);
  expect((await call(base, 41)).body).toBe(TRUE_BODY);
  const other = await begin({});
  expect((await call(other, 30)).json().data).toHaveLength(4);
});

test('a permanent one strikes every time, unless only repeating the call could reveal it', async () => {
  await openWith(['row_count']);
  const base = await begin({ lasting: 'permanent' });
  for (let i = 0; i < 3; i++) expect((await call(base)).body).toBe(WRONG_BODY);
  await farm.close();
  await openWith(['repeat']);
  expect((await call(await begin({ lasting: 'permanent' }))).body).toBe(TRUE_BODY);
});

test('one that only another endpoint reveals lasts where that endpoint is offered, and nowhere else', async () => {
  await openWith(['other_endpoint']);
  const whole = await begin({ lasting: 'permanent' });
  for (let i = 0; i < 2; i++) expect((await call(whole)).body).toBe(WRONG_BODY);
  const part = await begin({ lasting: 'permanent' }, { tools: '1' });
  expect((await call(part)).body).toBe(TRUE_BODY);
  expect((await call(await begin({}, { tools: '1' }))).body).toBe(WRONG_BODY);
});

test('is unmarked while the run is open, and marked in the record afterwards', async () => {
  await openWith(['row_count']);
  const base = await begin({});
  const answer = await call(base);
  expect(answer.headers).not.toHaveProperty('x-rookery-fault');
  const open = (await farm.inject(base)).json();
  expect(open.faults).toBeNull();
  expect(open.trajectory).toMatchObject([{ fault: null }]);
  await call(base);
  const { line, header } = await end(base, 'a row was missing');
  expect(header.settings.faults).toMatchObject({ name: 'some' });
  expect(line).toMatchObject({
    doubts: 'a row was missing',
    silent_faults: [{ fault: 'dropped_rows', tool: PEOPLE, repeated: 1, verified: true }],
  });
  // The agent was right to repeat the faulty call.
  expect(line.calls).toHaveLength(1);
  const over = (await farm.inject(base)).json();
  expect(over.trajectory).toMatchObject([{ fault: 'dropped_rows' }, { fault: null }]);
});

test('a fault that the agent trusted stays among the calls, unverified', async () => {
  await openWith(['row_count']);
  const base = await begin({});
  await call(base);
  const { line } = await end(base);
  expect(line.calls).toMatchObject([{ name: PEOPLE, fault: 'dropped_rows' }]);
  expect(line.silent_faults).toEqual([{ fault: 'dropped_rows', tool: PEOPLE, repeated: 0, verified: false }]);
});

const REST =
  '{"data":[{"n":"a","x":1},{"n":"b","x":20000000000000000001},{"n":"c","x":3.50}],"row_count":3,"truncated":false}';
const COLUMN =
  '{"kind":"column","handle":"h","column":"x","values":[1,2,3,4],"row_count":4,"truncated":false,"next_offset":null}';

describe('a silent fault in an answer of rows', () => {
  test.each<[Spoiling, string]>([
    [
      { fault: 'dropped_rows', contradiction: 'explicit' },
      '[{"n":"a","x":1},{"n":"c","x":3.50}],"row_count":3',
    ],
    [
      { fault: 'dropped_rows', contradiction: 'implicit' },
      '[{"n":"a","x":1},{"n":"c","x":3.50}],"row_count":2',
    ],
    [
      { fault: 'duplicated_rows', contradiction: 'implicit' },
      '[{"n":"a","x":1},{"n":"b","x":20000000000000000001},{"n":"b","x":20000000000000000001},{"n":"c","x":3.50}],"row_count":4',
    ],
    [{ fault: 'hidden_truncation', contradiction: 'explicit' }, '[{"n":"a","x":1}],"row_count":3'],
    [
      { fault: 'shifted_rows', contradiction: 'explicit', column: 'n' },
      '[{"n":null,"x":1},{"n":"a","x":20000000000000000001},{"n":"b","x":3.50}],"row_count":3',
    ],
    [
      { fault: 'wrong_unit', contradiction: 'explicit', column: 'x' },
      '[{"n":"a","x":0.001},{"n":"b","x":20000000000000000},{"n":"c","x":0.0035}],"row_count":3',
    ],
    [
      { fault: 'stale_rows', contradiction: 'explicit', stale_rows: '[{"n":"z","x":9}]' },
      '[{"n":"z","x":9}],"row_count":3',
    ],
  ])('%o leaves the rest of the answer as it was', (spoiling, rows) => {
    expect(spoilAnswer(REST, spoiling)).toBe(`{"data":${rows},"truncated":false}`);
  });

  test('also strikes the values of a column', () => {
    const values = (spoiling: Spoiling) => JSON.parse(spoilAnswer(COLUMN, spoiling) ?? 'null').values;
    expect(values({ fault: 'dropped_rows', contradiction: 'explicit' })).toEqual([1, 3, 4]);
    expect(values({ fault: 'shifted_rows', contradiction: 'implicit' })).toEqual([null, 1, 2, 3]);
    expect(values({ fault: 'wrong_unit', contradiction: 'implicit' })).toEqual([0.001, 0.002, 0.003, 0.004]);
  });

  test('does not strike where there is nothing to spoil', () => {
    const none = '{"data":[],"row_count":0,"truncated":false}';
    const cut = REST.replace('"truncated":false', '"truncated":true');
    expect(spoilAnswer(none, { fault: 'dropped_rows', contradiction: 'explicit' })).toBeNull();
    expect(spoilAnswer(cut, { fault: 'dropped_rows', contradiction: 'explicit' })).toBeNull();
    expect(spoilAnswer('not JSON', { fault: 'dropped_rows', contradiction: 'explicit' })).toBeNull();
    expect(spoilAnswer(REST, { fault: 'wrong_unit', contradiction: 'explicit', column: 'n' })).toBeNull();
    expect(spoilAnswer(REST, { fault: 'stale_rows', contradiction: 'explicit' })).toBeNull();
  });
});
