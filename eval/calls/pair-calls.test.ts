import { expect, test } from 'vitest';
import { alignNames, assignCalls } from './calls.ts';

/** The most that any assignment is worth, by trying all. */
function best(gold: number, calls: readonly number[], worth: (gold: number, call: number) => number): number {
  if (gold < 0) return 0;
  const without = best(gold - 1, calls, worth);
  const withOne = calls.map(
    (call) =>
      worth(gold, call) +
      best(
        gold - 1,
        calls.filter((each) => each !== call),
        worth,
      ),
  );
  return Math.max(without, ...withOne);
}

test('a gold call yields its match if the total improves', () => {
  // The first gold call accepts both calls, the second only the first.
  const accepts = [
    [1, 1],
    [1, 0],
  ];
  expect(assignCalls(2, 2, (gold, call) => accepts[gold]?.[call] ?? 0)).toEqual([1, 0]);
});

test('the assignment is optimal for any weights', () => {
  let state = 7;
  const random = (n: number) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % n;
  };
  for (let round = 0; round < 200; round++) {
    const [gold, calls] = [random(4), random(5)];
    const table = Array.from({ length: gold }, () => Array.from({ length: calls }, () => random(4)));
    const worth = (g: number, c: number) => table[g]?.[c] ?? 0;
    const taken = assignCalls(gold, calls, worth);
    const used = taken.filter((call) => call !== null);
    expect(new Set(used).size).toBe(used.length);
    const sum = taken.reduce<number>((total, call, g) => total + (call === null ? 0 : worth(g, call)), 0);
    expect(sum).toBe(best(gold - 1, [...Array(calls).keys()], worth));
  }
});

test('worthless pairs are not assigned', () => {
  expect(assignCalls(2, 1, () => 0)).toEqual([null, null]);
  expect(assignCalls(0, 3, () => 1)).toEqual([]);
});

test.each([
  ['abc', 'abc', 'aa bb cc'],
  ['abc', 'ac', 'aa b- cc'],
  ['ac', 'abc', 'aa -b cc'],
  ['ab', 'ba', 'a- bb -a'],
  ['', 'a', '-a'],
  ['ab', '', 'a- b-'],
])('%s beside %s: %s', (gold, predicted, lines) => {
  const shown = alignNames([...gold], [...predicted]).map(
    ([g, p]) => (g === null ? '-' : gold[g]) + (p === null ? '-' : (predicted[p] ?? '')),
  );
  expect(shown.join(' ')).toBe(lines);
});
