import { expect, test } from 'vitest';
import { findCurves } from './curves.ts';
import type { LeaderboardRow } from './leaderboard.ts';
import { leaderboardPage } from './leaderboard-page.ts';
import { publishedRows } from './published-rows.ts';
import { siwarexTables } from './siwarex-tables.ts';

const published = publishedRows().filter(({ hybrid }) => hybrid !== null);
const [any] = published;
if (!any?.hybrid) throw new Error('nothing is published');
const empty = { ...any.hybrid, execution: null, by_share: {}, by_class: {}, by_api: {}, by_depth: {} };
const own = (agent: string, hybrid: Partial<NonNullable<LeaderboardRow['hybrid']>>): LeaderboardRow => ({
  ...any,
  model: 'mine',
  agent,
  source: null,
  hybrid: { ...empty, ...hybrid },
});

test('a curve over the share stands beside what is printed of the published one', () => {
  const [curve] = siwarexTables([
    own('declarative', { by_share: { 100: 0.5, 0: 1, 40: 0.75 } }),
    ...published,
  ]);
  expect(curve?.head).toEqual(['model', 'strategy', '0 %', '40 %', '100 %', '']);
  expect(curve?.rows[0]).toEqual(['mine', 'declarative', '100.0', '75.0', '50.0', '']);
  expect(curve?.rows.slice(1).map((row) => row.at(-1))).toEqual(['published']);
});

test('scalar APIs stand by kind and depth beside the published strategies', () => {
  const figures = { execution: 0.5, by_api: { lexical: 0.5 }, by_depth: { 2: 0.25 }, by_share: { 0: 0.5 } };
  const tables = siwarexTables([own('declarative2', figures), ...published]);
  const table = tables.find(({ title }) => title.includes('Benchmark II'));
  expect(table?.head.slice(2, 5)).toEqual(['execution', 'lexical', 'depth 2']);
  expect(table?.rows[0]?.slice(0, 5)).toEqual(['mine', 'declarative2', '50.0', '50.0', '25.0']);
  expect(table?.rows.filter((row) => row.at(-1) === 'published')).toHaveLength(4);
});

test('a leaderboard draws the curve of each run over the share', () => {
  const rows = [
    own('declarative', { by_share: { 100: 0.5, 0: 1 } }),
    own('agentic', { by_share: { 40: 1 } }),
  ];
  expect(findCurves([...rows, ...published])).toEqual([
    {
      figure: 'Execution accuracy',
      option: 'share of tables behind APIs',
      label: 'mine, declarative',
      points: [
        { x: 0, y: 1 },
        { x: 100, y: 0.5 },
      ],
    },
  ]);
  expect(leaderboardPage(rows)).toContain('<h2>Execution accuracy by share of tables behind APIs</h2>');
});

test('there is no table without a run of ours', () => expect(siwarexTables(published)).toEqual([]));
