import { describe, expect, test } from 'vitest';
import type { AgentCall } from '../calls/calls.ts';
import { type Json, type JsonObject, parseJson } from '../json/lossless.ts';
import { checkBfcl, checkBfclFixed, scoreRelevance } from './check.ts';
import type { BfclAnswer, BfclFunction, BfclProperty, BfclVerdict } from './convert.ts';

const text = (verdict: BfclVerdict) => (verdict.valid ? 'ok' : verdict.errorType);

/** One call `f(p=…)` against one gold call; `null` leaves the argument, or the answer's entry, out. */
function judge(schema: string, acceptable: string | null, given: string | null, fixed = false): string {
  const property = parseJson(schema) as unknown as BfclProperty & { required?: boolean };
  const fn: BfclFunction = {
    name: 'f',
    parameters: {
      type: 'dict',
      properties: { p: property },
      required: property.required === false ? [] : ['p'],
    },
  };
  const answer: BfclAnswer = {
    name: 'f',
    parameters: acceptable === null ? {} : { p: parseJson(acceptable) as Json[] },
  };
  const call: AgentCall = {
    name: 'f',
    arguments: (given === null ? {} : { p: parseJson(given) }) as JsonObject,
    label: null,
  };
  const check = fixed ? checkBfclFixed : checkBfcl;
  return text(check({ functions: [fn], calls: [call], answers: [answer], category: 'simple' }));
}

describe('one argument, as BFCL judges it', () => {
  test.each([
    // schema, acceptable values, value given, verdict
    ['{"type":"integer"}', '[5]', '5', 'ok'],
    ['{"type":"integer"}', '[5]', '5.0', 'type_error:simple'],
    ['{"type":"integer"}', '[5]', '6', 'value_error:others'],
    ['{"type":"integer"}', '[1]', 'true', 'type_error:simple'],
    ['{"type":"float"}', '[5.0]', '5', 'ok'],
    ['{"type":"float"}', '[5]', '5', 'ok'],
    ['{"type":"float"}', '[0.3]', '0.30000000000000004', 'value_error:others'],
    ['{"type":"boolean"}', '[true]', '1', 'type_error:simple'],
    ['{"type":"boolean"}', '[true]', 'true', 'ok'],
    ['{"type":"string"}', '["5"]', '5', 'type_error:simple'],
    ['{"type":"string"}', '["New York, NY"]', '"new york ny"', 'ok'],
    ['{"type":"string"}', '["it\'s"]', '"IT\\"S"', 'ok'],
    ['{"type":"string"}', '["a"]', '"b"', 'value_error:string'],
    ['{"type":"string","required":false}', '["x",""]', null, 'ok'],
    ['{"type":"string","required":false}', '["x"]', null, 'simple_function_checker:missing_optional'],
    ['{"type":"string"}', '["x"]', null, 'simple_function_checker:missing_required'],
    [
      '{"type":"integer","required":false,"default":1}',
      null,
      '1',
      'simple_function_checker:unexpected_param',
    ],
    ['{"type":"integer","required":false,"default":1}', '[1,""]', '1', 'ok'],
    ['{"type":"array","items":{"type":"integer"}}', '[[1,2]]', '[1,2]', 'ok'],
    ['{"type":"array","items":{"type":"integer"}}', '[[1,2]]', '[2,1]', 'value_error:list/tuple'],
    ['{"type":"array","items":{"type":"integer"}}', '[[1,2]]', '[1,"2"]', 'type_error:nested'],
    ['{"type":"array","items":{"type":"integer"}}', '[[1,2],""]', '[1,"2"]', 'value_error:list/tuple'],
    ['{"type":"array","items":{"type":"string"}}', '[["A b","c"]]', '["ab","C"]', 'ok'],
    ['{"type":"array","items":{"type":"integer"}}', '[[]]', '[1]', 'value_error:list/tuple'],
    ['{"type":"array","items":{"type":"integer"}}', '[[1],""]', '[]', 'ok'],
    ['{"type":"array","items":{"type":"float"}}', '[[1]]', '[1]', 'ok'],
    ['{"type":"array","items":{"type":"float"}}', '[[1.0]]', '[1]', 'type_error:nested'],
    ['{"type":"any"}', '[5]', '5', 'ok'],
    ['{"type":"string"}', '[null]', 'null', 'ok'],
    ['{"type":"string"}', '["x",null,""]', 'null', 'type_error:simple'],
    ['{"type":"dict"}', '[{"k":[1],"z":[""]}]', '{"k":1}', 'ok'],
    ['{"type":"dict"}', '[{"k":[1]}]', '{"k":1,"q":2}', 'value_error:dict_key'],
    ['{"type":"dict"}', '[{"k":[1]}]', '{"k":2}', 'value_error:dict_value'],
    ['{"type":"dict"}', '[{"k":[1],"m":[1]}]', '{"k":2}', 'value_error:dict_key'],
    ['{"type":"dict"}', '[{"k":["New York"]}]', '{"k":"new-york"}', 'ok'],
    ['{"type":"dict"}', '[{"k":[["A b"]]}]', '{"k":["ab"]}', 'value_error:dict_value'],
    ['{"type":"array","items":{"type":"dict"}}', '[[{"k":[1]},{"k":[2]}]]', '[{"k":1},{"k":2}]', 'ok'],
    [
      '{"type":"array","items":{"type":"dict"}}',
      '[[{"k":[1]},{"k":[2]}]]',
      '[{"k":2},{"k":1}]',
      'value_error:dict_value',
    ],
    [
      '{"type":"array","items":{"type":"dict"}}',
      '[[{"k":[1]},{"k":[2]}]]',
      '[{"k":1}]',
      'value_error:list_dict_count',
    ],
    ['{"type":"number"}', '[1]', '1', 'schema_error:unknown_type'],
  ])('%s accepts %s, given %s: %s', (schema, acceptable, given, verdict) => {
    expect(judge(schema, acceptable, given)).toBe(verdict);
  });

  test('the fixed variant takes an explicit default, and only that', () => {
    const schema = '{"type":"integer","required":false,"default":1}';
    expect(judge(schema, null, '1', true)).toBe('ok');
    expect(judge(schema, null, '2', true)).toBe('simple_function_checker:unexpected_param');
  });
});

describe('several calls', () => {
  const g: BfclFunction = {
    name: 'math.g',
    parameters: { type: 'dict', properties: { a: { type: 'integer' } }, required: ['a'] },
  };
  const call = (a: number, name = 'math.g'): AgentCall => ({ name, arguments: { a }, label: null });
  const answer = (...a: number[]): BfclAnswer => ({ name: 'math.g', parameters: { a } });

  test('greedy matching misses what an optimal one finds', () => {
    const input = {
      functions: [g],
      calls: [call(1), call(2)],
      answers: [answer(1, 2), answer(1)],
      category: 'parallel' as const,
    };
    expect(text(checkBfcl(input))).toBe('parallel_function_checker_no_order:cannot_find_match');
    expect(text(checkBfclFixed(input))).toBe('ok');
    expect(text(checkBfclFixed({ ...input, calls: [call(2), call(2)] }))).toBe(
      'parallel_function_checker_no_order:cannot_find_match',
    );
  });

  test('the count comes first', () => {
    const calls = [call(1), call(2)];
    const of = (category: 'simple' | 'multiple' | 'parallel') =>
      text(checkBfcl({ functions: [g], calls, answers: [answer(1)], category }));
    expect(of('simple')).toBe('simple_function_checker:wrong_count');
    expect(of('multiple')).toBe('multiple_function_checker:wrong_count');
    expect(of('parallel')).toBe('parallel_function_checker_no_order:wrong_count');
  });

  test('names: dots become underscores only where the model needs it', () => {
    const input = {
      functions: [g],
      calls: [call(1, 'math_g')],
      answers: [answer(1)],
      category: 'simple' as const,
    };
    expect(text(checkBfcl(input))).toBe('simple_function_checker:wrong_func_name');
    expect(text(checkBfcl({ ...input, underscoreToDot: true }))).toBe('ok');
  });
});

test.each([
  [null, true],
  [[], true],
  [['anything'], false],
])('relevance of calls %j: %s', (calls, right) => {
  expect(scoreRelevance(calls)).toBe(right);
});
