import { expect, test } from 'vitest';
import { countsOf, RowCounts } from './row-counts.ts';

test('what one caller has had counted another does not know', () => {
  const counts = new RowCounts();
  countsOf(counts, 'run a').set('filtered_1', 7);
  expect(countsOf(counts, 'run a').get('filtered_1')).toBe(7);
  expect(countsOf(counts, 'run b').get('filtered_1')).toBeUndefined();
});

test('the oldest counts are forgotten when there are too many', () => {
  const counts = new RowCounts();
  for (let i = 0; i < 50_000; i++) counts.set(`h${i}`, i);
  expect(counts.get('h0')).toBeUndefined();
  expect(counts.get('h49999')).toBe(49_999);
});
