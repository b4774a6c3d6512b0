import { describe, expect, test } from 'vitest';
import {
  agreementOf,
  meanCorrelation,
  pointsOf,
  type RankedTask,
  rankCorrelation,
  ranksOf,
  standingsOf,
} from './rank.ts';

describe('points', () => {
  test('are those of the paper, and nothing after the ninth', () => {
    expect(pointsOf([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])).toEqual([100, 70, 50, 35, 25, 20, 15, 10, 5, 0]);
  });

  test('of one rank are shared', () => {
    expect(pointsOf([1, 1, 3])).toEqual([85, 85, 50]);
    expect(pointsOf([2, 1, 2])).toEqual([60, 100, 60]);
    expect(pointsOf([1, 1, 1])).toEqual([220 / 3, 220 / 3, 220 / 3]);
  });

  test('ignore gaps between ranks', () => {
    expect(pointsOf([1.5, 7])).toEqual([100, 70]);
  });
});

test('ranks skip as many places as are shared', () => {
  expect(ranksOf([30, 10, 30, 20], (a, b) => a > b)).toEqual([1, 4, 1, 3]);
});

test.each([
  [[1, 2, 3], [1, 2, 3], 1],
  [[1, 2, 3], [3, 2, 1], -1],
  [[1, 2, 3, 4], [1, 2, 4, 3], 0.8],
  [[1, 1, 3], [1, 2, 3], 0.866],
  [[1, 1, 1], [1, 2, 3], null],
])('the rank correlation of %j and %j is %s', (a, b, expected) => {
  const value = rankCorrelation(a, b);
  if (expected === null) expect(value).toBeNull();
  else expect(value).toBeCloseTo(expected, 3);
});

test('tasks that one ranking leaves tied do not count for the correlation', () => {
  const a = [
    [1, 2],
    [1, 1],
    [2, 1],
  ];
  expect(
    meanCorrelation(a, [
      [1, 2],
      [1, 2],
      [1, 2],
    ]),
  ).toEqual({ value: 0, n: 2 });
});

const task = (...calls: (string | null)[]): RankedTask => ({
  sampleId: 's',
  question: '?',
  candidates: calls.map((each) => ({ passes: true, exact: true, ast: 1, parts: 1, calls: each })),
  ranks: calls.map(() => 1),
});

test('standings add points, and count a shared first place for each', () => {
  expect(
    standingsOf(
      [
        [1, 2],
        [1, 1],
      ],
      2,
    ),
  ).toEqual([
    { points: 185, first: 2 },
    { points: 155, first: 1 },
  ]);
});

test('agreement counts different predictions, and tasks on which there is one', () => {
  expect(agreementOf([task('a', 'a', 'b'), task('a', 'a', 'a'), task(null, null, 'a')])).toEqual({
    different: 5 / 3,
    unanimous: 1,
  });
});
