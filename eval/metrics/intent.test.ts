import { describe, expect, test } from 'vitest';
import { type Counts, ratios } from './figures.ts';
import { scoreIntent } from './trajectory.ts';

const triple = ({ tp, fp, fn }: Counts) => [tp, fp, fn];

describe('intent, one letter a call', () => {
  test.each([
    // gold, predicted, prefix, position, multiset
    ['abcd', 'abacd', [2, 3, 2], [2, 3, 2], [4, 1, 0]],
    ['abacd', 'abcd', [2, 2, 3], [2, 2, 3], [4, 0, 1]],
    ['abc', 'abc', [3, 0, 0], [3, 0, 0], [3, 0, 0]],
    ['abc', 'xabc', [0, 4, 3], [0, 4, 3], [3, 1, 0]],
    ['abc', 'xbc', [0, 3, 3], [2, 1, 1], [2, 1, 1]],
    ['abc', 'ab', [2, 0, 1], [2, 0, 1], [2, 0, 1]],
    ['a', 'aa', [1, 1, 0], [1, 1, 0], [1, 1, 0]],
    ['ab', 'ba', [0, 2, 2], [0, 2, 2], [2, 0, 0]],
    ['ab', '', [0, 0, 2], [0, 0, 2], [0, 0, 2]],
    ['', 'a', [0, 1, 0], [0, 1, 0], [0, 1, 0]],
    ['', '', [1, 0, 0], [1, 0, 0], [1, 0, 0]],
  ])('gold "%s" predicted "%s"', (gold, predicted, prefix, position, multiset) => {
    const counts = scoreIntent([...gold], [...predicted]);
    expect(triple(counts.prefix)).toEqual(prefix);
    expect(triple(counts.position)).toEqual(position);
    expect(triple(counts.multiset)).toEqual(multiset);
  });
});

describe('ratios', () => {
  test('F1 is the harmonic mean of precision and recall', () => {
    const { precision, recall, f1 } = ratios({ tp: 2, fp: 3, fn: 2 });
    expect(precision).toBeCloseTo(2 / 5);
    expect(recall).toBeCloseTo(2 / 4);
    expect(f1).toBeCloseTo((2 * 0.4 * 0.5) / 0.9);
  });

  test('nothing counted is not zero', () => {
    expect(ratios({ tp: 0, fp: 0, fn: 0 })).toEqual({ precision: null, recall: null, f1: null });
    expect(ratios({ tp: 0, fp: 0, fn: 3 })).toEqual({ precision: null, recall: 0, f1: 0 });
  });
});
