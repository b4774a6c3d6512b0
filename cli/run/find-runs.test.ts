import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { WorldMark } from '../../contracts/farm.ts';
import { readFarm, readPredictions } from '../../eval/farm/read-farm.ts';
import type { Report } from '../../eval/metrics/report.ts';
import { scoreFarm } from '../../eval/score/score-farm.ts';
import { type RunConfigInput, runConfig } from '../../runner/files/run-config.ts';
import { RUN_FORMAT, type RunHeader } from '../../runner/files/run-records.ts';
import { sortRows } from '../../runner/leaderboard/columns.ts';
import { leaderboardTables } from '../../runner/leaderboard/write-text.ts';
import { scratchFolder } from '../../tests/support/split-fixture.ts';
import { TINY_SAMPLES, TINY_UNIVERSE, tinyReplay, writeTinyFarm } from '../../tests/support/tiny-farm.ts';
import { groupTables } from '../commands/table.ts';
import { findRuns, findScoredRuns, passRatesOf, readPassRates, tablesLike } from './find-runs.ts';

const root = scratchFolder();
const farm = readFarm(writeTinyFarm(join(root, 'farm')));
const REST = TINY_SAMPLES.filter(({ formulation }) => formulation === 'rest');

/** The report of an agent that makes the gold calls of so many questions, on the farm or another one like it. */
async function reportOf(right: number, place: Partial<Report['farm']>): Promise<Report> {
  const file = join(root, 'predictions.jsonl');
  const predictions = REST.map(({ sample_id, output }, i) => ({ sample_id, calls: i < right ? output : [] }));
  writeFileSync(file, predictions.map((each) => JSON.stringify(each)).join('\n'));
  const report = await scoreFarm({
    farm,
    predictions: readPredictions(file, farm),
    universe: TINY_UNIVERSE,
    replay: tinyReplay,
    choose: ({ formulation }) => formulation === 'rest',
  });
  return { ...report, farm: { ...report.farm, ...place } };
}

async function writeRun(
  name: string,
  model: string,
  right: number,
  place: Partial<Report['farm']> = {},
  config: Partial<RunConfigInput> = { agent: 'tools', formulation: 'rest' },
) {
  const folder = join(root, 'runs', name);
  mkdirSync(folder, { recursive: true });
  const header: RunHeader = {
    format: RUN_FORMAT,
    name,
    status: 'done',
    reason: null,
    config: runConfig.parse({ ...config, model }),
    config_hash: 'c',
    farm: { name: 'tiny', split: 'tiny', hash: null },
    prompts: { pack: 'tools', family: null, hash: 'h', transport: null, first: null },
    shots: {},
    tool_lists: {},
    models_reported: [],
    fingerprints: [],
    warnings: [],
    versions: { rookery: '0', node: '20', commit: null },
    tasks: 4,
    attempts: { planned: 4, done: 4, errors: 0 },
    ceiling: null,
    cost: null,
    started_at: '2025-01-01T00:00:00Z',
    ended_at: null,
  };
  writeFileSync(join(folder, 'run.json'), JSON.stringify(header));
  writeFileSync(join(folder, 'report.json'), JSON.stringify(await reportOf(right, place)));
}

test('only a run that was repeated in a world has the difference in completion', async () => {
  const world: WorldMark = { commitment: '12345678'.repeat(8), origin: farm.hash };
  const elsewhere: WorldMark = { commitment: 'b'.repeat(64), origin: 'e'.repeat(64) };
  await writeRun('public', 'p/learned', 4);
  await writeRun('private', 'p/learned', 1, { world, hash: 'f'.repeat(64) });
  await writeRun('honest', 'p/honest', 3);
  await writeRun('other-farm', 'p/honest', 0, { world: elsewhere, hash: 'f'.repeat(64) });
  const rows = findRuns([join(root, 'runs')]);
  const row = (name: string) => rows.find(({ run }) => run === join(root, 'runs', name));
  expect(row('public')?.world_difference?.value).toBe(-0.75);
  expect(row('public')?.world_difference?.interval).toHaveLength(2);
  expect(row('honest')?.world_difference).toBeNull();
  expect(row('private')).toMatchObject({ world_difference: null, options: { world: '12345678' } });
  const [table] = leaderboardTables(sortRows(rows));
  const column = table?.head.findIndex((name) => name.trim() === 'Δ(public, private)') ?? -1;
  expect(table?.rows.map((cells) => cells[column]?.trim())).toEqual(['−75.0', '', '', '']);
});

test('a run that was repeated under new names has the difference in completion', async () => {
  const renamed = { origin: farm.farm.split.content_hash };
  await writeRun('names/own', 'p/spells', 4);
  await writeRun('names/new', 'p/spells', 2, {
    renamed,
    content_hash: 'ab'.repeat(32),
    hash: 'f'.repeat(64),
  });
  const [after, before] = findRuns([join(root, 'runs', 'names')]);
  expect(before).toMatchObject({ world_difference: null, renamed_difference: { value: -0.5 }, options: {} });
  expect(after).toMatchObject({ renamed_difference: null, options: { names: 'abababab' } });
});

const report = (...outcomes: readonly (readonly [string, string])[]) => ({
  samples: outcomes.map(([sample_id, outcome]) => ({ sample_id, outcome })) as unknown as Report['samples'],
});

test('attempts of all reports count, except broken and missing ones', () => {
  const rates = passRatesOf([
    report(['a', 'pass'], ['b', 'fail'], ['c', 'not_run'], ['d', 'unparseable']),
    report(['a', 'fail'], ['b', 'infra_error'], ['c', 'infra_error']),
  ]);
  expect(Object.fromEntries(rates)).toEqual({ a: 0.5, b: 0, d: 0 });
});

test('names the path that has no report', () => {
  expect(() => readPassRates(['/nowhere/report.json'])).toThrow(
    expect.objectContaining({ code: 'REPORT_INVALID', file: '/nowhere/report.json' }),
  );
});

test('completion by difficulty has a column a level, and a line a run', async () => {
  await writeRun('by/all', 'p/all', 4);
  await writeRun('by/none', 'p/none', 0);
  const [table, ...others] = groupTables(findScoredRuns([join(root, 'runs', 'by')]), 'difficulty');
  expect(others).toEqual([]);
  expect(table?.title).toBe('REST');
  expect(table?.head).toEqual(['completion', 'easy']);
  expect(table?.rows.map(([, easy]) => easy)).toEqual(['100.0 % of 4', '0.0 % of 4']);
  expect(groupTables(findScoredRuns([join(root, 'runs', 'by')]), 'domain')[0]?.head).toEqual([
    'completion',
    'shop',
  ]);
});

test('interfaces are compared with the list of the domain, smaller toolsets first', async () => {
  const rest = { agent: 'tools', formulation: 'rest' } as const;
  const wide = (tools: string) => ({ ...rest, list: { scope: 'farm', tools } as const });
  await writeRun('ways/a', 'p/one', 1, {}, wide('100%'));
  await writeRun('ways/b', 'p/one', 2, {}, wide('1000'));
  await writeRun('ways/c', 'p/one', 4, {}, { ...rest, list: { via: 'search' } });
  await writeRun('ways/d', 'p/one', 4, {}, { ...rest, agent: 'nl2sql' });
  await writeRun('ways/e', 'p/one', 3, {}, rest);
  await writeRun('ways/f', 'p/two', 3, {}, rest);
  const [one, two] = tablesLike([join(root, 'runs', 'ways')], 'none', 'interfaces');
  expect(one?.title).toContain('p/one: differences to REST, list');
  const at = (name: string) => one?.head.indexOf(name) ?? -1;
  const columns = ['', 'tools', 'completion', 'difference', 'p (Holm)', 'pairs'].map(at);
  expect(one?.rows.map((cells) => columns.map((column) => cells[column]))).toEqual([
    ['REST, list', 'domain', '75.0 %', '', '', ''],
    ['REST, search', 'domain', '100.0 %', '+25.0', '1.000', '4'],
    ['SQL', '', '100.0 %', '+25.0', '1.000', '4'],
    ['REST, list', '1,000', '50.0 %', '-25.0', '1.000', '4'],
    ['REST, list', 'all', '25.0 %', '-50.0', '1.000', '4'],
  ]);
  expect(two?.rows).toHaveLength(1);
});

test('DBGorilla’s tables end with a ranking: of models, or of one model’s ways to be offered the tool', async () => {
  const direct = { agent: 'direct', formulation: 'query' } as const;
  const ranking = (place: string) => tablesLike([join(root, 'runs', place)], 'none', 'dbgorilla').at(-1);
  await writeRun('ranked/one', 'p/one', 1, {}, direct);
  await writeRun('ranked/all', 'p/all', 4, {}, direct);
  await writeRun('ranked/all-live', 'p/all', 0, {}, { ...direct, agent: 'tools' });
  expect(ranking('ranked')?.title).toContain('4 tasks; 1.8 different predictions of 2 on average');
  expect(ranking('ranked')?.rows).toEqual([
    ['p/all', '385', '100.0 %'],
    ['p/one', '295', '25.0 %'],
  ]);
  await writeRun('ways/direct', 'p/all', 4, {}, direct);
  expect(ranking('ways')).toBeUndefined();
  await writeRun('ways/live', 'p/all', 0, {}, { ...direct, agent: 'tools' });
  expect(ranking('ways')?.rows.map(([name]) => name)).toEqual([
    'p/all, direct: original',
    'p/all, tools: original',
  ]);
});
