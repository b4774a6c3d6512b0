import { expect, test } from 'vitest';
import { readPage, toSqlValue } from './read-rows.ts';

test.each(['8646911284551353000', '-8646911284551353000', '9007199254740993', '9223372036854775807', '7'])(
  'the integer %s keeps its digits',
  (digits) => {
    const text = `{"data":[{"id":${digits}}],"next_offset":null,"truncated":false}`;
    expect(toSqlValue(readPage(text).rows[0]?.id)).toBe(BigInt(digits));
  },
);
