import { expect, test } from 'vitest';
import { printJson } from './write-file.ts';

test('keys stay in their order, with a newline at the end', () => {
  expect(printJson({ b: 1, a: [1, 2] })).toBe('{\n  "b": 1,\n  "a": [\n    1,\n    2\n  ]\n}\n');
  expect(printJson({ b: 1, a: [1, 2] }, { compact: true })).toBe('{"b":1,"a":[1,2]}\n');
});

test('what JSON would turn into something else is refused', () => {
  expect(() => printJson({ x: [Number.NaN] })).toThrow(TypeError);
  expect(() => printJson({ x: Number.POSITIVE_INFINITY })).toThrow('Infinity at "x"');
  expect(() => printJson(undefined)).toThrow(TypeError);
});
