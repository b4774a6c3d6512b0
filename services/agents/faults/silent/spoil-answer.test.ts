import { describe, expect, test } from 'vitest';
import { type Spoiling, spoilAnswer } from './spoil-answer.ts';

const REST =
  '{"data":[{"n":"a","x":1},{"n":"b","x":20000000000000000001},{"n":"c","x":3.50}],"row_count":3,"truncated":false}';
const COLUMN =
  '{"kind":"column","handle":"h","column":"x","values":[1,2,3,4],"row_count":4,"truncated":false,"next_offset":null}';

describe('a silent fault in an answer of rows', () => {
  test.each<[Spoiling, string]>([
    [
      { fault: 'dropped_rows', contradiction: 'explicit' },
      '[{"n":"a","x":1},{"n":"c","x":3.50}],"row_count":3',
    ],
    [
      { fault: 'dropped_rows', contradiction: 'implicit' },
      '[{"n":"a","x":1},{"n":"c","x":3.50}],"row_count":2',
    ],
    [
      { fault: 'duplicated_rows', contradiction: 'implicit' },
      '[{"n":"a","x":1},{"n":"b","x":20000000000000000001},{"n":"b","x":20000000000000000001},{"n":"c","x":3.50}],"row_count":4',
    ],
    [{ fault: 'hidden_truncation', contradiction: 'explicit' }, '[{"n":"a","x":1}],"row_count":3'],
    [
      { fault: 'shifted_rows', contradiction: 'explicit', column: 'n' },
      '[{"n":null,"x":1},{"n":"a","x":20000000000000000001},{"n":"b","x":3.50}],"row_count":3',
    ],
    [
      { fault: 'wrong_unit', contradiction: 'explicit', column: 'x' },
      '[{"n":"a","x":0.001},{"n":"b","x":20000000000000000},{"n":"c","x":0.0035}],"row_count":3',
    ],
    [
      { fault: 'stale_rows', contradiction: 'explicit', stale_rows: '[{"n":"z","x":9}]' },
      '[{"n":"z","x":9}],"row_count":3',
    ],
  ])('%o leaves the rest of the answer as it was', (spoiling, rows) => {
    expect(spoilAnswer(REST, spoiling)).toBe(`{"data":${rows},"truncated":false}`);
  });

  test('is in the values of a column just as well', () => {
    const values = (spoiling: Spoiling) => JSON.parse(spoilAnswer(COLUMN, spoiling) ?? 'null').values;
    expect(values({ fault: 'dropped_rows', contradiction: 'explicit' })).toEqual([1, 3, 4]);
    expect(values({ fault: 'shifted_rows', contradiction: 'implicit' })).toEqual([null, 1, 2, 3]);
    expect(values({ fault: 'wrong_unit', contradiction: 'implicit' })).toEqual([0.001, 0.002, 0.003, 0.004]);
  });

  test('is not where there is nothing to spoil', () => {
    const none = '{"data":[],"row_count":0,"truncated":false}';
    const cut = REST.replace('"truncated":false', '"truncated":true');
    expect(spoilAnswer(none, { fault: 'dropped_rows', contradiction: 'explicit' })).toBeNull();
    expect(spoilAnswer(cut, { fault: 'dropped_rows', contradiction: 'explicit' })).toBeNull();
    expect(spoilAnswer('not JSON', { fault: 'dropped_rows', contradiction: 'explicit' })).toBeNull();
    expect(spoilAnswer(REST, { fault: 'wrong_unit', contradiction: 'explicit', column: 'n' })).toBeNull();
    expect(spoilAnswer(REST, { fault: 'stale_rows', contradiction: 'explicit' })).toBeNull();
  });
});
