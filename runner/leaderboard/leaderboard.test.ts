import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { packageRoot } from '../../contracts/package-root.ts';
import { findCurves } from './charts.ts';
import { defaultName, leaderboardCsv, sortRows } from './columns.ts';
import type { LeaderboardRow } from './leaderboard.ts';
import { publishedFile, publishedRows } from './run-row.ts';
import { leaderboardMarkdown, leaderboardTables } from './write-text.ts';

const published = publishedRows();
const own = (more: Partial<LeaderboardRow>): LeaderboardRow => ({
  ...(published[0] as LeaderboardRow),
  name: 'openai/<b>',
  model: 'openai/<b>',
  source: null,
  run: 'runs/x',
  relevance: null,
  completion: 0.3,
  completion_strict: 0.2,
  interval: [0.1, 0.5],
  ...more,
});

test('published rows are complete and have their source', () => {
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

test('published rows have the figures of their tables', () => {
  const find = (table: string, model: string, formulation: string) =>
    published.filter(
      (row) => row.source?.endsWith(table) && row.model === model && row.formulation === formulation,
    );
  const [spread] = find('Table 3', 'Qwen2.5-72B', 'sel');
  expect(spread).toMatchObject({
    n: 651,
    intent: { precision: 0.55, recall: 0.48, f1: 0.51 },
    slot: { precision: 0.46, recall: 0.46, f1: 0.46 },
    completion: 0.16,
  });
  // No figures are known in REST.
  expect(find('Table 3', 'GPT-4o (tools)', 'rest')).toEqual([]);
  // Three tables of the paper make one row.
  const merged = find('Tables 3, 8, 9', 'GPT-4o', 'query');
  expect(merged.map(({ query }) => [query?.routing, query?.by_use_case.courses])).toEqual([[0.965, 0.7031]]);
  expect(merged[0]?.query?.by_component.groupby_property).toBe(0.717);
  const counts = find('released runs, Figure 5', 'GPT-4o', 'rest').map(({ options, n }) => [
    options.tools,
    n,
  ]);
  expect(counts).toContainEqual(['50%', 1135]);
});

test('every line of a published table has all its figures', () => {
  const folder = join(packageRoot, 'runner', 'published');
  for (const name of readdirSync(folder)) {
    for (const { formulations, figures, rows } of publishedFile.parse(
      parse(readFileSync(join(folder, name), 'utf8')),
    ).tables)
      for (const [model, values] of Object.entries(rows))
        expect(values, `${name}, ${model}`).toHaveLength(formulations.length * figures.length);
  }
});

test('sorts the best first within its formulation, and marks published rows', () => {
  const rows = sortRows([
    ...published,
    own({ formulation: 'slot', completion: 0.95, interval: [0.9, 1], n: 500 }),
  ]);
  const [, slot] = leaderboardTables(rows);
  expect(slot?.rows[0]?.[0]).toBe('openai/<b>');
  expect(slot?.rows[0]?.at(-1)).toBe('');
  expect(slot?.rows[1]?.at(-1)).toBe('published');
});

test('a lucky run of three ranks below a good one of a hundred, and N is shown', () => {
  const rows = sortRows([
    own({ name: 'lucky', formulation: 'rest', n: 3, completion: 1, interval: [1, 1] }),
    own({ name: 'good', formulation: 'rest', n: 108, completion: 0.7, interval: [0.61, 0.78] }),
    own({ name: 'poor', formulation: 'rest', n: 108, completion: 0.3, interval: [0.21, 0.38] }),
    own({ name: 'none', formulation: 'rest', n: 108, completion: 0, interval: [0, 0] }),
  ]);
  expect(rows.map(({ name }) => name)).toEqual(['good', 'lucky', 'poor', 'none']);
  const [table] = leaderboardTables(rows);
  const head = table?.head.map((name) => name.trim()) ?? [];
  expect(head.slice(head.indexOf('completion'), head.indexOf('strict'))).toEqual(['completion', '95 %', 'N']);
});

test('model, agent and options have columns if names do not contain them', () => {
  const heads = (rows: readonly LeaderboardRow[]) =>
    leaderboardTables(rows)[0]?.head.map((name) => name.trim()) ?? [];
  const shown = { model: 'p/m', agent: 'tools', options: { tools: '25%' }, formulation: 'rest' } as const;
  const usual = own({ ...shown, name: defaultName(shown) });
  expect(usual.name).toBe('p/m, tools, tools=25%');
  expect(heads([usual]).slice(0, 2)).toEqual(['name', 'completion']);
  const given = own({ ...shown, name: 'a quarter' });
  expect(heads([usual, given]).slice(0, 4)).toEqual(['name', 'model', 'agent', 'options']);
  for (const page of [leaderboardMarkdown([given]), leaderboardCsv([given])])
    expect(page).toContain('a quarter');
});

test('what agents were given has a column where it differs, and published rows leave it open', () => {
  const rowsOf = (...options: LeaderboardRow['options'][]) =>
    options.map((each, at) => own({ name: `run ${at}`, formulation: 'rest', options: each }));
  const givenIn = (rows: readonly LeaderboardRow[]) => {
    const [table] = leaderboardTables(rows);
    const at = table?.head.findIndex((name) => name.trim() === 'given') ?? -1;
    return at < 0 ? null : table?.rows.map((row) => row[at]);
  };
  const tracks = rowsOf({}, { evidence: true }, { glossary: true }, { evidence: true, glossary: true });
  const given = ['neither', 'evidence', 'glossary', 'evidence and glossary'];
  expect(givenIn(tracks)).toEqual(given);
  const paper = own({ name: 'paper', formulation: 'rest', source: 'a paper' });
  expect(givenIn([...tracks, paper])).toEqual([...given, '']);
  expect(givenIn(rowsOf({}, {}))).toBeNull();
  expect(givenIn(rowsOf({ evidence: true }))).toBeNull();
});

test('rows that differ in one number form a curve', () => {
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

test('untrusted names are escaped in Markdown and CSV', () => {
  const rows = [own({ name: '=cmd|"<script>', model: '=cmd|"<script>' })];
  expect(leaderboardMarkdown(rows)).toContain('=cmd\\|');
  expect(leaderboardCsv(rows)).toContain('"\'=cmd|""<script>"');
});
