import { beforeAll, describe, expect, test } from 'vitest';
import type { BfclLanguage } from '../../eval/bfcl/convert.ts';
import { type Json, parseJson } from '../../eval/json/lossless.ts';
import { pythonRepr } from '../../eval/json/python.ts';
import { decodeResult, type LanguageParsers, loadLanguageParsers } from './decode.ts';

let parsers: LanguageParsers;
beforeAll(async () => {
  parsers = await loadLanguageParsers();
});

/** Prints the decoded calls as Python would. */
function decode(result: Json, language: BfclLanguage = 'python', isNative = false): string {
  const decoded = decodeResult(result, language, isNative, parsers);
  if (typeof decoded === 'string') return decoded;
  return decoded.map(({ name, arguments: args }) => `${name} ${pythonRepr(args)}`).join(' | ');
}

describe('Python, as BFCL decodes it', () => {
  test.each([
    ['[f(a=1, b=2.0), a.b.g(x="y")]', "f {'a': 1, 'b': 2.0} | a.b.g {'x': 'y'}"],
    ['f(a=1)', "f {'a': 1}"],
    ['```\n[f(a=1)]\n```', "f {'a': 1}"],
    ["'f(a=1)'", 'decoder_failed'],
    ['[]', ''],
    ['[f(1, 2)]', 'f {}'],
    ['[f(a=(1, 2), b=(1,), c=(1))]', "f {'a': (1, 2), 'b': (1,), 'c': 1}"],
    ['[f(a=2*3, b=2**-1, c=-7//2, d="x"*2, e=True+1)]', "f {'a': 6, 'b': 0.5, 'c': -4, 'd': 'xx', 'e': 2}"],
    ['[f(a=+5, b=~5, c=not True)]', "f {'a': -5, 'b': -5, 'c': -1}"],
    ['[f(a=--5)]', 'decoder_failed'],
    [`[f(a=r'\\d', b="\\/", c='a' 'b', d=...)]`, "f {'a': '\\\\d', 'b': '\\\\/', 'c': 'ab', 'd': '...'}"],
    ['[f(a=x, b=false, c=x[0], d=x[1:2])]', "f {'a': 'x', 'b': 'false', 'c': 'x[0]', 'd': 'x[1:2]'}"],
    ['[f(a=g(1, "b"), b=g(k=1), c=g(h(2)))]', `f {'a': "g(1, 'b')", 'b': {'g': {'k': 1}}, 'c': 'g(h(2))'}`],
    ['[f(a=g(1 + 2 * -x, (1 + 2) * 3))]', "f {'a': 'g(1 + 2 * -x, (1 + 2) * 3)'}"],
    ['[f(a=x.y)]', 'decoder_failed'],
    ['[f(a=1, 2)]', 'decoder_failed'],
    ['[f(from=1)]', 'decoder_failed'],
    ['[f(a=007)]', 'decoder_failed'],
    ['[f(a=1, a=2)]', "f {'a': 2}"],
    ['[f(a=1), # first\n g()]', "f {'a': 1} | g {}"],
    ['[f]', 'decoder_failed'],
    ['Calling f(a=1)', 'decoder_failed'],
    ['', ''],
  ])('%s', (output, expected) => {
    expect(decode(output)).toBe(expected);
  });

  test('text from a function-calling model is a message', () => {
    expect(decode('[f(a=1)]', 'python', true)).toBe('decoder_failed');
  });

  test.each([
    ['[{"f":"{\\"a\\": 5.0}"},{"g":"{}"}]', "f {'a': 5.0} | g {}"],
    ['[{"f":{"a":1}}]', "f {'a': 1}"],
    ['[{"f":"{a"}]', 'decoder_failed'],
    ['[{"f":"[1]"}]', 'decoder_wrong_output_format'],
    ['[{}]', 'decoder_failed'],
    ['[]', ''],
    ['null', 'decoder_wrong_output_format'],
  ])('the list %s', (result, expected) => {
    expect(decode(parseJson(result), 'python', true)).toBe(expected);
  });
});

describe('Java, as BFCL decodes it', () => {
  test.each([
    [
      'obj.f(n=5, s="Oslo", c=\'x\', a=new int[]{1, 2})',
      "obj.f {'n': '5', 's': 'Oslo', 'c': 'x', 'a': 'new int[]{1,2}'}",
    ],
    ['[f(m=new HashMap<>(), o=new Foo(1, "a"))]', `f {'m': 'new HashMap<>()', 'o': 'new Foo(1, "a")'}`],
    ['f(a=b.get(0), k=Foo.class)', "f {'a': 'b.get(0)', 'k': 'Foo.class'}"],
    ['f(a=new int[3])', 'decoder_failed'],
    ['f(a=1, x)', "f {'a': '1', '': 'x'}"],
    ['x = 1;', 'decoder_wrong_output_format'],
    ['I cannot do that.', 'decoder_failed'],
  ])('%s', (output, expected) => {
    expect(decode(output, 'java')).toBe(expected);
  });
});

describe('JavaScript, as BFCL decodes it', () => {
  test.each([
    [
      "a.f(n=5, s='Oslo', l=[1, 2], o={k: 1}, t=`x`)",
      "a.f {'n': '5', 's': 'Oslo', 'l': '[1, 2]', 'o': '{k: 1}', 't': '`x`'}",
    ],
    ['[f(cb=() => 1)]', "f {'cb': '() => 1'}"],
    ['f(a=1); g()', "f {'a': '1'}"],
    ['f(a=1, a=2)', 'decoder_failed'],
    ['hello', 'decoder_wrong_output_format'],
    ['I cannot do that.', 'decoder_failed'],
  ])('%s', (output, expected) => {
    expect(decode(output, 'javascript')).toBe(expected);
  });
});
