import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Policy } from '../contracts/catalog.ts';
import type { Sample } from '../contracts/sample.ts';
import { DEFAULT_REFERENCE_TIME } from '../contracts/split.ts';
import { readPredictions } from '../eval/farm/read-farm.ts';
import { scoreFarm } from '../eval/score/score-farm.ts';
import { generate } from '../generator/generate.ts';
import { Oracle } from '../generator/oracle/oracle.ts';
import { findDatabases } from '../generator/synthesize/find-databases.ts';
import { synthesizeWrites } from '../generator/synthesize/synthesize-writes.ts';
import { expandExperiment, readSuite } from '../runner/experiment.ts';
import { servedFarm } from './support/served-farm.ts';
import { scratchFolder, writeDatabase } from './support/split-fixture.ts';

const many = (count: number, row: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => `(${row(i)})`).join(', ');
const DEPOT = `
  CREATE TABLE depot (id INTEGER PRIMARY KEY, name TEXT NOT NULL, town TEXT, lorries INTEGER CHECK (lorries >= 0));
  CREATE TABLE driver (id INTEGER PRIMARY KEY, name TEXT NOT NULL, depot_id INTEGER REFERENCES depot (id), grade TEXT);
  CREATE TABLE trip (
    id INTEGER PRIMARY KEY, driver_id INTEGER NOT NULL REFERENCES driver (id), day TEXT NOT NULL, status TEXT, km INTEGER);
  CREATE TABLE permit (
    driver_id INTEGER REFERENCES driver (id), depot_id INTEGER REFERENCES depot (id), level TEXT,
    PRIMARY KEY (driver_id, depot_id));
  INSERT INTO depot VALUES ${many(8, (i) => `${i + 1}, '${'Ash Birch Cedar Elm Fir Hazel Larch Oak'.split(' ')[i]} Yard', '${['Ely', 'Bath'][i % 2]}', ${2 + 3 * i}`)};
  INSERT INTO driver VALUES ${many(30, (i) => `${i + 1}, '${'Ada Ben Cleo Dan Eve'.split(' ')[i % 5]} ${'Archer Baker Cook Draper Fisher Gray'.split(' ')[Math.floor(i / 5)]}', ${1 + (i % 6)}, '${'ABC'[i % 3]}'`)};
  INSERT INTO trip VALUES ${many(90, (i) => `${i + 1}, ${1 + ((i * 7) % 25)}, '2024-0${1 + (i % 9)}-${10 + (i % 20)}', '${['open', 'done', 'billed'][i % 3]}', ${20 + ((i * 13) % 200)}`)};
  INSERT INTO permit VALUES ${many(60, (i) => `${1 + (i % 30)}, ${1 + ((i + 3 * Math.floor(i / 30)) % 8)}, '${['full', 'part'][i % 2]}'`)};
`;
const RULE: Policy = {
  id: 'billed',
  rule: 'A trip that was billed must not be changed or deleted.',
  table: 'trip',
  on: ['update', 'delete'],
  forbid: "before.status = 'billed'",
};

const outer = scratchFolder();
const out = join(outer, 'farm');
const served = servedFarm({
  async make() {
    const split = join(outer, 'depots');
    writeDatabase(split, 'depots.sqlite', DEPOT);
    mkdirSync(join(split, 'policies'));
    writeFileSync(join(split, 'policies/depots.jsonl'), JSON.stringify(RULE));
    const [found] = await findDatabases(join(split, 'depots.sqlite'));
    if (!found) throw new Error('no database');
    const domain = { ...found, catalog: { ...found.catalog, policies: [RULE] } };
    const oracle = new Oracle({ referenceTime: DEFAULT_REFERENCE_TIME, limitMs: 5_000 });
    const options = { writes: 50, seed: '3', referenceTime: DEFAULT_REFERENCE_TIME };
    const { questions } = await synthesizeWrites(domain, oracle, options).finally(() => oracle.close());
    writeFileSync(join(split, 'questions.jsonl'), questions.map((each) => JSON.stringify(each)).join('\n'));
    await generate(split, { out, referenceTime: DEFAULT_REFERENCE_TIME, timeoutMs: 30_000, jobs: 1 });
    return out;
  },
});

const pairTasks = () =>
  readFileSync(join(out, 'eval/depots.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Sample)
    .filter(({ pair }) => pair !== undefined);

test('the suite runs on drawn pairs: the oracle passes all, and who does nothing passes none', async () => {
  const tasks = pairTasks();
  expect(tasks.length).toBeGreaterThanOrEqual(20);
  const expanded = await expandExperiment('pairs', readSuite('pairs'), {});
  const passed: Record<string, readonly [number, number | null]> = {};
  for (const { config } of expanded) {
    if (config.agent === 'lexical') continue;
    const { report } = await served.run({ ...config, select: { ...config.select, all: true } });
    passed[config.agent] = [report.ledger.pass, report.metrics.state.pairs?.value];
  }
  expect(passed).toEqual({ oracle: [tasks.length, 1], nothing: [tasks.length / 2, 0] });
});

test('who always writes passes none, and who does what each task alone asks for passes all', async () => {
  const tasks = pairTasks();
  const { universe, replay } = served.open;
  const farm = served.farm.scored;
  if (!farm) throw new Error('there is no gold');
  const score = async (calls: (task: Sample) => Sample['output']) => {
    const file = join(outer, 'predictions.jsonl');
    const lines = tasks.map((task) =>
      JSON.stringify({ sample_id: task.sample_id, answer: 'done', calls: calls(task) }),
    );
    writeFileSync(file, lines.join('\n'));
    const predictions = readPredictions(file, farm);
    const choose = ({ pair }: Sample) => pair !== undefined;
    const { metrics } = await scoreFarm({ farm, predictions, universe, replay, choose });
    return metrics.state.pairs?.value;
  };
  expect(await score(({ output }) => output)).toBe(1);
  expect(
    await score(({ pair }) => tasks.find((each) => each.pair === pair && !each.refuse)?.output ?? []),
  ).toBe(0);
});
