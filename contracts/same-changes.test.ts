import { expect, test } from 'vitest';
import type { RecordChange } from './records.ts';
import { inKeysOf, sameChanges } from './same-changes.ts';

const created = (table: string, values: object, references?: readonly [string, string][]): RecordChange => {
  const after = values as Record<string, number | string>;
  return {
    table,
    key: { id: after.id ?? null },
    before: null,
    after,
    ...(references ? { generated: references.map(([to, column]) => ({ table: to, column })) } : {}),
  };
};
const order = (id: number, day = 'mon') => created('order', { id, day }, [['line', 'order_id']]);
const line = (id: number, order_id: number, item: string) => created('line', { id, order_id, item }, []);
const bare = (diff: readonly RecordChange[]) => diff.map(({ generated: _, ...change }) => change);

test('two new orders with the same values keep their own lines', () => {
  const gold = [order(1), order(2), line(1, 1, 'a'), line(2, 1, 'b'), line(3, 2, 'c')];
  const swapped = [order(1), order(2), line(1, 1, 'c'), line(2, 2, 'a'), line(3, 2, 'b')];
  const mixed = [order(1), order(2), line(1, 1, 'a'), line(2, 1, 'c'), line(3, 2, 'b')];
  const alone = [order(1), order(2), line(1, 1, 'a'), line(2, 1, 'b'), line(3, 1, 'c')];
  expect(sameChanges(gold, bare(swapped))).toBe(true);
  expect(sameChanges(gold, bare(mixed))).toBe(false);
  expect(sameChanges(gold, bare(alone))).toBe(false);
});

test('lines at an older order that has the key of the gold are no lines of the new one', () => {
  const gold = [order(5), line(9, 5, 'a')];
  expect(sameChanges(gold, bare([order(6), line(9, 6, 'a')]))).toBe(true);
  expect(sameChanges(gold, bare([order(6), line(9, 5, 'a')]))).toBe(false);
});

test('keys of several columns, and rows that were there, refer to new records too', () => {
  const visit = (id: number) =>
    created('visit', { id }, [
      ['bill', 'visit_id'],
      ['pet', 'last_visit'],
    ]);
  const bill = (visit_id: number, row: number): RecordChange => ({
    table: 'bill',
    key: { visit_id, row },
    before: null,
    after: { visit_id, row, amount: 3 },
  });
  const pet = (last_visit: number): RecordChange => ({
    table: 'pet',
    key: { id: 1 },
    before: { id: 1, last_visit: 2 },
    after: { id: 1, last_visit },
  });
  const gold = [bill(7, 1), bill(7, 2), pet(7), visit(7)];
  expect(sameChanges(gold, bare([bill(8, 1), bill(8, 2), pet(8), visit(8)]))).toBe(true);
  expect(sameChanges(gold, bare([bill(8, 1), bill(8, 3), pet(8), visit(8)]))).toBe(false);
  expect(sameChanges(gold, bare([bill(8, 1), bill(8, 2), pet(7), visit(8)]))).toBe(false);
});

test('a record that refers to itself, and two that refer to each other', () => {
  const staff = (id: number, boss: number) => created('staff', { id, boss }, [['staff', 'boss']]);
  expect(sameChanges([staff(1, 1)], bare([staff(4, 4)]))).toBe(true);
  expect(sameChanges([staff(1, 1)], bare([staff(4, 1)]))).toBe(false);
  expect(sameChanges([staff(1, 2), staff(2, 1)], bare([staff(4, 5), staff(5, 4)]))).toBe(true);
  expect(sameChanges([staff(1, 2), staff(2, 1)], bare([staff(4, 4), staff(5, 5)]))).toBe(false);
});

test('of records that differ in something, those that are alike are compared', () => {
  const gold = [order(1, 'mon'), order(2, 'tue'), line(1, 1, 'a'), line(2, 2, 'b')];
  const made = bare([order(1, 'tue'), line(5, 1, 'b')]);
  expect(inKeysOf(gold, made).map(({ key, after }) => [key.id, after])).toEqual([
    // Neither was made, and 1 is the key of another record now.
    [null, { id: null, day: 'mon' }],
    [1, { id: 1, day: 'tue' }],
    [1, { id: 1, order_id: null, item: 'a' }],
    [5, { id: 5, order_id: 1, item: 'b' }],
  ]);
});

/** Random new rows of two levels, many of them alike, under other keys and in another order: the same; edited: not. */
test('random new records are the same under any keys, and another end state never is', () => {
  let seed = 11;
  const below = (n: number) => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return Math.floor((seed / 2147483648) * n);
  };
  const shuffled = <T>(list: readonly T[]): T[] => {
    const left = [...list];
    return list.map(() => left.splice(below(left.length), 1)[0] as T);
  };
  /** The rows without their keys, as trees of values. */
  const meaning = (diff: readonly RecordChange[]) =>
    diff
      .filter(({ table }) => table === 'order')
      .map(({ key, after }) => {
        const lines = diff.filter((each) => each.table === 'line' && each.after?.order_id === key.id);
        return `${after?.day}: ${lines.map((each) => String(each.after?.item)).sort()}`;
      })
      .sort()
      .join('; ');
  let differing = 0;
  for (let n = 0; n < 600; n++) {
    const [orders, lines] = [1 + below(5), below(12)];
    const gold = [
      ...Array.from({ length: orders }, (_, i) => order(100 + i, ['mon', 'tue'][below(2)])),
      ...Array.from({ length: lines }, (_, i) => line(500 + i, 100 + below(orders), 'ab'[below(2)] ?? '')),
    ];
    const keys = { order: shuffled([...Array(orders).keys()]), line: shuffled([...Array(lines).keys()]) };
    const renamed = gold.map(({ table, after }): RecordChange => {
      const id = (at: number) => 100 + (keys.order[at - 100] ?? 0);
      if (table === 'order') return order(id(Number(after?.id)), String(after?.day));
      const own = 500 + (keys.line[Number(after?.id) - 500] ?? 0);
      return line(own, id(Number(after?.order_id)), String(after?.item));
    });
    const other = bare(shuffled(renamed));
    expect(sameChanges(gold, other)).toBe(true);
    const at = below(other.length);
    const moved = other.map((change, i): RecordChange => {
      if (i !== at) return change;
      const { table, after } = change;
      if (table === 'order') return { ...change, after: { ...after, day: ['mon', 'tue'][below(2)] ?? '' } };
      return { ...change, after: { ...after, order_id: 100 + below(orders) } };
    });
    const isSame = meaning(moved) === meaning(gold);
    expect(sameChanges(gold, moved), `${meaning(gold)} | ${meaning(moved)}`).toBe(isSame);
    if (!isSame) differing++;
  }
  expect(differing).toBeGreaterThan(200);
});

test('many records that are all alike but one are compared in few steps', () => {
  const many = (last: string) => [
    ...Array.from({ length: 10 }, (_, i) => order(i)),
    ...Array.from({ length: 10 }, (_, i) => line(i, i, i === 9 ? last : 'a')),
  ];
  expect(sameChanges(many('b'), bare(many('b')).reverse())).toBe(true);
  expect(sameChanges(many('b'), bare(many('c')))).toBe(false);
});
