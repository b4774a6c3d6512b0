import { expect, test } from 'vitest';
import { fc } from '../tests/support/random-input.ts';
import { parseExactJson, printExactJson } from './exact-json.ts';

test.each([
  ['9007199254740993', 9007199254740993n],
  ['-9223372036854775808', -9223372036854775808n],
  ['9007199254740992', 9007199254740992n],
  ['9007199254740991', 9007199254740991],
  ['9223372036854775808', 2 ** 63],
  ['9007199254740993.0', 9007199254740992],
  ['1e300', 1e300],
  ['0.123456789012345678', 0.12345678901234568],
  ['"12345678901234567890"', '12345678901234567890'],
])('%s is read as %s', (text, value) => {
  expect(parseExactJson(text)).toBe(value);
  expect(parseExactJson(`{"a": [${text}, "1111222233334444"]}`)).toEqual({ a: [value, '1111222233334444'] });
});

test('64-bit integers and reals of the same size survive a round trip', () => {
  const integer = fc
    .bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
    .filter((n) => BigInt(Number(n)) !== n);
  const real = fc.double({ noNaN: true, noDefaultInfinity: true }).map((x) => (Object.is(x, -0) ? 0 : x));
  fc.assert(
    fc.property(fc.array(fc.oneof(integer, real, fc.string(), fc.constant(null))), (row) => {
      for (const space of [undefined, 2])
        expect(parseExactJson(printExactJson({ row }, space))).toEqual({ row });
    }),
  );
});

test('writes JSON values like JSON.stringify', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const plain = JSON.parse(JSON.stringify(value, (_, x) => (Math.abs(x) >= 2 ** 53 ? 1 : x)));
      expect(printExactJson(plain, 2)).toBe(JSON.stringify(plain, null, 2));
      const withBigint = printExactJson([plain, 9007199254740993n], 2);
      expect(withBigint).toBe(JSON.stringify([plain, 0], null, 2).replace(/0\n\]$/, '9007199254740993\n]'));
    }),
  );
});

test('refuses numbers that JSON cannot represent', () => {
  expect(() => printExactJson({ x: [Number.NaN] })).toThrow(TypeError);
});

test('refuses invalid JSON at any depth', () => {
  expect(() => parseExactJson('{"a": 12345678901234567')).toThrow(SyntaxError);
  expect(() => parseExactJson(`${'['.repeat(200_000)}1234567890123456789${']'.repeat(200_000)}`)).toThrow(
    SyntaxError,
  );
});
