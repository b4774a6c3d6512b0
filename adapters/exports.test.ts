import { describe, expect, test } from 'vitest';
import { sameValue } from '../eval/calls/tool-universe.ts';
import { parseJson } from '../eval/json/lossless.ts';
import { TINY_UNIVERSE } from '../tests/support/tiny-farm.ts';
import { chooseTools } from './exports.ts';
import { ARGUMENT_CASES, REST, schemaOf } from './testing/exported.ts';

describe('a shortlist', () => {
  const [sample] = REST as [(typeof REST)[number]];
  const draw = (size: number, seed: number) =>
    chooseTools(sample, TINY_UNIVERSE, { size, seed }).map(([name]) => name);

  test('has the gold tool and others, determined by the seed', () => {
    expect(draw(1, 1)).toEqual(['get_items_by_kind']);
    for (const seed of [1, 2, 3, 4, 5, 6]) {
      expect(draw(2, seed)).toContain('get_items_by_kind');
      expect(new Set(draw(2, seed)).size).toBe(2);
      expect(draw(2, seed)).toEqual(draw(2, seed));
    }
    expect(new Set([1, 2, 3, 4, 5, 6].map((seed) => draw(2, seed).join())).size).toBeGreaterThan(1);
    expect(draw(99, 1)).toHaveLength(3);
  });
});

test.each(ARGUMENT_CASES)('gold %s, given %s (%s)', (gold, given, type, same) => {
  expect(sameValue(parseJson(gold), parseJson(given), schemaOf(type), 'query')).toBe(same);
});
