import { describe, expect, test } from 'vitest';
import { fc, runs } from '../tests/support/random-input.ts';
import { sameCell, sameRow, sameRows } from './answer-rows.ts';
import type { Cell, Row } from './catalog.ts';

describe('cells', () => {
  test.each<[Cell, Cell, boolean]>([
    [null, null, true],
    [null, 0, false],
    [null, '', false],
    [1, 1.0, true],
    [1, 1 + 1e-12, true],
    [1, 1 + 1e-8, false],
    [1e20, 1e20 + 1e10, true],
    [9007199254740993n, 9007199254740992n, false],
    [9007199254740993n, 9007199250000000, false],
    [9007199254740993n, 9007199254740993n, true],
    [10_000_000_000, 10_000_000_001, false],
    [10_000_000_000, 10_000_000_000.5, true],
    [9007199254740993n, 1e20, false],
    [2n ** 62n, 2 ** 62, true],
    [2n ** 62n, String(2n ** 62n), false],
    [0, 1e-300, false],
    [0, -0, true],
    [1, '1', false],
    ['a', 'A', false],
    ['a', 'a ', false],
    [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, true],
    [Number.POSITIVE_INFINITY, 1, false],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, false],
  ])('%o and %o: %s', (a, b, same) => {
    expect(sameCell(a, b)).toBe(same);
    expect(sameCell(b, a)).toBe(same);
    expect(sameRows([[a], ['x']], [[b], ['x']], null)).toBe(same);
  });
});

describe('order', () => {
  const gold: Row[] = [[1], [2], [2.5], [3]];
  test.each<[string, Row[], number[] | null, boolean]>([
    ['a bag forgets the order', [[3], [2.5], [2], [1]], null, true],
    ['a list does not', [[1], [2.5], [2], [3]], [0, 1, 2, 3], false],
    ['tied rows may swap', [[1], [2.5], [2], [3]], [0, 1, 1, 2], true],
    ['but not leave their group', [[2], [1], [2.5], [3]], [0, 1, 1, 2], false],
    ['one group is a bag', [[3], [2.5], [2], [1]], [0, 0, 0, 0], true],
  ])('%s', (_, answer, groups, same) => {
    expect(sameRows(gold, answer, groups)).toBe(same);
  });
});

describe('bags', () => {
  test.each<[string, Row[], Row[], boolean]>([
    ['both empty', [], [], true],
    ['empty and one row of NULL', [], [[null]], false],
    ['duplicates count', [['a'], ['a'], ['b']], [['a'], ['b'], ['b']], false],
    ['columns have positions', [['a', 'b']], [['b', 'a']], false],
    ['one column more', [['a']], [['a', 'b']], false],
    [
      'values crossed between rows',
      [
        [1, 2],
        [3, 4],
      ],
      [
        [1, 4],
        [3, 2],
      ],
      false,
    ],
    ['text that looks like a row', [['1,2']], [[1, 2]], false],
    [
      'nearly equal numbers in other order',
      [
        [1, 'x'],
        [1 + 5e-10, 'y'],
      ],
      [
        [1, 'y'],
        [1 + 5e-10, 'x'],
      ],
      true,
    ],
  ])('%s', (_, gold, answer, same) => {
    expect(sameRows(gold, answer, null)).toBe(same);
  });

  test('finds a pairing although near equality is not transitive', () => {
    const [low, middle, high] = [1, 1 + 0.9e-9, 1 + 1.8e-9];
    expect(sameCell(low, high)).toBe(false);
    expect(
      sameRows(
        [
          [low, 0],
          [middle, 0],
        ],
        [
          [middle, 0],
          [high, 0],
        ],
        null,
      ),
    ).toBe(true);
    expect(
      sameRows(
        [
          [low, 0],
          [low, 0],
        ],
        [
          [middle, 0],
          [high, 0],
        ],
        null,
      ),
    ).toBe(false);
  });

  test('agrees with a search through every pairing', () => {
    const near = fc.integer({ min: 0, max: 3 }).map((k) => 1 + k * 0.7e-9);
    const large = fc.constantFrom<Cell>(2n ** 62n, 2n ** 62n + 1n, 2 ** 62, 2 ** 62 * (1 + 0.7e-9));
    const cell: fc.Arbitrary<Cell> = fc.oneof(near, near, large, fc.constantFrom<Cell>(null, 'a', 2));
    const rows = fc.array(fc.tuple(cell, cell), { maxLength: 5 });
    fc.assert(
      fc.property(rows, rows, (a, b) => {
        expect(sameRows(a, b, null)).toBe(pairingExists(a, b));
      }),
      { numRuns: runs(5000) },
    );
  });

  test('a shuffled and nudged copy is equal; one with a changed cell is not', () => {
    const cell = fc.oneof(
      fc.double({ min: -1e300, max: 1e300, noNaN: true }),
      fc.string(),
      fc.constant(null),
      fc.integer(),
    );
    const bag = fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(bag, fc.nat(), (rows, at) => {
        const nudged = rows.map((row) => row.map((c) => (typeof c === 'number' ? c * (1 + 1e-13) : c)));
        const shuffled = nudged
          .map((row, i) => ({ row, key: (i * 7919 + at) % 101 }))
          .sort((a, b) => a.key - b.key);
        const copy = shuffled.map(({ row }) => row);
        expect(sameRows(rows, copy, null)).toBe(true);
        const changed = copy.map((row, i) =>
          i === at % copy.length ? [row[0] ?? null, row[1] ?? null, 'changed!'] : row,
        );
        expect(sameRows(rows, changed, null)).toBe(false);
      }),
    );
  });

  test('50,000 rows of few distinct values are compared in moderate time, equal or not', () => {
    const rows: Row[] = Array.from({ length: 50_000 }, (_, i) => [
      i % 10,
      (i * 7) % 11,
      0.1 + (i % 3) * 1e-10,
    ]);
    const other = rows.map(([a, b, c]): Row => [a ?? null, b ?? null, (c as number) + 1e-11]).reverse();
    const started = performance.now();
    expect(sameRows(rows, other, null)).toBe(true);
    other[7] = [3, 3.5, 0.1];
    expect(sameRows(rows, other, null)).toBe(false);
    expect(performance.now() - started).toBeLessThan(15_000);
  });
});

function pairingExists(a: readonly Row[], b: readonly Row[]): boolean {
  if (a.length !== b.length) return false;
  const [first, ...rest] = a;
  if (first === undefined) return true;
  return b.some((row, i) => sameRow(first, row) && pairingExists(rest, b.toSpliced(i, 1)));
}
