import { describe, expect, test } from 'vitest';
import type { Cell, Row } from '../../contracts/catalog.ts';
import { fc, runs } from '../../tests/support/random-input.ts';
import { scoreExecution } from './execution-accuracy.ts';

const both = (gold: Row[], answer: Row[], order_groups: number[] | null = null) => [
  scoreExecution({ gold_answer: gold, order_groups }, answer, 'exact'),
  scoreExecution({ gold_answer: gold, order_groups }, answer, 'superset'),
];

describe('execution accuracy', () => {
  test.each<[string, Row[], Row[], [boolean, boolean]]>([
    ['both empty', [], [], [true, true]],
    ['different counts', [[1]], [[1], [1]], [false, false]],
    [
      'columns permuted',
      [
        [1, 'a'],
        [2, 'b'],
      ],
      [
        ['a', 1],
        ['b', 2],
      ],
      [true, true],
    ],
    [
      'rows shuffled and columns permuted',
      [
        [1, 'a'],
        [2, 'b'],
      ],
      [
        ['b', 2],
        ['a', 1],
      ],
      [true, true],
    ],
    [
      'crossed pairs',
      [
        [1, 'a'],
        [2, 'b'],
      ],
      [
        ['b', 1],
        ['a', 2],
      ],
      [false, false],
    ],
    [
      'an extra column',
      [[1], [2]],
      [
        ['x', 1],
        ['y', 2],
      ],
      [false, true],
    ],
    ['a column short', [[1, 2]], [[1]], [false, false]],
    [
      'one answer column cannot serve twice',
      [
        [1, 1],
        [2, 2],
      ],
      [
        [1, 9],
        [2, 9],
      ],
      [false, false],
    ],
    ['duplicates count', [[1], [1], [2]], [[1], [2], [2]], [false, false]],
    ['1 is 1.0', [[1]], [[1.0]], [true, true]],
    ['1 is not "1"', [[1]], [['1']], [false, false]],
    ['no tolerance', [[0.3]], [[0.1 + 0.2]], [false, false]],
    ['NULL is NULL', [[null]], [[null]], [true, true]],
    ['NULL is not the text', [[null]], [['null']], [false, false]],
    ['0 is -0', [[0]], [[-0]], [true, true]],
    ['infinity is not NULL', [[null]], [[Number.POSITIVE_INFINITY]], [false, false]],
  ])('%s', (_, gold, answer, expected) => {
    expect(both(gold, answer)).toEqual(expected);
  });

  test('order counts where the gold orders, but not among ties', () => {
    const gold: Row[] = [[1], [2], [3]];
    const swapped: Row[] = [[2], [1], [3]];
    expect(both(gold, swapped)).toEqual([true, true]);
    expect(both(gold, swapped, [0, 1, 2])).toEqual([false, false]);
    expect(both(gold, swapped, [0, 0, 1])).toEqual([true, true]);
  });

  test('agrees with trying every mapping of columns', () => {
    const cell = fc.constantFrom<Cell>(0, 1, null);
    const table = (width: number) =>
      fc.array(fc.array(cell, { minLength: width, maxLength: width }), { maxLength: 4 });
    fc.assert(
      fc.property(table(2), table(3), fc.boolean(), (gold, answer, ordered) => {
        const groups = ordered ? gold.map((_, i) => i) : null;
        const expected = mappings(3, 2).some((columns) => {
          const projected = answer.map((row) => columns.map((c) => row[c] ?? null));
          return asText(projected, ordered) === asText(gold, ordered);
        });
        expect(scoreExecution({ gold_answer: gold, order_groups: groups }, answer, 'superset')).toBe(
          expected,
        );
      }),
      { numRuns: runs(3000) },
    );
  });

  test('thirty equal columns are fast', () => {
    const gold: Row[] = Array.from({ length: 200 }, (_, i) => [...Array(29).fill(i % 2), i]);
    const answer: Row[] = Array.from({ length: 200 }, (_, i) => [...Array(29).fill(i % 2), 199 - i]);
    // Trying them all would not terminate.
    expect(both(gold, answer)).toEqual([false, false]);
  });

  test('twelve columns that are nearly interchangeable are fast', () => {
    const bits = Array.from({ length: 2048 }, (_, n) =>
      Array.from({ length: 11 }, (_, bit) => (n >> bit) & 1),
    );
    const withSum = (row: readonly number[], plus: number) => [
      ...row,
      (row.reduce((sum, bit) => sum + bit, 0) + plus) % 2,
    ];
    const gold = bits.map((row) => withSum(row, 0));
    // Trying them all would not terminate.
    expect(
      both(
        gold,
        bits.map((row) => withSum(row, 1)),
      ),
    ).toEqual([false, false]);
    expect(
      both(
        gold,
        gold.map((row) => [...row].reverse()),
      ),
    ).toEqual([true, true]);
  });
});

function mappings(from: number, take: number): number[][] {
  if (take === 0) return [[]];
  return mappings(from, take - 1).flatMap((rest) =>
    Array.from({ length: from }, (_, c) => c)
      .filter((c) => !rest.includes(c))
      .map((c) => [...rest, c]),
  );
}

function asText(rows: Row[], ordered: boolean): string {
  const texts = rows.map((row) => JSON.stringify(row));
  return JSON.stringify(ordered ? texts : texts.sort());
}
