import { expect, test } from 'vitest';
import type { RecordChange } from '../../contracts/records.ts';
import { describeFaults, judgeDiff, type RunFacts } from './judge-diff.ts';

const order = (id: number, values: object = {}): RecordChange => ({
  table: 'order',
  key: { id },
  before: null,
  after: { id, customer: 7, ...values },
});
const line = (id: number, order_id: number, item: string): RecordChange => ({
  table: 'line',
  key: { id },
  before: null,
  after: { id, order_id, item },
});
const made = (change: RecordChange, column?: string): RecordChange => ({
  ...change,
  generated: column ? [{ table: 'line', column }] : [],
});
const changed: RecordChange = {
  table: 'pet',
  key: { id: 1 },
  before: { id: 1, weight: 4 },
  after: { id: 1, weight: 5 },
};
const GOLD = [made(order(10), 'order_id'), made(line(20, 10, 'a')), made(line(21, 10, 'b')), changed];
const kinds = (diff: readonly RecordChange[], gold: readonly RecordChange[] = GOLD) =>
  judgeDiff(gold, diff).faults.map(({ kind }) => kind);

test('the same changes pass, in any order, with any generated keys that fit together', () => {
  expect(judgeDiff(GOLD, GOLD).passes).toBe(true);
  const others = [
    line(31, 99, 'a'),
    order(99),
    line(30, 99, 'b'),
    { ...changed, after: { id: 1, weight: 5.0000000001 } },
  ];
  expect(judgeDiff(GOLD, others).passes).toBe(true);
});

test('any value will do in a column that the task leaves open, but in no other row', () => {
  const noted = (id: number, note: string | null, weight = 5): RecordChange => ({
    table: 'pet',
    key: { id },
    before: { id, weight: 4, note: null },
    after: { id, weight, note },
  });
  const gold = [
    { ...noted(1, 'ate well'), open: ['note'] },
    { ...made(order(10, { day: 'mon', note: 'a' }), 'order_id'), open: ['note'] },
  ];
  const day = order(99, { day: 'mon', note: 'b' });
  for (const note of ['ate little', null]) expect(kinds([noted(1, note), day], gold)).toEqual([]);
  expect(kinds([noted(1, 'ate well', 6), day], gold)).toEqual(['wrong_value']);
  expect(kinds([noted(2, 'ate little'), day], gold)).toEqual(['wrong_row']);
  expect(kinds([noted(1, 'x'), order(99, { day: 'tue', note: 'a' })], gold)).toEqual(['wrong_value']);
  expect(kinds([noted(1, 'x'), day, order(100, { day: 'mon', note: 'c' })], gold)).toEqual(['duplicate']);
  expect(kinds([noted(1, 'x'), day, noted(2, 'ate well', 4)], gold)).toEqual(['side_effect']);
  expect(kinds([day], gold)).toEqual(['missing']);
});

test('records whose keys the server made may come in any order', () => {
  const [one, other] = [order(10, { day: 'mon' }), order(11, { day: 'tue' })];
  const gold = [made(one, 'order_id'), made(other, 'order_id'), line(1, 10, 'a'), line(2, 11, 'b')];
  const swapped = [order(10, { day: 'tue' }), order(11, { day: 'mon' }), line(1, 11, 'a'), line(2, 10, 'b')];
  expect(kinds(swapped, gold)).toEqual([]);
  expect(kinds([...swapped.slice(0, 2), ...gold.slice(2)], gold)).not.toEqual([]);
});

test('a line at the wrong one of two new orders fails, and that line is what is wrong', () => {
  const gold = [made(order(10), 'order_id'), made(order(11), 'order_id'), made(line(1, 10, 'a'))];
  const more = [...gold, made(line(2, 10, 'b')), made(line(3, 11, 'c'))];
  const right = [order(30), order(31), line(5, 30, 'c'), line(6, 31, 'a'), line(7, 31, 'b')];
  expect(kinds(right, more)).toEqual([]);
  expect(kinds([...right.slice(0, 4), line(7, 30, 'b')], more)).toEqual(['wrong_value']);
});

test('eight new records in another order pass', () => {
  const lines = [...'abcdefgh'].map((item, at) => made(line(at, 5, item)));
  const reversed = [...'hgfedcba'].map((item, at) => line(at, 5, item));
  const gold = [made(order(5), 'order_id'), ...lines];
  const other = reversed.map((each) => ({ ...each, after: { ...each.after, order_id: 6 } }));
  expect(kinds([order(6), ...other], gold)).toEqual([]);
});

test('a reference to another record than the one created fails', () => {
  expect(kinds([order(99), line(30, 98, 'a'), line(31, 99, 'b'), changed])).not.toEqual([]);
});

test('tells apart what is wrong', () => {
  expect(kinds([])).toEqual(['missing', 'missing', 'missing', 'missing']);
  expect(kinds(GOLD.slice(0, 3))).toEqual(['missing']);
  expect(kinds([...GOLD.slice(0, 3), { ...changed, after: { id: 1, weight: 6 } }])).toEqual(['wrong_value']);
  expect(kinds([...GOLD, line(22, 10, 'b')])).toEqual(['duplicate']);
  const other = { ...changed, key: { id: 2 } };
  expect(kinds([...GOLD, other])).toEqual(['side_effect']);
  expect(kinds([...GOLD.slice(0, 3), { ...changed, after: null }])).toEqual(['wrong_value']);
  expect(describeFaults(judgeDiff(GOLD, [...GOLD, other]))).toBe('side effect: pet 2');
  // Another row in the place of the right one is one fault, whatever else was done.
  expect(kinds([...GOLD.slice(0, 3), other])).toEqual(['wrong_row']);
  const deleted = (id: number): RecordChange => ({ ...changed, key: { id }, after: null });
  expect(kinds([deleted(2)], [deleted(1)])).toEqual(['wrong_row']);
  expect(kinds([deleted(2)], [changed])).toEqual(['missing', 'side_effect']);
});

test('tells apart refusing in vain, doing what must not be done, and breaking a rule', () => {
  const judged = (gold: readonly RecordChange[], diff: readonly RecordChange[], facts: RunFacts) =>
    judgeDiff(gold, diff, facts).faults.map(({ kind }) => kind);
  expect(judged([changed], [], { tried: false })).toEqual(['refused_in_vain']);
  expect(judged([changed], [], { tried: true })).toEqual(['missing']);
  expect(judged([], [], { tried: false })).toEqual([]);
  expect(judged([], [changed], { tried: true })).toEqual(['forbidden']);
  const broken = judgeDiff([changed], [changed], { broken: ['closed-months'] });
  expect([broken.passes, describeFaults(broken)]).toEqual([false, 'policy: closed-months']);
});

test('a key that the task names must be that one', () => {
  expect(kinds([order(11)], [order(10)])).toEqual(['missing', 'duplicate']);
});

test('components are the shares of right changes', () => {
  expect(judgeDiff(GOLD, [changed, { ...changed, key: { id: 2 } }])).toMatchObject({
    precision: 0.5,
    recall: 0.25,
  });
});

/** A seeded wrong attempt never has the gold's end state. */
test('no attempt whose end state differs passes', () => {
  let seed = 3;
  const random = (below: number) => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return seed % below;
  };
  const mutations: ((diff: RecordChange[]) => RecordChange[])[] = [
    (diff) => diff.filter((_, at) => at !== random(diff.length)),
    (diff) => [...diff, { ...changed, key: { id: 2 + random(9) } }],
    (diff) => [...diff, line(50, 10, 'ab'[random(2)] ?? 'a')],
    (diff) =>
      diff.map((each) =>
        each.table === 'pet' ? { ...each, after: { id: 1, weight: 6 + random(9) } } : each,
      ),
    (diff) =>
      diff.map((each) => (each.table === 'line' ? { ...each, after: { ...each.after, item: 'c' } } : each)),
    (diff) =>
      diff.map((each) =>
        each.table === 'order' ? { ...each, after: { ...each.after, customer: 8 } } : each,
      ),
    (diff) =>
      diff.map((each) => (each.table === 'pet' ? { ...each, after: { ...each.after, extra: 1 } } : each)),
    (diff) =>
      diff.map((each) => (each.key.id === 20 ? { ...each, after: { ...each.after, order_id: 1 } } : each)),
    () => [],
  ];
  for (let n = 0; n < 2000; n++) {
    const mutate = mutations[random(mutations.length)] as (typeof mutations)[number];
    expect(judgeDiff(GOLD, mutate([...GOLD])).passes).toBe(false);
  }
});
