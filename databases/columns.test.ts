import { expect, it } from 'vitest';
import { fc, runs } from '../tests/support/random-input.ts';
import { fromColumns, toColumns } from './columns.ts';

const read = (text: string) => JSON.parse(text);

it('values come out of their columns as they went in, keys in order', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue({ maxDepth: 4 })), (values) => {
      const columns = read(JSON.stringify(toColumns(values)));
      expect(JSON.stringify(fromColumns(columns))).toBe(JSON.stringify(values));
    }),
    { numRuns: runs(300) },
  );
});

it.each(['{"a":[1,"b"]}', '{"a": 1}', '[1.0]', '[9007199254740993]', '{"a', '[]', '{"2":0,"1":0}'])(
  'a text that could be JSON stays as it is: %s',
  (text) =>
    expect(fromColumns(read(JSON.stringify(toColumns([text, 1, [text]]))))).toEqual([text, 1, [text]]),
);

it('keeps long integers apart from their digits, and equal texts one after the other', () => {
  const rows = [
    9007199254740993n,
    '9007199254740993',
    'again',
    'again',
    null,
    'again',
    9007199254740993n,
  ].map((id) => ({ id, list: [id, id] }));
  expect(fromColumns(read(JSON.stringify(toColumns(rows))))).toEqual(rows);
});
