import { describe, expect, test } from 'vitest';
import { parseJson } from './lossless.ts';
import { pythonEquals, pythonStr, pythonType } from './python.ts';

describe('pythonStr', () => {
  // Each pair was printed by Python 3.11: str(json.loads(text)).
  test.each([
    ['1', '1'],
    ['1.0', '1.0'],
    ['-0.0', '-0.0'],
    ['-0', '0'],
    ['1e3', '1000.0'],
    ['1e16', '1e+16'],
    ['123456789012345.6', '123456789012345.6'],
    ['1e15', '1000000000000000.0'],
    ['0.0001', '0.0001'],
    ['0.00001', '1e-05'],
    ['-0.00012', '-0.00012'],
    ['1.5e-7', '1.5e-07'],
    ['0.30000000000000004', '0.30000000000000004'],
    ['12345678901234567890', '12345678901234567890'],
    ['1e400', 'inf'],
    ['true', 'True'],
    ['null', 'None'],
    ['"5"', '5'],
    ['["a", 1, null]', "['a', 1, None]"],
    ['{"a": "it\'s", "b": [true]}', `{'a': "it's", 'b': [True]}`],
    ['["\\n\\u00e9\\u0007\\u00a0"]', "['\\né\\x07\\xa0']"],
    ['["\'\\""]', `['\\'"']`],
  ])('%s is %s', (json, expected) => {
    expect(pythonStr(parseJson(json))).toBe(expected);
  });
});

describe('pythonEquals', () => {
  test.each([
    ['1', '1.0', true],
    ['1', 'true', true],
    ['0', 'false', true],
    ['1', '"1"', false],
    ['9007199254740993', '9007199254740992', false],
    ['9007199254740993', '9007199254740992.0', false],
    ['9007199254740992', '9007199254740992.0', true],
    ['[1,{"a":2}]', '[1.0,{"a":2.0}]', true],
    ['{"a":1,"b":2}', '{"b":2,"a":1}', true],
    ['{"a":1}', '{"a":1,"b":2}', false],
    ['null', 'null', true],
    ['[]', '{}', false],
  ])('%s == %s is %s', (a, b, expected) => {
    expect(pythonEquals(parseJson(a), parseJson(b))).toBe(expected);
  });
});

test('pythonType tells int from float by the source text', () => {
  expect(['5', '5.0', '5e0', 'true', 'null', '"5"', '[]', '{}'].map((t) => pythonType(parseJson(t)))).toEqual(
    ['int', 'float', 'float', 'bool', 'NoneType', 'str', 'list', 'dict'],
  );
});
