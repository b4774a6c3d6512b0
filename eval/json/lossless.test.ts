import { LosslessNumber } from 'lossless-json';
import { describe, expect, test } from 'vitest';
import { parseExactJson } from '../../contracts/exact-json.ts';
import { fc, runs } from '../../tests/support/random-input.ts';
import { isNumber, numberText, parseJson, plain } from './lossless.ts';

const digits = fc.stringMatching(/^\d{1,22}$/);
const jsonNumber = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.stringMatching(/^(0|[1-9]\d{0,22})$/),
    fc.option(digits),
    fc.option(fc.stringMatching(/^[eE][+-]?\d{1,2}$/)),
  )
  .map(
    ([sign, int, fraction, exponent]) =>
      sign + int + (fraction === null ? '' : `.${fraction}`) + (exponent ?? ''),
  );

describe('parseJson', () => {
  test('keeps the text of every number', () => {
    fc.assert(
      fc.property(jsonNumber, (text) => {
        for (const document of [text, `{"a":[${text}]}`, `["x",${text},true]`]) {
          const found: string[] = [];
          walk(parseJson(document), (n) => found.push(n));
          expect(found).toEqual([text]);
        }
      }),
      { numRuns: runs(2000) },
    );
  });

  test('reads what JSON.parse reads', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(plain(parseJson(text))).toEqual(parseExactJson(text));
      }),
    );
  });

  test('tells 5 from 5.0', () => {
    expect(parseJson('[5, 5.0]')).toEqual([5, new LosslessNumber('5.0')]);
  });

  test('takes the last of repeated keys with either parser', () => {
    expect(parseJson('{"a":1,"a":2}')).toEqual({ a: 2 });
    expect(plain(parseJson('{"a":1.0,"a":2.0}'))).toEqual({ a: 2 });
  });

  test('does not touch a prototype', () => {
    parseJson('{"__proto__":{"polluted":1.0}}');
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});

function walk(value: unknown, found: (text: string) => void): void {
  if (isNumber(value)) found(numberText(value));
  else if (Array.isArray(value)) for (const item of value) walk(item, found);
  else if (typeof value === 'object' && value !== null) walk(Object.values(value), found);
}
