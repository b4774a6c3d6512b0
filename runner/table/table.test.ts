import { expect, test } from 'vitest';
import { leaderboardCsv } from './csv.ts';
import { findCurves } from './curves.ts';
import type { LeaderboardRow } from './leaderboard.ts';
import { leaderboardPage } from './leaderboard-page.ts';
import { publishedRows } from './published-rows.ts';
import { sortRows } from './sort-rows.ts';
import { leaderboardMarkdown, leaderboardTables } from './write-text.ts';

const published = publishedRows();
const own = (more: Partial<LeaderboardRow>): LeaderboardRow => ({
  ...(published[0] as LeaderboardRow),
  model: 'openai/<b>',
  source: null,
  run: 'runs/x',
  interval: [0.1, 0.5],
  ...more,
});

test('published rows are read whole, and say where they are from', () => {
  expect(published.length).toBeGreaterThan(70);
  expect(
    published.every(
      ({ source, completion, relevance, query, hybrid }) =>
        source !== null && (completion ?? relevance ?? query ?? hybrid) !== null,
    ),
  ).toBe(true);
  const best = published.filter(
    ({ agent, formulation, options }) =>
      agent === 'react' && formulation === 'rest' && Object.keys(options).length === 0,
  );
  expect(Math.max(...best.map(({ completion }) => completion ?? 0))).toBe(0.5);
});

test('the best stands first in its formulation, and published rows are marked', () => {
  const rows = sortRows([...published, own({ formulation: 'slot', completion: 0.9 })]);
  const [, slot] = leaderboardTables(rows);
  expect(slot?.rows[0]?.[0]).toBe('openai/<b>');
  expect(slot?.rows[0]?.at(-1)).toBe('');
  expect(slot?.rows[1]?.at(-1)).toBe('published');
});

test('rows that differ in one number alone make a curve', () => {
  const rows = ['10%', '25%', '100%'].map((tools, i) =>
    own({
      agent: 'react',
      formulation: 'rest',
      completion: 0.6 - i / 10,
      options: tools === '100%' ? {} : { tools },
    }),
  );
  expect(findCurves(rows)).toMatchObject([
    { option: 'tools', points: [{ x: 10, y: 0.6 }, { x: 25, y: 0.5 }, { x: 100 }] },
  ]);
});

test('names from outside are text in a page, in Markdown and in a spreadsheet', () => {
  const rows = [own({ model: '=cmd|"<script>' })];
  expect(leaderboardPage(rows)).not.toContain('<script>');
  expect(leaderboardPage(rows)).toContain('&lt;script&gt;');
  expect(leaderboardMarkdown(rows)).toContain('=cmd\\|');
  expect(leaderboardCsv(rows)).toContain('"\'=cmd|""<script>"');
});
