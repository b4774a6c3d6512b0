import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OpenedFarm, openFarmAccess } from '../cli/run/farm-access.ts';
import { type OpenFarm, openFarm } from '../cli/score/open-farm.ts';
import { readFarm } from '../eval/farm/read-farm.ts';
import type { RunConfigInput } from '../runner/files/run-config.ts';
import { PYTHON_IMAGE } from '../services/agents/code/python-sandbox.ts';
import { HYBRID_QUESTIONS, hybridFarm, SHARE_SEED, TESTED_SHARES } from './support/hybrid-farm.ts';
import { startModelServer } from './support/model-server/model-server.ts';
import { runCellOn } from './support/run-cell-on.ts';
import { stubDocker } from './support/stub-docker.ts';

let farm: OpenedFarm;
let open: OpenFarm;
beforeAll(async () => {
  const folder = await hybridFarm();
  [farm, open] = [await openFarmAccess(folder, {}), await openFarm(folder)];
});
afterAll(async () => {
  await open.close();
  await farm.close();
});

const hybrid = (config: Omit<RunConfigInput, 'formulation'>): RunConfigInput => ({
  formulation: 'hybrid',
  select: { all: true },
  ...config,
});
const STATEMENTS = new Set(['oracle', 'declarative2']);
const TASKS = HYBRID_QUESTIONS * TESTED_SHARES.length;

test.each<[string, Omit<RunConfigInput, 'formulation'>]>([
  ['the gold calls', { agent: 'oracle' }],
  [
    'both parts fetched apart, and put together by the agent',
    { agent: 'oracle', list: { variant: 'apart' } },
  ],
  [
    'the same by hidden names of tools that are searched for',
    { agent: 'oracle', list: { variant: 'apart', obfuscate: true, via: 'search' } },
  ],
  [
    'one statement by a tool that is searched for',
    { agent: 'declarative', model: 'mock/gold', list: { via: 'search' } },
  ],
  ['one statement, APIs as tables', { agent: 'declarative', model: 'mock/gold' }],
  ['one statement, APIs as functions', { agent: 'declarative2', model: 'mock/gold' }],
  ['native calls', { agent: 'agentic', model: 'mock/gold' }],
  ['calls as text', { agent: 'agentic-react', model: 'mock/gold' }],
])('gold passes every task at every share: %s', async (_, config) => {
  const { report, records } = await runCellOn(farm, open, hybrid(config));
  expect(records.flatMap(({ error }) => error?.message ?? [])).toEqual([]);
  expect(report.metrics.completion).toMatchObject({ count: TASKS, n: TASKS });
  const { hybrid: figures } = report.metrics;
  expect(figures?.execution).toMatchObject({ count: TASKS, n: TASKS });
  expect(figures?.by_share.map(({ execution }) => execution)).toEqual(
    TESTED_SHARES.map(() => HYBRID_QUESTIONS),
  );
  expect(figures?.by_api.map(({ key, n }) => [key, n])).toEqual([['lexical', 2 * TESTED_SHARES.length]]);
  const { calls, planned_calls, rows, planned_rows } = figures?.all ?? {};
  // What carries a statement out takes what the gold plan takes.
  if (STATEMENTS.has(config.agent) && config.list === undefined)
    expect([calls, rows]).toEqual([planned_calls, planned_rows]);
});

test('gold passes as a program', async () => {
  const select = { all: true, sample: 2 };
  const { report } = await runCellOn(farm, open, hybrid({ agent: 'imperative', model: 'mock/gold', select }));
  expect(report.metrics.completion).toMatchObject({ count: 2, n: 2 });
});

const WORDS_OF_TITLES = `
const titles = get_book({ limit: 1000 }).data.map(({ title }) => title);
const lists = list_words({ inputs: titles.map((string) => ({ string })) }).data;
const syllables = (word) => count_syllables({ inputs: [{ string: word }] }).data[0].count;
print(lists.filter(({ words }) => words.some(({ word }) => syllables(word) === 2)).map(({ string }) => [string]));`;

test('a program reads the lists that APIs answer', async () => {
  process.env.OPENAI_API_KEY ??= 'k';
  const server = await startModelServer(() => [{ kind: 'text', text: `\`\`\`js${WORDS_OF_TITLES}\n\`\`\`` }]);
  try {
    const model = { model: 'openai/program', base_url: server.address };
    const select = { all: true, share: [`100-${SHARE_SEED}`] };
    const { records } = await runCellOn(farm, open, hybrid({ agent: 'imperative', ...model, select }));
    const record = records.find(({ sample_id }) => sample_id.includes('/words/'));
    const sample = readFarm(await hybridFarm()).samples.find((each) => each.sample_id === record?.sample_id);
    expect(record?.made.map(({ name }) => name)).toContain('list_words');
    expect(sample?.gold_answer.length).toBeGreaterThan(0);
    expect(new Set(record?.answer as unknown[])).toEqual(new Set(sample?.gold_answer));
  } finally {
    await server.stop();
  }
});

// docker pull python:3-slim
// rookery run hybrid-farm --agent imperative --language python --model mock/gold --formulation hybrid --allow-code --out runs/python
test('gold passes as a program in Python', async () => {
  stubDocker(PYTHON_IMAGE);
  const config = { agent: 'imperative', model: 'mock/gold', settings: { language: 'python' } } as const;
  const select = { all: true, sample: 2 };
  const { report } = await runCellOn(farm, open, hybrid({ ...config, select }));
  expect(report.metrics.completion).toMatchObject({ count: 2, n: 2 });
  const pythonImage = 'another';
  await expect(runCellOn(farm, open, hybrid(config), { pythonImage })).rejects.toThrow(
    'python runs in containers, and Error: No such image: another',
  );
});

test('nothing said is no answer', async () => {
  const { report } = await runCellOn(farm, open, hybrid({ agent: 'declarative', model: 'mock/silent' }));
  expect(report.metrics.completion).toMatchObject({ count: 0, n: TASKS });
  expect(report.metrics.hybrid?.failures).toEqual({ no_answer: TASKS });
});

test.each<[string, RunConfigInput]>([
  ['--allow-code', hybrid({ agent: 'imperative', model: 'mock/gold' })],
  ['hybrid', { agent: 'declarative', model: 'mock/gold', formulation: 'rest' }],
])('what cannot be is refused: %s', async (told, config) => {
  await expect(runCellOn(farm, open, config, { allowCode: false })).rejects.toThrow(told);
});
