import { expect, it } from 'vitest';
import { restRows } from './rest-rows.ts';

const answer = (rows: string) => `{"data":[${rows}],"row_count":1,"truncated":false}`;

it('keeps every digit of an integer that a double cannot hold', () => {
  expect(restRows(answer('{"id":9007199254740993,"n":7}'))).toEqual([[9007199254740993n, 7]]);
});

it('keeps the columns in the order of the text, names that look like numbers too', () => {
  expect(restRows(answer('{"b":1,"2":2,"1":3}'))).toEqual([[1, 2, 3]]);
});

it('reads nothing into what is no REST answer', () => {
  expect([restRows('{"error":"none"}'), restRows('none')]).toEqual([null, null]);
});
