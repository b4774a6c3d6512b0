import { expect, test } from 'vitest';
import { dbgorillaTables } from './dbgorilla-tables.ts';
import { type LeaderboardRow, queryFigures } from './leaderboard.ts';
import { publishedRows } from './published-rows.ts';

const published = publishedRows().filter(({ split }) => split === 'use-cases');

function own(options: LeaderboardRow['options'], exact_published: number): LeaderboardRow {
  const [some] = published;
  if (some === undefined) throw new Error('nothing was published');
  const query = queryFigures.parse({ exact_published, by_component: { search_query: 0.25 } });
  return { ...some, model: 'mine', completion: 0.5, options, query, source: null };
}

const find = (rows: readonly LeaderboardRow[], title: string) =>
  dbgorillaTables([...rows, ...published]).find((table) => table.title.includes(title));

test('a run of ours stands above the eight published models, with execution, which they lack', () => {
  const table = find([own({ tools_in: 'field', parallel_tool_calls: false }, 0.4)], 'Figure 1');
  expect(table?.rows).toHaveLength(9);
  expect(table?.rows[0]?.slice(0, 2)).toEqual(['mine', '50.0']);
  expect(table?.rows[0]?.at(-1)).toBe('');
  const claude = table?.rows.find(([name]) => name === 'Claude 3.5 Sonnet');
  expect(claude).toEqual(expect.arrayContaining(['74.3', 'published']));
});

test('structured output is no run of the first experiment', () => {
  const [table] = dbgorillaTables([own({}, 0.4), { ...own({}, 0.3), agent: 'structured' }, ...published]);
  expect(table?.rows).toHaveLength(9);
});

test('components have the columns of the paper', () => {
  const table = find([own({}, 0.4)], 'component');
  expect(table?.head.slice(1, 4)).toEqual(['search query', 'integer filter', 'text filter']);
  expect(table?.rows[0]?.[1]).toBe('25.0');
});

test('ways to offer the tool are lines of their own, beside those of GPT-4o', () => {
  const table = find([own({ variant: 'rationale', parallel_tool_calls: false }, 0.4)], 'Table 6');
  const names = table?.rows.map(([name]) => name);
  expect(names).toContain('mine, direct: variant=rationale, parallel_tool_calls=false');
  expect(names).toContain('GPT-4o, direct: variant=rationale');
  expect(names).toContain('GPT-4o, structured: original');
});

test('without a run of ours there is no table', () => {
  expect(dbgorillaTables(published)).toEqual([]);
});
