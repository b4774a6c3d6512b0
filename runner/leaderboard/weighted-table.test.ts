import { expect, test } from 'vitest';
import type { LeaderboardRow } from './leaderboard.ts';
import { weightedTable } from './weighted-table.ts';

const row = (more: Partial<LeaderboardRow>) =>
  ({
    model: 'm',
    agent: 'direct',
    formulation: 'rest',
    options: {},
    completion: null,
    relevance: null,
    ...more,
  }) as LeaderboardRow;
const ROWS = [
  row({ options: { category: 'multiple' }, completion: 0.5 }),
  row({ options: { category: 'irrelevance' }, relevance: 0.8, completion: null }),
  row({ options: { category: 'parallel' }, completion: 0 }),
  row({ options: { tools_in: 'field', category: 'multiple' }, completion: 0.9 }),
  row({ model: 'n', completion: 0.4 }),
  row({ model: 'n', options: { withhold: 'gold' }, relevance: 1 }),
];
const weigh = (weights: [string, number][], rows = ROWS) => weightedTable(rows, new Map(weights));

test('the parts of one way of asking are averaged by their weights', () => {
  const { title, head, rows } = weigh([
    ['multiple', 1],
    ['irrelevance', 2],
  ]);
  expect(title).toBe('Weighted mean: multiple × 1, irrelevance × 2');
  expect(head).toEqual(['', 'multiple', 'irrelevance', 'weighted mean']);
  expect(rows).toEqual([
    ['m, direct', '50.0 %', '80.0 %', '70.0 %'],
    // Without all parts there is no mean.
    ['m, direct, tools_in=field', '90.0 %', '', ''],
    ['n, direct', '', '100.0 %', ''],
  ]);
});

test('a run without a category counts as its formulation, or as irrelevance', () => {
  const { rows } = weigh([
    ['rest', 3],
    ['irrelevance', 1],
  ]);
  expect(rows.at(-1)).toEqual(['n, direct', '40.0 %', '100.0 %', '55.0 %']);
});

test('runs of the same part are lines of their own', () => {
  const twice = [...ROWS.slice(0, 1), row({ options: { category: 'multiple' }, completion: 0.7 })];
  expect(weigh([['multiple', 1]], twice).rows).toEqual([
    ['m, direct', '50.0 %', '50.0 %'],
    ['m, direct', '70.0 %', '70.0 %'],
  ]);
});
