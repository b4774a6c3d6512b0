import { InvalidArgumentError } from 'commander';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { list, referenceTime, wholeNumber } from './options.ts';

describe('a whole number', () => {
  test('is read if it is within its bounds, and refused otherwise', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e6 }), fc.nat(1e6), fc.nat(2e6), (min, width, value) => {
        const read = wholeNumber(min, min + width);
        if (value >= min && value <= min + width) expect(read(String(value))).toBe(value);
        else expect(() => read(String(value))).toThrow(InvalidArgumentError);
      }),
    );
  });

  test.each(['', ' ', '1.5', '-1', '+1', '1e3', '0x10', '１', '1 ', 'NaN', '9007199254740993'])(
    'is not %j',
    (text) => {
      expect(() => wholeNumber(0)(text)).toThrow(InvalidArgumentError);
    },
  );

  test('names its bounds when it is refused', () => {
    expect(() => wholeNumber(1, 256)('0')).toThrow('a whole number from 1 to 256');
    expect(() => wholeNumber(1)('none')).toThrow(/^Give a whole number from 1$/);
  });
});

describe('a reference time', () => {
  test('is every second from the year 0 to 9999, read as it is written', () => {
    const range = {
      min: new Date('0000-01-01T00:00:00Z'),
      max: new Date('9999-12-31T23:59:59Z'),
      noInvalidDate: true,
    };
    fc.assert(
      fc.property(fc.date(range), (date) => {
        const text = date.toISOString().slice(0, 19).replace('T', ' ');
        expect(referenceTime(text)).toBe(text);
      }),
    );
  });

  test('is midnight when only the day is given', () => {
    expect(referenceTime('2024-02-29')).toBe('2024-02-29 00:00:00');
  });

  test.each([
    '2023-02-29',
    '2024-02-30 12:00:00',
    '2024-13-01',
    '2024-01-00',
    '2024-01-01 24:00:00',
    '2024-01-01 23:60:00',
    '2024-01-01T00:00:00',
    '2024-1-1',
    '20240101',
    'now',
    '',
  ])('is not %j', (text) => {
    expect(() => referenceTime(text)).toThrow(InvalidArgumentError);
  });
});

test('a list grows with each option and each comma, and has no empty items', () => {
  const item = fc.string({ minLength: 1 }).filter((text) => !text.includes(','));
  fc.assert(
    fc.property(fc.array(fc.array(item)), (options) => {
      const read = options
        .map((items) => items.join(','))
        .reduce<string[]>((all, text) => list(text, all), []);
      expect(read).toEqual(options.flat());
    }),
  );
  expect(list(',a,,b,')).toEqual(['a', 'b']);
});
