import { expect, test } from 'vitest';
import { compareRows, differenceText } from './difference.ts';

const gold = (rows: (string | number | null)[][], ordered = false) => ({
  query: '',
  rows,
  row_count: rows.length,
  ordered,
});

test('a cell that differs is named, wherever its row stands', () => {
  const rows = [
    ['b', 2],
    ['a', 7],
  ];
  const right = [
    ['a', 1],
    ['b', 2],
  ];
  expect(differenceText(rows, gold(right), null)).toBe('Row 2, column 2 is 7 where the gold has 1.');
  const { mine, theirs } = compareRows(rows, right, false);
  expect([[...mine], [...theirs]]).toEqual([['1 1'], ['0 1']]);
});

test('in order, rows are compared by their places', () => {
  const right = gold([['a'], ['b']], true);
  expect(differenceText([['b'], ['a']], right, null)).toBe(
    'Row 1, column 1 is “b” where the gold has “a”, and 1 more cell differs.',
  );
});

test('different numbers of rows and values are reported, and equal rows are no difference', () => {
  expect(differenceText([['a']], gold([['a'], ['b']]), null)).toBe(
    'It has 1 row where the gold has 2; missing, for example: “b”.',
  );
  expect(differenceText([['a']], gold([['a', 1]]), null)).toBe(
    'Its rows have 1 value where the gold’s have 2.',
  );
  expect(differenceText([[0.1 + 0.2]], gold([[0.3]]), null)).toBeNull();
});
