import { describe, expect, test } from 'vitest';
import { toCallElement } from '../calls/calls.ts';
import { parseJson } from '../json/lossless.ts';
import { scoreReact } from './trajectory.ts';

/** `a1 a2 b1`: calls of a, a, b with arguments {x: 1}, {x: 2}, {x: 1}. */
const calls = (text: string) =>
  text
    .split(' ')
    .filter(Boolean)
    .map((word) => toCallElement({ name: word[0] ?? '', arguments: parseJson(`{"x":${word.slice(1)}}`) }));

describe('react', () => {
  test.each([
    // calls, loops, failed, answered → out of budget, stuck by name, stuck exactly, unclassified
    ['a1 b1', 3, true, true, false, false, false, true],
    ['a1 b1', 10, true, false, true, false, false, false],
    ['a1 b1', 11, true, false, true, false, false, false],
    ['a1 b1', 10, true, true, false, false, false, true],
    ['a1 b1', 9, true, false, false, false, false, true],
    ['a1 a2 b1', 3, true, true, false, true, false, false],
    ['a1 a1.0 b1', 3, true, true, false, true, true, false],
    ['a1 b1 a1', 3, true, true, false, false, false, true],
    ['a1 a1', 10, true, false, true, true, true, false],
    ['a1 a1', 10, false, true, false, false, false, false],
    ['', 0, true, false, false, false, false, true],
  ])(
    '%s in %i loops, failed %s, answered %s',
    (text, loops, failed, answered, oob, name, exact, unclassified) => {
      expect(scoreReact({ failed, answered, loops, calls: calls(text) }, 10)).toEqual({
        loops,
        out_of_budget: oob,
        stuck_name: name,
        stuck_exact: exact,
        unclassified,
      });
    },
  );

  test('missing data is not false', () => {
    expect(scoreReact({ failed: true, answered: false, loops: null, calls: null }, 10)).toEqual({
      loops: null,
      out_of_budget: null,
      stuck_name: null,
      stuck_exact: null,
      unclassified: null,
    });
  });
});
