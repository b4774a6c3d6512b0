import { describe, expect, test } from 'vitest';
import { pythonRepr } from '../json/python.ts';
import { convertJava, convertJavascript } from './convert.ts';

describe('the value of a Java expression', () => {
  test.each<[string, string, string | null, string]>([
    ['5', 'integer', null, '5'],
    ['5.0', 'integer', null, "'5.0'"],
    ['3f', 'float', null, '3.0'],
    ['3.5', 'float', null, "'3.5'"],
    ['3', 'double', null, '3.0'],
    ['9223372036854775807L', 'long', null, '9223372036854775807'],
    ['7', 'long', null, "'7'"],
    ['true', 'boolean', null, 'True'],
    ['x', 'boolean', null, "'x'"],
    ['new int[]{1, 2}', 'Array', 'integer', '[1, 2]'],
    ['new String[]{"a","b"}', 'Array', 'String', `['"a"', '"b"']`],
    ['new ArrayList<>(Arrays.asList("a", "b"))', 'ArrayList', 'String', "['a', 'b']"],
    ['new ArrayList<Integer>() {{ add(1); add(2); }}', 'ArrayList', 'integer', '[1, 2]'],
    ['new ArrayList<>()', 'ArrayList', 'integer', '[]'],
    ['list', 'ArrayList', 'integer', "'list'"],
    [
      'new HashMap<String, Object>() {{ put("a", 1); put("b", "x"); put("c", 2.5f); }}',
      'HashMap',
      null,
      "{'a': 1, 'b': 'x', 'c': 2.5}",
    ],
    ['new HashMap<>()', 'HashMap', null, '{}'],
    ['5', 'any', null, "'5'"],
  ])('%s as %s of %s is %s', (source, type, nested, expected) => {
    expect(pythonRepr(convertJava(source, type, nested))).toBe(expected);
  });
});

describe('the value of a JavaScript expression', () => {
  test.each<[string, string, string | null, string]>([
    ['"a"', 'String', null, "'a'"],
    ['5', 'integer', null, '5'],
    ['5', 'float', null, '5.0'],
    ['5n', 'Bigint', null, '5'],
    ['5', 'Bigint', null, "'5'"],
    ['true', 'Boolean', null, 'True'],
    ['[1, 2]', 'array', 'integer', '[1, 2]'],
    ['[\'a\', "b"]', 'array', 'String', "['a', 'b']"],
    ['new Array(1, 2)', 'array', 'integer', '[1, 2]'],
    ['[[1, 2], [3]]', 'array', 'array', '[[1, 2], [3]]'],
    ['[[1], 2]', 'array', 'array', "['[1']"],
    ['[]', 'array', 'integer', '[]'],
    ['{}', 'dict', null, '{}'],
    [`{a: 1, 'b': "5", c: [1, true], d: x}`, 'dict', null, "{'a': 1, 'b': 5, 'c': [1, True], 'd': 'x'}"],
    ['{\n a: 1 }', 'dict', null, "'{\\n a: 1 }'"],
  ])('%s as %s of %s is %s', (source, type, nested, expected) => {
    expect(pythonRepr(convertJavascript(source, type, nested))).toBe(expected);
  });

  test('takes time linear in a long list of lists', () => {
    const rows = `[${'[1],'.repeat(20_000)}2]`;
    const started = process.cpuUsage();
    convertJavascript(rows, 'array', 'array');
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(2000);
  });
});
