import { expect, test } from 'vitest';
import type { LeaderboardRow } from './leaderboard.ts';
import { paperTables } from './paper-tables.ts';
import { publishedRows } from './published-rows.ts';

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

test('a model stands in Table 3 with all its formulations in one line, above the published lines', () => {
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

test('tools in the field of the request are a line of their own, as they are in the paper', () => {
  const field = ours({ agent: 'direct', formulation: 'slot', options: { tools_in: 'field' } });
  const { cells } = tableOf([field], 'Table 3');
  expect(cells('mine (tools_in=field)')).toBeDefined();
  expect(cells('mine')).toBeUndefined();
  expect(cells('GPT-4o (tools_in=field)')).toContain('.90/.52/.66');
});

test('Table 4 has direct invocation beside the agent, of whichever way the paper measured it', () => {
  const rows = [
    ours({ agent: 'direct', formulation: 'rest', completion: 0.25 }),
    ours({ agent: 'react', formulation: 'rest', loops: 3, stuck: 0.125 }),
  ];
  const { cells } = tableOf(rows, 'Table 4');
  expect(cells('mine')).toEqual(expect.arrayContaining(['.25→.50', '3.00', '.13']));
  expect(cells('GPT-4o')).toContain('.38→.50');
});

test('hidden names and sizes of the toolset are told by the options of runs', () => {
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

test('another temperature is another line; categories are in no table of the paper', () => {
  const direct = { agent: 'direct', formulation: 'rest' } as const;
  const rows = [
    ours({ ...direct, options: { temperature: 0.7 } }),
    ours({ ...direct, model: 'other', options: { category: 'simple' } }),
  ];
  const { cells } = tableOf(rows, 'Table 3');
  expect(cells('mine [temperature=0.7]')).toBeDefined();
  expect(cells('other')).toBeUndefined();
});
