import { expect, test } from 'vitest';
import { findCurves } from './charts.ts';
import { type LeaderboardRow, queryFigures } from './leaderboard.ts';
import { bfclTables, dbgorillaTables, paperTables, siwarexTables } from './paper-tables.ts';
import { publishedRows } from './run-row.ts';

const published = publishedRows().filter(({ split }) => split === 'bird-dev');

/** A run of ours. */
function ours(more: Partial<LeaderboardRow>): LeaderboardRow {
  const [some] = published;
  if (some === undefined) throw new Error('nothing was published');
  return { ...some, model: 'mine', options: {}, completion: 0.5, source: null, run: 'runs/mine', ...more };
}

function tableOf(rows: readonly LeaderboardRow[], title: string) {
  const table = paperTables([...rows, ...published]).find((each) => each.title.includes(title));
  const cells = (model: string) =>
    table?.rows.find(([name]) => name === model)?.filter((cell) => cell !== '');
  return { titles: paperTables([...rows, ...published]).map((each) => each.title), cells };
}

test('Table 3 has all formulations of a model in one line, above the published lines', () => {
  const rows = (['rest', 'slot', 'sel'] as const).map((formulation) =>
    ours({ agent: 'direct', formulation }),
  );
  const { titles, cells } = tableOf(rows, 'Table 3');
  expect(titles).toEqual([expect.stringContaining('Table 3')]);
  expect(cells('mine')?.filter((cell) => cell === '.50')).toHaveLength(3);
  expect(cells('Qwen2.5-72B')).toEqual([
    'Qwen2.5-72B',
    ...['.80/.63/.71', '.61/.61/.61', '.06'],
    ...['.55/.48/.51', '.46/.46/.46', '.16'],
    ...['.66/.65/.66', '.82/.82/.82', '.47'],
    'published',
  ]);
});

test('tools in the request’s field have a separate line, as in the paper', () => {
  const field = ours({ agent: 'direct', formulation: 'slot', options: { tools_in: 'field' } });
  const { cells } = tableOf([field], 'Table 3');
  expect(cells('mine (tools_in=field)')).toBeDefined();
  expect(cells('mine')).toBeUndefined();
  expect(cells('GPT-4o (tools_in=field)')).toContain('.90/.52/.66');
});

test('Table 4 has direct invocation beside the agent, however the paper measured it', () => {
  const rows = [
    ours({ agent: 'direct', formulation: 'rest', completion: 0.25 }),
    ours({ agent: 'react', formulation: 'rest', loops: 3, stuck: 0.125 }),
  ];
  const { cells } = tableOf(rows, 'Table 4');
  expect(cells('mine')).toEqual(expect.arrayContaining(['.25→.50', '3.00', '.13']));
  expect(cells('GPT-4o')).toContain('.38→.50');
});

test('options of runs determine obfuscation and toolset sizes', () => {
  const agent = { agent: 'react', formulation: 'rest' } as const;
  const rows = [
    ours(agent),
    ours({ ...agent, options: { obfuscate: true }, completion: 0.375 }),
    ours({ ...agent, options: { tools: '10%' }, completion: 0.75 }),
  ];
  expect(tableOf(rows, 'Hidden names').cells('mine')).toEqual(expect.arrayContaining(['.50', '.38']));
  expect(tableOf(rows, 'Size').cells('mine')).toEqual(expect.arrayContaining(['.75', '.50']));
  expect(tableOf(rows, 'Size').cells('GPT-4o')).toContain('.63');
});

test('another temperature is a separate line; categories are in no table of the paper', () => {
  const direct = { agent: 'direct', formulation: 'rest' } as const;
  const rows = [
    ours({ ...direct, options: { temperature: 0.7 } }),
    ours({ ...direct, model: 'other', options: { category: 'simple' } }),
  ];
  const { cells } = tableOf(rows, 'Table 3');
  expect(cells('mine [temperature=0.7]')).toBeDefined();
  expect(cells('other')).toBeUndefined();
});

const dbgorillaTablesPublished = publishedRows().filter(({ split }) => split === 'use-cases');

function own(options: LeaderboardRow['options'], exact_published: number): LeaderboardRow {
  const [some] = dbgorillaTablesPublished;
  if (some === undefined) throw new Error('nothing was published');
  const query = queryFigures.parse({ exact_published, by_component: { search_query: 0.25 } });
  return { ...some, model: 'mine', completion: 0.5, options, query, source: null };
}

const find = (rows: readonly LeaderboardRow[], title: string) =>
  dbgorillaTables([...rows, ...dbgorillaTablesPublished]).find((table) => table.title.includes(title));

test('an own run is above the eight published models, with execution, which they lack', () => {
  const table = find([own({ tools_in: 'field', parallel_tool_calls: false }, 0.4)], 'Figure 1');
  expect(table?.rows).toHaveLength(9);
  expect(table?.rows[0]?.slice(0, 2)).toEqual(['mine', '50.0']);
  expect(table?.rows[0]?.at(-1)).toBe('');
  const claude = table?.rows.find(([name]) => name === 'Claude 3.5 Sonnet');
  expect(claude).toEqual(expect.arrayContaining(['74.3', 'published']));
});

test('structured output is not part of the first experiment', () => {
  const [table] = dbgorillaTables([
    own({}, 0.4),
    { ...own({}, 0.3), agent: 'structured' },
    ...dbgorillaTablesPublished,
  ]);
  expect(table?.rows).toHaveLength(9);
});

test('components have the columns of the paper', () => {
  const table = find([own({}, 0.4)], 'component');
  expect(table?.head.slice(1, 4)).toEqual(['search query', 'integer filter', 'text filter']);
  expect(table?.rows[0]?.[1]).toBe('25.0');
});

test('runs with prices have their cost in a table of its own', () => {
  expect(find([own({}, 0.4)], 'Table 2')).toBeUndefined();
  const priced = { ...own({}, 0.4), input_tokens: 812.4, output_tokens: 90, cost: 0.0123 };
  expect(find([own({}, 0.3), priced], 'Table 2')?.rows).toEqual([['mine', '812', '90', '0.0123', '']]);
});

test('tool variants have separate lines, beside those of GPT-4o', () => {
  const table = find([own({ variant: 'rationale', parallel_tool_calls: false }, 0.4)], 'Table 6');
  const names = table?.rows.map(([name]) => name);
  expect(names).toContain('mine, direct: variant=rationale, parallel_tool_calls=false');
  expect(names).toContain('GPT-4o, direct: variant=rationale');
  expect(names).toContain('GPT-4o, structured: original');
});

test('without an own run there is no table', () => {
  expect(dbgorillaTables(dbgorillaTablesPublished)).toEqual([]);
});

const siwarexTablesPublished = publishedRows().filter(({ hybrid }) => hybrid !== null);
const [any] = siwarexTablesPublished;
if (!any?.hybrid) throw new Error('nothing is published');
const empty = { ...any.hybrid, execution: null, by_share: {}, by_class: {}, by_api: {}, by_depth: {} };
const siwarexTablesOwn = (
  agent: string,
  hybrid: Partial<NonNullable<LeaderboardRow['hybrid']>>,
): LeaderboardRow => ({
  ...any,
  model: 'mine',
  agent,
  source: null,
  hybrid: { ...empty, ...hybrid },
});

test('a curve over the share is shown beside the published one', () => {
  const [curve] = siwarexTables([
    siwarexTablesOwn('declarative', { by_share: { 100: 0.5, 0: 1, 40: 0.75 } }),
    ...siwarexTablesPublished,
  ]);
  expect(curve?.head).toEqual(['model', 'strategy', '0 %', '40 %', '100 %', '']);
  expect(curve?.rows[0]).toEqual(['mine', 'declarative', '100.0', '75.0', '50.0', '']);
  expect(curve?.rows.slice(1).map((row) => row.at(-1))).toEqual(['published']);
});

test('scalar APIs are shown by kind and depth beside the published strategies', () => {
  const figures = { execution: 0.5, by_api: { lexical: 0.5 }, by_depth: { 2: 0.25 }, by_share: { 0: 0.5 } };
  const tables = siwarexTables([siwarexTablesOwn('declarative2', figures), ...siwarexTablesPublished]);
  const table = tables.find(({ title }) => title.includes('Benchmark II'));
  expect(table?.head.slice(2, 5)).toEqual(['execution', 'lexical', 'depth 2']);
  expect(table?.rows[0]?.slice(0, 5)).toEqual(['mine', 'declarative2', '50.0', '50.0', '25.0']);
  expect(table?.rows.filter((row) => row.at(-1) === 'published')).toHaveLength(4);
});

test('a leaderboard draws the curve of each run over the share', () => {
  const rows = [
    siwarexTablesOwn('declarative', { by_share: { 100: 0.5, 0: 1 } }),
    siwarexTablesOwn('agentic', { by_share: { 40: 1 } }),
  ];
  expect(findCurves([...rows, ...siwarexTablesPublished])).toEqual([
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
});

test('there is no table without an own run', () => expect(siwarexTables(siwarexTablesPublished)).toEqual([]));

test('runs that differ in BFCL’s prompt format alone are one line with their spread', () => {
  const run = (prompts: string, completion: number, category = 'multiple') =>
    ours({ agent: 'direct', formulation: 'rest', completion, options: { prompts, category } });
  const tables = bfclTables([
    run('bfcl:ret_fmt=json', 0.5),
    run('bfcl:style=experimental', 0.7),
    run('bfcl:prompt_fmt=markdown', 0.9),
    run('bfcl:ret_fmt=json', 0.1, 'simple'),
    run('databricks:short', 0),
  ]);
  expect(tables.map(({ title, rows }) => [title, rows])).toEqual([
    [
      'Format sensitivity: completion, over prompt formats',
      [['mine, REST, category=multiple', '3', '70.0', '50.0', '90.0', '40.0', '20.0']],
    ],
  ]);
});
