import { describe, expect, test } from 'vitest';
import type { Row } from '../../contracts/catalog.ts';
import { scoreCompletionLegacy } from './failures.ts';

describe('legacy', () => {
  test.each<[string, Row[], Row[], boolean]>([
    ['one column is a multiset', [['a'], ['b']], [['b'], ['a']], true],
    ['one row is a multiset', [['a', 'b']], [['b', 'a']], true],
    ['a row and a column are the same list', [['a', 'b']], [['a'], ['b']], true],
    ['elements compare as texts', [[1], [2]], [['1'], ['2']], true],
    ['scalars do not', [[1]], [['1']], false],
    [
      'a table must have the same order',
      [
        ['a', 1],
        ['b', 2],
      ],
      [
        ['b', 2],
        ['a', 1],
      ],
      false,
    ],
    [
      'the same table',
      [
        ['a', 1],
        ['b', null],
      ],
      [
        ['a', 1],
        ['b', null],
      ],
      true,
    ],
    ['numbers have no tolerance', [[0.3]], [[0.1 + 0.2]], false],
    [
      'shapes differ',
      [
        ['a', 1],
        ['b', 2],
      ],
      [['a'], ['b']],
      false,
    ],
    ['both empty', [], [], true],
  ])('%s', (_, gold, answer, same) => {
    expect(scoreCompletionLegacy(gold, [answer])).toBe(same);
  });
});
