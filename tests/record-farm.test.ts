import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Coverage } from '../contracts/farm.ts';
import { packageRoot } from '../contracts/package-root.ts';
import type { Sample } from '../contracts/sample.ts';
import { DEFAULT_REFERENCE_TIME } from '../contracts/split.ts';
import { readPredictions } from '../eval/farm/read-farm.ts';
import { scoreFarm } from '../eval/score/score-farm.ts';
import { generate } from '../generator/generate.ts';
import { temporaryFolder as folderOfTests } from '../services/testing/zoo.ts';
import { servedFarm } from './support/served-farm.ts';
import { writeDatabase, writeFiles } from './support/split-fixture.ts';
import { startCommand } from './support/start-command.ts';
import { freePort } from './support/supervised.ts';

export const CLINICS = `
  CREATE TABLE clinic (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, beds INTEGER CHECK (beds >= 0));
  CREATE TABLE pet (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, weight REAL, clinic_id INTEGER REFERENCES clinic (id),
    status TEXT DEFAULT 'active', since TEXT DEFAULT CURRENT_DATE);
  CREATE TABLE visit (
    pet_id INTEGER NOT NULL REFERENCES pet (id) ON DELETE CASCADE, day TEXT NOT NULL, cost REAL,
    PRIMARY KEY (pet_id, day));
  CREATE TABLE remark (text TEXT, day TEXT);
  INSERT INTO clinic VALUES (1, 'North', 4), (2, 'South', 8), (3, 'Empty', 0);
  INSERT INTO pet (id, name, weight, clinic_id, since) VALUES
    (1, 'Bella', 4.5, 1, '2023-01-05'), (2, 'Rex', 20.0, 1, '2023-02-05'), (3, 'Puppy', 2.5, 2, '2023-03-05'),
    (4, 'Milo', 6.5, 2, '2023-04-05'), (5, 'Luna', 9.0, 2, '2023-05-05');
  INSERT INTO visit VALUES
    (1, '2024-01-01', 10.0), (1, '2024-01-02', 12.5), (2, '2024-01-01', 30.0), (4, '2024-02-01', NULL);
  INSERT INTO remark VALUES ('a', 'mon'), ('a', 'mon');
`;

const QUESTIONS = [
  ['Set the status of Bella to retired.', "UPDATE pet SET status = 'retired' WHERE name = 'Bella'"],
  ['Delete the pet Rex with all its visits.', "DELETE FROM pet WHERE name = 'Rex'"],
  ['Open a clinic named West with 6 beds.', "INSERT INTO clinic (name, beds) VALUES ('West', 6)"],
  [
    'Register Nala, 3.2 kg, at South.',
    "INSERT INTO pet (name, weight, clinic_id) SELECT 'Nala', 3.2, id FROM clinic WHERE name = 'South'",
  ],
  [
    'Raise the cost of every visit of Bella by half.',
    "UPDATE visit SET cost = cost * 1.5 WHERE pet_id = (SELECT id FROM pet WHERE name = 'Bella')",
  ],
  ['Close the clinics without beds.', 'DELETE FROM clinic WHERE beds = 0'],
  [
    'Move all pets of North to South and halve the beds of North.',
    "UPDATE pet SET clinic_id = 2 WHERE clinic_id = 1; UPDATE clinic SET beds = beds / 2 WHERE name = 'North';",
  ],
  [
    'Note a visit of Luna today that cost 15.',
    "INSERT INTO visit VALUES ((SELECT id FROM pet WHERE name = 'Luna'), date('now'), 15)",
  ],
  [
    'Give North 5 beds, or open it.',
    "INSERT INTO clinic (name, beds) VALUES ('North', 5) ON CONFLICT (name) DO UPDATE SET beds = excluded.beds",
  ],
  ['Replace South by a clinic of 9 beds.', "REPLACE INTO clinic VALUES (2, 'South', 9)"],
  // Rejected, with the reason in coverage.
  ['Set the status of Felix to retired.', "UPDATE pet SET status = 'retired' WHERE name = 'Felix'"],
  ['Delete the clinic North.', "DELETE FROM clinic WHERE name = 'North'"],
  ['Delete a remark.', 'DELETE FROM remark WHERE rowid = 1'],
  ['Give each pet a random weight.', 'UPDATE pet SET weight = random()'],
  ['Drop the visits.', 'DROP TABLE visit; DELETE FROM pet'],
  // Reads as ever.
  ['How many beds has North?', "SELECT beds FROM clinic WHERE name = 'North'"],
] as const;

const outer = folderOfTests();
const split = join(outer.path, 'writes');
const out = join(outer.path, 'farm');
let samples: Sample[];
let coverage: Coverage;

const served = servedFarm({
  async make() {
    writeDatabase(split, 'clinics.sqlite', CLINICS);
    const lines = QUESTIONS.map(([question, sql], i) =>
      JSON.stringify({ question_id: i, db_id: 'clinics', question, sql }),
    );
    writeFiles(split, { 'questions.jsonl': lines.join('\n') });
    await generate(split, { out, referenceTime: DEFAULT_REFERENCE_TIME, timeoutMs: 30_000, jobs: 1 });
    return out;
  },
});
beforeAll(() => {
  samples = readFileSync(join(out, 'eval/clinics.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Sample)
    .filter(({ formulation }) => formulation === 'records');
  coverage = JSON.parse(readFileSync(join(out, 'coverage.json'), 'utf8')) as Coverage;
});
afterAll(() => outer.remove());

const sampleOf = (id: number) => samples.find(({ question_id }) => question_id === id);

test('statements that change rows become tasks, with their calls and what they change', () => {
  expect(sampleOf(0)).toMatchObject({
    sample_id: 'writes/clinics/0/records',
    output: [{ name: 'update_pet', arguments: { key: 1, status: 'retired' } }],
    gold_diff: [{ table: 'pet', key: { id: 1 }, before: { status: 'active' }, after: { status: 'retired' } }],
  });
  // The visit goes with the pet.
  expect(sampleOf(1)?.output).toEqual([{ name: 'delete_pet', arguments: { key: 2 } }]);
  expect(sampleOf(1)?.gold_diff?.map(({ table }) => table)).toEqual(['pet', 'visit']);
  // The server makes the key and the defaults.
  expect(sampleOf(3)?.output).toEqual([
    { name: 'create_pet', arguments: { name: 'Nala', weight: 3.2, clinic_id: 2 } },
  ]);
  expect(sampleOf(4)?.output).toHaveLength(2);
  expect(sampleOf(6)?.output).toHaveLength(3);
  expect(sampleOf(7)?.output).toEqual([
    { name: 'create_visit', arguments: { pet_id: 5, day: '2025-01-01', cost: 15 } },
  ]);
  expect(sampleOf(8)?.output).toEqual([{ name: 'update_clinic', arguments: { key: 1, beds: 5 } }]);
  expect(samples.map(({ question_id }) => question_id)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

test('coverage says why others are none', () => {
  const codes = coverage.verdicts
    .filter(({ kept, formulation }) => !kept && formulation === 'records')
    .map(({ question_id, rejection }) => [question_id, rejection?.code]);
  expect(codes).toEqual([
    [10, 'NOTHING_CHANGED'],
    [11, 'SQL_NOT_EXECUTABLE'],
    [12, 'RECORD_WITHOUT_KEY'],
    [13, 'NONDETERMINISTIC'],
    [14, 'SQL_UNSUPPORTED'],
  ]);
  expect(existsSync(join(out, 'openapi/clinics.records.json'))).toBe(true);
});

test('reading questions of the split are what they are without it', async () => {
  const plain = join(outer.path, 'reads');
  writeDatabase(plain, 'clinics.sqlite', CLINICS);
  const [question, sql] = QUESTIONS[15];
  writeFiles(plain, {
    'questions.jsonl': JSON.stringify({ question_id: 15, db_id: 'clinics', question, sql }),
  });
  const farm = join(outer.path, 'farm-of-reads');
  await generate(plain, { out: farm, referenceTime: DEFAULT_REFERENCE_TIME, timeoutMs: 30_000, jobs: 1 });
  expect(JSON.parse(readFileSync(join(farm, 'farm.json'), 'utf8')).domains[0].samples).toEqual({
    rest: 1,
    slot: 1,
    sel: 1,
    query: 0,
    hybrid: 0,
  });
  expect(existsSync(join(farm, 'openapi/clinics.records.json'))).toBe(false);
}, 120_000);

const select = { all: true };
test.each([
  ['oracle', null, {}],
  ['oracle', null, { list: { obfuscate: true } }],
  ['tools', 'mock/gold', {}],
  ['mcp', 'mock/gold', {}],
  ['tools', 'mock/gold', { list: { via: 'search' as const } }],
  ['react', 'mock/gold', { list: { obfuscate: true } }],
])(
  'whoever makes the gold calls passes every task: %s, %s, %j',
  async (agent, model, options) => {
    const { report } = await served.run({ ...options, agent, model, formulation: 'records', select });
    expect(report.ledger).toMatchObject({ total: 10, pass: 10 });
  },
  60_000,
);

test('doing nothing passes no task, and neither does one change more or less', async () => {
  const lines = (change: (sample: Sample) => object) =>
    samples.map((sample) =>
      JSON.stringify({ sample_id: sample.sample_id, answer: 'done', ...change(sample) }),
    );
  const passed = async (change: (sample: Sample) => object) => {
    const farm = served.farm.scored;
    if (!farm) throw new Error('there is no gold');
    const file = join(outer.path, 'predictions.jsonl');
    writeFileSync(file, lines(change).join('\n'));
    const { universe, replay } = served.open;
    const choose = ({ formulation }: Sample) => formulation === 'records';
    const predictions = readPredictions(file, farm);
    const report = await scoreFarm({ farm, predictions, universe, replay, choose });
    return report.ledger.pass;
  };
  expect(await passed(() => ({ calls: [] }))).toBe(0);
  expect(await passed(({ output }) => ({ calls: output }))).toBe(10);
  expect(await passed(({ output }) => ({ calls: output.slice(1) }))).toBe(0);
  const more = { name: 'create_clinic', arguments: { name: 'Another' } };
  expect(await passed(({ output }) => ({ calls: [...output, more] }))).toBe(0);
  // What was done and undone is nothing.
  const undone = [more, { name: 'delete_clinic', arguments: { key: 4 } }];
  expect(await passed(({ output }) => ({ calls: [...undone, ...output] }))).toBeGreaterThan(8);
  // The server's record counts, not what the calls would do.
  expect(await passed(({ gold_diff }) => ({ calls: [], diff: gold_diff }))).toBe(10);
  expect(await passed(({ output }) => ({ calls: output, diff: [] }))).toBe(0);
}, 60_000);

/** The walk of docs/state.md. */
const WALK = `
rookery serve my-farm --port 8085 --score --harness-key secret-of-the-harness &
curl -s localhost:8085/runs -d '{"sample_id": "writes/clinics/1/records"}' -H 'content-type: application/json'
curl -s "localhost:8085$run/v1/writes/clinics/records/pet?name=Rex"
curl -s "localhost:8085$run/v1/writes/clinics/records/visit?pet_id=2"
curl -s -X DELETE "localhost:8085$run/v1/writes/clinics/records/pet/2"
curl -s "localhost:8085$run/answer" -d '{"answer": "done"}' -H 'content-type: application/json'
curl -s "localhost:8085$run/score" -H 'x-harness-key: secret-of-the-harness'
`;

test('the walk through one task by curl ends with a passed task', async () => {
  const [serve = '', begin = '', ...steps] = WALK.trim().split('\n');
  const port = await freePort();
  const args = serve
    .replace(' &', '')
    .replace('my-farm', out)
    .replace('8085', String(port))
    .split(' ')
    .slice(1);
  const main = join(packageRoot, 'cli/main.ts');
  const server = await startCommand('--import', ['tsx', main, ...args], packageRoot);
  const run = promisify(execFile);
  const bash = async (line: string, base = '') => {
    const command = line.replaceAll('8085', String(port));
    const { stdout } = await run('bash', ['-c', command], { env: { ...process.env, run: base } });
    return stdout === '' ? null : JSON.parse(stdout);
  };
  try {
    const { base } = await bash(begin);
    const answers = [];
    for (const step of steps) answers.push(await bash(step, base));
    const [pets, visits, deleted, answered, score] = answers;
    expect(pets.data).toMatchObject([{ id: 2, name: 'Rex' }]);
    expect(visits.row_count).toBe(1);
    expect(deleted).toBeNull();
    expect(answered.status).toBe('answered');
    expect(score.ledger).toMatchObject({ pass: 1 });
  } finally {
    await server.stop();
  }
}, 120_000);
