import { describe, expect, test } from 'vitest';
import type { Row } from '../../contracts/value.ts';
import { parseJson } from '../json/lossless.ts';
import { readAnswer } from './answer-rows.ts';
import { scoreCompletion } from './completion.ts';
import { scoreCompletionLegacy } from './completion-legacy.ts';

const completes = (gold: Row[], answer: string, order_groups: number[] | null = null) =>
  scoreCompletion({ gold_answer: gold, order_groups }, readAnswer(parseJson(answer)));

describe('an answer is right', () => {
  test.each<[string, Row[], string]>([
    [
      'as rows',
      [
        ['a', 1],
        ['b', 2],
      ],
      '[["b",2],["a",1]]',
    ],
    [
      'as objects',
      [
        ['a', 1],
        ['b', 2],
      ],
      '[{"x":"b","n":2},{"x":"a","n":1}]',
    ],
    ['as a REST answer', [['a', 1]], '{"data":[{"x":"a","n":1}],"row_count":1,"truncated":false}'],
    [
      'as columns',
      [
        ['a', 1],
        ['b', 2],
      ],
      '{"x":["a","b"],"n":[1,2]}',
    ],
    ['as a list for one column', [['a'], ['b']], '["b","a"]'],
    ['as a list for one row', [['a', 1]], '["a",1]'],
    ['as one object for one row', [['a', 1]], '{"x":"a","n":1}'],
    ['as a scalar', [[12]], '12'],
    ['as a scalar with another spelling', [[12]], '12.0'],
    ['as text', [['Alameda']], '"Alameda"'],
    ['as text with space around', [['Alameda']], '" Alameda\\n"'],
    ['as text of a number', [[12.5]], '"12.5"'],
    ['as text of JSON', [['a'], ['b']], '"[\\"a\\", \\"b\\"]"'],
    ['as text where the cell is a text of digits', [['12']], '"12"'],
    ["as a boolean for SQLite's 1", [[1]], 'true'],
    ['empty', [], '[]'],
    ['empty in a REST answer', [], '{"data":[],"row_count":0,"truncated":false}'],
    ['NULL', [[null]], '[null]'],
    ['off by 1e-12', [[0.1]], '0.1000000000001'],
  ])('%s', (_, gold, answer) => {
    expect(completes(gold, answer)).toBe(true);
  });
});

describe('an answer is wrong', () => {
  test.each<[string, Row[], string]>([
    ['off by 1e-3', [[0.1]], '0.101'],
    ['in other words', [['Alameda']], '"It is Alameda."'],
    ['with a row too many', [['a']], '["a","b"]'],
    ['with a row too few', [['a'], ['a']], '["a"]'],
    ['empty instead of NULL', [[null]], '[]'],
    ['text for a number', [['12']], '12'],
    ['columns in another order', [['a', 1]], '[[1,"a"]]'],
    ['nested too deep', [['a']], '[[["a"]]]'],
    ['columns of different lengths', [['a', 1]], '{"x":["a"],"n":[1,2]}'],
  ])('%s', (_, gold, answer) => {
    expect(completes(gold, answer)).toBe(false);
  });
});

test('order counts only where the gold orders, and tied rows may swap', () => {
  const gold = [['a'], ['b'], ['c']];
  expect(completes(gold, '["b","a","c"]')).toBe(true);
  expect(completes(gold, '["b","a","c"]', [0, 1, 2])).toBe(false);
  expect(completes(gold, '["b","a","c"]', [0, 0, 1])).toBe(true);
});

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
