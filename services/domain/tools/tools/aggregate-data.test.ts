import { describe, expect, it } from 'vitest';
import { aggregate, filter, rowsOf, run } from '../../../testing/tools/small-bench.ts';

describe('aggregate_data', () => {
  const cases: [type: string, key: string, more: object, sql: string][] = [
    ['min', 'person_age', {}, 'SELECT MIN(age) FROM person'],
    ['max', 'person_code', {}, 'SELECT MAX(code) FROM person'],
    ['sum', 'person_score', {}, 'SELECT SUM("score (%)") FROM person'],
    ['sum', 'person_age', { distinct: true }, 'SELECT SUM(DISTINCT age) FROM person'],
    ['mean', 'person_age', {}, 'SELECT AVG(age) FROM person'],
    ['count', 'person_name', {}, 'SELECT COUNT(name) FROM person'],
    ['count', '*', {}, 'SELECT COUNT(*) FROM person'],
    ['count', 'person_name', { distinct: true }, 'SELECT COUNT(DISTINCT name) FROM person'],
    [
      'count',
      'person_name',
      { limit: 3 },
      'SELECT COUNT(name) FROM (SELECT name FROM person ORDER BY id LIMIT 3)',
    ],
    ['total', 'person_age', {}, 'SELECT TOTAL(age) FROM person'],
    ['argmin', 'person_age', {}, 'SELECT 2'],
    ['argmax', 'person_age', {}, 'SELECT 4'],
    ['group_concat', 'person_name', { separator: '/' }, "SELECT 'Ann/bob/Ann/Cid/ann/Dee'"],
  ];
  it.each(cases)('%s of %s %j', async (type, key, more, sql) => {
    expect(await run(aggregate('person', key, type, more))).toEqual(rowsOf(sql));
  });
  it('std is the sample standard deviation', async () => {
    const [[value]] = (await run(aggregate('person', 'person_age', 'std'))) as [[number]];
    const ages = [30, 25, 30, 41, 25, 30];
    const mean = ages.reduce((a, b) => a + b) / 6;
    expect(value).toBeCloseTo(Math.sqrt(ages.reduce((sum, age) => sum + (age - mean) ** 2, 0) / 5), 10);
  });
  it('of no rows is NULL, and 0 for count', async () => {
    expect(
      await run(
        filter('person', 'person_id', 'equal_to', 0),
        aggregate(0, 'person_age', 'sum'),
        aggregate(0, '*', 'count'),
      ),
    ).toEqual([[null, 0]]);
  });
});
