import { describe, expect, test } from 'vitest';
import type { AcceptedValues } from '../../contracts/sample.ts';
import { TINY_SAMPLES, TINY_UNIVERSE } from '../../tests/support/tiny-farm.ts';
import type { BfclVerdict } from '../bfcl/convert.ts';
import { type Json, type JsonObject, parseJson } from '../json/lossless.ts';
import { checkExact, checkRealTime, checkRest, checkStructure, scoreBfcl } from './bfcl.ts';

const text = (verdict: BfclVerdict) => (verdict.valid ? 'ok' : verdict.errorType);
const check = (by: (result: Json, expected: Json) => BfclVerdict, result: string, expected: string) =>
  text(by(parseJson(result), parseJson(expected)));

test.each([
  ['[1, "a"]', '[1.0, "a"]', 'ok'],
  ['[2, 1]', '[1, 2]', 'executable_checker:wrong_result'],
])('exact: %s for %s is %s', (result, expected, verdict) => {
  expect(check(checkExact, result, expected)).toBe(verdict);
});

test.each([
  ['80', '100', 'ok'],
  ['120.0', '100', 'ok'],
  ['79.9', '100', 'executable_checker:wrong_result_real_time'],
  ['"100"', '100', 'executable_checker:wrong_result_real_time'],
  ['-100', '-100', 'executable_checker:wrong_result_real_time'],
])('within a fifth: %s for %s is %s', (result, expected, verdict) => {
  expect(check(checkRealTime, result, expected)).toBe(verdict);
});

test.each([
  ['5', '7', 'ok'],
  ['5.0', '7', 'executable_checker:wrong_result_type'],
  ['[1, 2]', '["a", "b"]', 'ok'],
  ['[1]', '[1, 2]', 'executable_checker:wrong_result_type:list_length'],
  ['{"a": 1}', '{"a": 2}', 'ok'],
  ['{}', '{"a": 2}', 'executable_checker:wrong_result_type:dict_key_not_found'],
  ['{"a": 1, "b": 1}', '{"a": 2}', 'executable_checker:wrong_result_type:dict_extra_key'],
])('structure: %s for %s is %s', (result, expected, verdict) => {
  expect(check(checkStructure, result, expected)).toBe(verdict);
});

describe('a REST response', () => {
  test.each([
    [200, '[{"a": 1}, {"a": 2}]', '[{"a": 9}, {"a": 9}]', 'ok'],
    [404, '[]', '[]', 'executable_checker_rest:wrong_status_code'],
    [200, '{}', '[]', 'executable_checker_rest:wrong_type'],
    [200, '[{"a": 1}]', '[]', 'value_error:exec_result_rest_count'],
    [200, '[{"b": 1}]', '[{"a": 1}]', 'executable_checker_rest:wrong_key'],
    [200, '{"a": 1}', '{"a": 2}', 'ok'],
    [200, '{"a": 1, "b": 2}', '{"a": 2}', 'executable_checker_rest:wrong_key'],
  ])('%i %s for %s is %s', (status, body, expected, verdict) => {
    expect(text(checkRest({ status, body: parseJson(body) }, parseJson(expected)))).toBe(verdict);
  });
});

describe('the AST check of an endpoint call', () => {
  const [, sample] = TINY_SAMPLES.filter(({ formulation }) => formulation === 'rest');
  const verdict = (min_price: string, accepted_values?: AcceptedValues) => {
    const args = parseJson(`{"min_price": ${min_price}}`) as JsonObject;
    const calls = [{ name: 'get_items_by_min_price', arguments: args, label: null }];
    return scoreBfcl([{ ...sample!, accepted_values }], calls, TINY_UNIVERSE.toolsFor(sample!));
  };

  test('takes the values that were proven beside the gold one', () => {
    expect(verdict('41.5')).toEqual({ faithful: 'value_error:others', fixed: 'value_error:others' });
    expect(verdict('41.5', { min_price: [41.5] })).toEqual({ faithful: 'ok', fixed: 'ok' });
  });

  test('mended, takes a value that the endpoint reads alike', () => {
    expect(verdict('"40.10"')).toEqual({ faithful: 'type_error:simple', fixed: 'ok' });
    expect(verdict('"41"')).toMatchObject({ fixed: 'type_error:simple' });
  });
});
