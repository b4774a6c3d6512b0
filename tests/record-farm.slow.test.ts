import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FORMATS } from '../adapters/formats.ts';
import { PROTOCOLS } from '../adapters/protocols.ts';
import { integrityCardOf } from '../cli/commands/audit.ts';
import { farmStats } from '../cli/commands/stats.ts';
import { farmScorer } from '../cli/score/farm-scorer.ts';
import { type AgentRunView, listFormat, type RunRequest, type ServedTask } from '../contracts/api.ts';
import type { Coverage } from '../contracts/farm.ts';
import { type FaultKind, type FaultProfile, stateFaultKind } from '../contracts/faults.ts';
import type { Call, Sample } from '../contracts/sample.ts';
import type { Action } from '../contracts/service.ts';
import { DEFAULT_REFERENCE_TIME } from '../contracts/split.ts';
import { judgeDiff } from '../eval/answer/judge-diff.ts';
import { readFarm, readPredictions } from '../eval/farm/read-farm.ts';
import { scoreFarm } from '../eval/score/score-farm.ts';
import { generate } from '../generator/generate.ts';
import { expandExperiment, readSuite } from '../runner/experiment.ts';
import type { ToolSpec } from '../services/domain/tools/tool-spec.ts';
import { startServer } from '../services/index.ts';
import { temporaryFolder as folderOfTests } from '../services/testing/zoo.ts';
import { builtCommand } from './support/built-package.ts';
import { servedFarm } from './support/served-farm.ts';
import { writeDatabase, writeFiles } from './support/split-fixture.ts';
import { startCommand } from './support/start-command.ts';
import { freePort } from './support/supervised.ts';

type RunOptions = Pick<RunRequest, 'via' | 'writes'> & { readonly obfuscate?: boolean };

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
  [
    'Close South without a trace.',
    'UPDATE pet SET clinic_id = NULL WHERE clinic_id = 2; DELETE FROM clinic WHERE id = 2',
  ],
  // Reads as ever.
  ['How many beds has North?', "SELECT beds FROM clinic WHERE name = 'North'"],
] as const;

const RULES = [
  {
    id: 'clinics-in-use',
    rule: 'A clinic with beds must not be deleted.',
    table: 'clinic',
    on: ['delete'],
    forbid: 'before.beds > 0',
  },
];

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
    writeFiles(split, {
      'questions.jsonl': lines.join('\n'),
      'policies/clinics.jsonl': RULES.map((rule) => JSON.stringify(rule)).join('\n'),
    });
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
    // A rule of the domain refuses the deletion.
    [15, 'WRONG_CHANGES'],
  ]);
  expect(existsSync(join(out, 'openapi/clinics.records.json'))).toBe(true);
});

test('reading questions of the split are what they are without it', async () => {
  const plain = join(outer.path, 'reads');
  writeDatabase(plain, 'clinics.sqlite', CLINICS);
  const [question, sql] = QUESTIONS[16];
  writeFiles(plain, {
    'questions.jsonl': JSON.stringify({ question_id: 16, db_id: 'clinics', question, sql }),
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
});

const select = { all: true };
test.each([
  ['oracle', null, {}],
  ['oracle', null, { list: { obfuscate: true } }],
  ['tools', 'mock/gold', {}],
  ['mcp', 'mock/gold', {}],
  ['tools', 'mock/gold', { list: { documents: true } }],
  ['direct', 'mock/gold', { decoding: { response_format: 'schema' as const } }],
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

test('agents are told the rules of the domain', async () => {
  const { client } = served.farm;
  const task = await client.get<ServedTask>('/tasks/writes/clinics/0/records');
  expect(task.rules).toEqual([RULES[0]?.rule]);
  const run = await client.run({ sample_id: 'writes/clinics/0/records' });
  const mcp = new Client({ name: 'test', version: '1' });
  await mcp.connect(new StreamableHTTPClientTransport(new URL(run.mcp)));
  const { contents } = await mcp.readResource({ uri: 'rookery://policies' });
  expect([mcp.getInstructions(), JSON.stringify(contents)]).toEqual([
    expect.stringContaining(`- ${RULES[0]?.rule}`),
    expect.stringContaining(`- ${RULES[0]?.rule}`),
  ]);
  await mcp.close();
  const ask = (name: string, body: string) =>
    client.send(`${run.base}/call/${name}`, { method: 'POST', body });
  expect((await ask('create_clinic', '{"name":"West","beds":6}')).status).toBe(201);
  const refused = await ask('delete_clinic', '{"key":4}');
  expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining('"POLICY"')]);
  const unknown = await client.send(`${run.base}/v1/writes/clinics/records/clinics`);
  const { code, errors } = (await unknown.json()) as { code: string; errors: { suggestions: string[] }[] };
  expect([unknown.status, code, errors[0]?.suggestions]).toEqual([404, 'UNKNOWN_TABLE', ['clinic']]);
});

test('agents that have documents look the rules up', async () => {
  const { client } = served.farm;
  const sample_id = 'writes/clinics/0/records';
  const run = await client.run({ sample_id, documents: true });
  const task = await client.get<ServedTask>(`${run.base}/tasks/${sample_id}`);
  expect(task).not.toHaveProperty('rules');
  const mcp = new Client({ name: 'test', version: '1' });
  await mcp.connect(new StreamableHTTPClientTransport(new URL(run.mcp)));
  expect(mcp.getInstructions()).not.toContain('must not be deleted');
  const { text } = await run.call('search_documents', { query: 'May a clinic be deleted?' });
  expect(JSON.parse(text).sections).toMatchObject([{ document: 'policies' }]);
  expect(text).toContain(RULES[0]?.rule);
  await mcp.close();
});

test('the address of a created record is below that of its run, and hidden with the names, as is the diff', async () => {
  const { client } = served.farm;
  const create = async (options: RunOptions) => {
    const run = await client.run({ sample_id: 'writes/clinics/0/records', ...options });
    const { tools } = (await (await client.send(`${run.base}/tools`)).json()) as {
      tools: readonly Pick<ToolSpec, 'name' | 'parameters'>[];
    };
    // Of all tools, only the one that creates a clinic takes three columns and needs none.
    const tool = tools.find(({ parameters: { properties, required } }) => {
      return Object.keys(properties).length === 3 && required.length === 0;
    });
    const columns = Object.entries(tool?.parameters.properties ?? {});
    const [name = ''] = columns.find(([, { type }]) => type === 'string') ?? [];
    const body = JSON.stringify({ [name]: 'West' });
    const answer = await client.send(`${run.base}/call/${tool?.name}`, { method: 'POST', body });
    const document = (await (await client.send(`${run.base}/openapi.json`)).json()) as {
      paths: Record<string, { post: { responses: object } }>;
    };
    const { responses } = document.paths[`/call/${tool?.name}`]?.post ?? { responses: {} };
    expect(Object.keys(responses)).toContain(String(answer.status));
    await run.answer('done');
    const view = (await (await fetch(client.address(run.base))).json()) as AgentRunView;
    const shown = view.diff?.map(({ table }) => table);
    return [answer.status, answer.headers.get('location')?.replace(run.base, ''), shown];
  };
  expect(await create({})).toEqual([201, '/v1/writes/clinics/records/clinic/4', ['clinic']]);
  expect(await create({ obfuscate: true })).toEqual([201, undefined, undefined]);
});

test.each<[task: string, options: RunOptions, expected: readonly string[] | number]>([
  ['0/records', {}, ['create_*', 'delete_*', 'update_*']],
  ['0/records', { obfuscate: true }, 9],
  ['0/records', { via: 'search' }, ['call_tool']],
  ['0/records', { via: 'code' }, ['execute']],
  ['0/records', { via: 'http' }, ['http_request']],
  ['16/rest', { via: 'http', writes: true }, ['http_request']],
  ['16/rest', { via: 'search', writes: true }, []],
  ['16/rest', { via: 'http' }, []],
  ['16/slot', { via: 'code' }, []],
])('MCP says which tools may change something: %s %j', async (task, options, expected) => {
  const { client } = served.farm;
  const run = await client.run({ sample_id: `writes/clinics/${task}`, ...options });
  const mcp = new Client({ name: 'test', version: '1' });
  await mcp.connect(new StreamableHTTPClientTransport(new URL(run.mcp)));
  const { tools } = await mcp.listTools();
  await mcp.close();
  const writing = tools.filter(({ annotations }) => annotations?.readOnlyHint === false);
  const names = [...new Set(writing.map(({ name }) => name.replace(/_(clinic|pet|visit)$/, '_*')))];
  expect(typeof expected === 'number' ? writing.length : names).toEqual(expected);
  const additive = writing.filter(({ annotations }) => annotations?.destructiveHint === false);
  expect(additive).toHaveLength(options.obfuscate || names.includes('create_*') ? 3 : 0);
});

describe('actions', () => {
  const actions = () =>
    JSON.parse(readFileSync(join(out, 'services/clinics.json'), 'utf8')).actions as Action[];
  const RETIRE = 'set_status_of_pets_by_name';
  const retired = { pet_name: 'Bella', new_status: 'retired' };

  test('are one call for what a statement does to the rows of a table', () => {
    const all = readFarm(out).samples.filter(({ formulation }) => formulation === 'actions');
    expect(all.map(({ question_id, output }) => [question_id, output.length])).toEqual([
      [0, 1],
      [1, 1],
      [4, 1],
      [5, 1],
    ]);
    expect(all[0]).toMatchObject({
      sample_id: 'writes/clinics/0/actions',
      output: [{ name: RETIRE, arguments: retired }],
      gold_diff: sampleOf(0)?.gold_diff,
    });
    // To raise the cost once more is another change.
    expect(
      actions()
        .map(({ table, idempotent }) => `${table} ${idempotent}`)
        .sort(),
    ).toEqual(['clinic true', 'pet true', 'pet true', 'visit false']);
  });

  test.each([
    ['oracle', null, {}, 4],
    ['oracle', null, { faults: 'state', list: { seed: 3 } }, 4],
    ['oracle', null, { list: { obfuscate: true } }, 4],
    ['mcp', 'mock/gold', {}, 4],
    ['tools', 'mock/gold', { list: { via: 'http' as const } }, 4],
    ['nothing', null, {}, 0],
  ])('whoever makes the gold calls passes every task: %s, %s, %j', async (agent, model, options, pass) => {
    const { report } = await served.run({ ...options, agent, model, formulation: 'actions', select });
    expect(report.ledger).toMatchObject({ total: 4, pass });
  });

  test('change the records of their run only, once under an Idempotency-Key', async () => {
    const { client } = served.farm;
    const send = async (base: string, name: string, body: object, key?: string) => {
      const answer = await client.send(`${base}/v1/writes/clinics/actions/${name}`, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json', ...(key ? { 'idempotency-key': key } : {}) },
      });
      return [answer.status, await answer.json()];
    };
    const code = (problem: string) => expect.objectContaining({ code: problem });
    expect(await send('', RETIRE, retired)).toEqual([403, code('WRITES_NEED_RUN')]);
    const run = await client.run({ sample_id: 'writes/clinics/0/actions' });
    const { base } = run;
    expect(await send(base, RETIRE, { pet_name: 'Bella' })).toEqual([400, code('INVALID_PARAMETERS')]);
    expect(await send(base, RETIRE, { ...retired, new_status: {} })).toEqual([
      400,
      code('INVALID_PARAMETERS'),
    ]);
    expect(await send(base, 'set_status', retired)).toEqual([404, code('UNKNOWN_TOOL')]);
    expect(await send(base, RETIRE, { ...retired, pet_name: 'Nobody' })).toEqual([200, { changed: 0 }]);
    const raise = actions().find(({ table }) => table === 'visit');
    const costs = { pet_name: 'Bella' };
    for (const status of [200, 200]) {
      expect(await send(base, raise?.name ?? '', costs, 'k')).toEqual([status, { changed: 2 }]);
    }
    // Constraints and rules of the domain hold for them, too.
    const closing = actions().find(({ table }) => table === 'clinic');
    const [beds = ''] = closing?.parameters.map(({ name }) => name) ?? [];
    expect(await send(base, closing?.name ?? '', { [beds]: 4 })).toEqual([409, code('CONSTRAINT_CONFLICT')]);
    const west = { method: 'POST', body: '{"name":"West","beds":6}' };
    const made = `${base}/v1/writes/clinics/records/clinic`;
    expect(
      (await client.send(made, { ...west, headers: { 'content-type': 'application/json' } })).status,
    ).toBe(201);
    expect(await send(base, closing?.name ?? '', { [beds]: 6 })).toEqual([403, code('POLICY')]);
    const { diff = [] } = await run.view();
    expect(diff.map(({ table, after }) => [table, after?.cost])).toEqual([
      ['clinic', undefined],
      ['visit', 15],
      ['visit', 18.75],
    ]);
  });

  test('are tools in every format, and in OpenAPI', async () => {
    const { client } = served.farm;
    const { base } = await client.run({ sample_id: 'writes/clinics/0/actions' });
    const reads = ['clinic', 'pet', 'visit'].flatMap((table) => [`list_${table}`, `get_${table}`]);
    const names = [...actions().map(({ name }) => name), ...reads].sort();
    for (const format of listFormat.options.filter((each) => each !== 'openapi')) {
      const text = await (await client.send(`${base}/tools?format=${format}`)).text();
      for (const name of names) expect(text, format).toContain(`"name":"${name}"`);
    }
    const mcp = new Client({ name: 'test', version: '1' });
    await mcp.connect(new StreamableHTTPClientTransport(new URL(client.address(`${base}/mcp`))));
    const { tools } = await mcp.listTools();
    await mcp.close();
    const hintsOf = (name: string) => tools.find((each) => each.name === name)?.annotations;
    const hints = { readOnlyHint: false, destructiveHint: true, openWorldHint: false };
    expect(hintsOf(RETIRE)).toEqual({ ...hints, idempotentHint: true });
    const raise = actions().find(({ table }) => table === 'visit');
    expect(hintsOf(raise?.name ?? '')).toEqual({ ...hints, idempotentHint: false });
    expect(hintsOf('get_pet')?.readOnlyHint).toBe(true);
    for (const place of [`${base}/openapi.json`, '/openapi/clinics.actions.json']) {
      const { paths } = (await (await client.send(place)).json()) as {
        paths: Record<string, Record<string, { operationId: string }>>;
      };
      const described = Object.values(paths).flatMap((item) => Object.values(item));
      expect(described.map(({ operationId }) => operationId).sort()).toEqual(names);
    }
  });
});

describe('faults of changes', () => {
  const faultsOf = (fault: FaultKind, rate: number, seed = 0): FaultProfile => ({
    name: fault,
    seed,
    rules: [
      {
        fault,
        rate,
        ms: 0,
        tools: fault === 'stale_read' ? ['get_*', 'list_*'] : ['create_*', 'update_*', 'delete_*'],
      },
    ],
  });

  test.each([...stateFaultKind.options, 'timeout' as const])(
    'whoever checks its work passes every task: %s',
    async (fault) => {
      // A time-out strikes each try anew.
      const faults = faultsOf(fault, fault === 'timeout' ? 0.6 : 1);
      const { report } = await served.run({ agent: 'oracle', faults, formulation: 'records', select });
      expect(report.ledger).toMatchObject({ total: 10, pass: 10 });
    },
    60_000,
  );

  test('all of them together', async () => {
    for (let seed = 0; seed < 5; seed++) {
      const list = { seed };
      const { report } = await served.run({
        agent: 'oracle',
        faults: 'state',
        list,
        formulation: 'records',
        select,
      });
      expect(report.ledger).toMatchObject({ total: 10, pass: 10 });
    }
  });

  type Send = (call: Pick<Call, 'name' | 'arguments'>) => Promise<number>;

  /** Plays the gold calls of a task by an agent that answers for each with its last status. */
  async function play(id: number, faults: FaultProfile, agent: (call: Call, send: Send) => Promise<number>) {
    const { client, samples: all } = served.farm;
    const sample = all?.find(({ sample_id }) => sample_id === `writes/clinics/${id}/records`);
    if (!sample) throw new Error('there is no such task');
    const run = await client.run({ sample_id: sample.sample_id, faults });
    const send: Send = async ({ name, arguments: args }) => {
      const body = JSON.stringify(args);
      return (await client.send(`${run.base}/call/${name}`, { method: 'POST', body })).status;
    };
    const statuses = [];
    for (const call of sample.output) statuses.push(await agent(call, send));
    await client.send(`${run.base}/answer`, { method: 'POST', body: '{"answer":"done"}' });
    const { diff = [], trajectory } = await run.view();
    const verdict = judgeDiff(sample.gold_diff ?? [], diff);
    return {
      statuses,
      kinds: verdict.faults.map(({ kind }) => kind),
      met: trajectory.map(({ fault }) => fault),
    };
  }
  const retrying = async (call: Call, send: Send) => {
    let status = await send(call);
    for (let tries = 0; status >= 500 && tries < 5; tries++) status = await send(call);
    return status;
  };
  const trusting = (call: Call, send: Send) => send(call);

  test('whoever tries again without a look writes twice', async () => {
    const nala = await play(3, faultsOf('lost_answer', 1), retrying);
    expect(nala).toEqual({ statuses: [201], kinds: ['duplicate'], met: ['lost_answer', null] });
    // A key that is given, or a value that is set, cannot be doubled.
    const visit = await play(7, faultsOf('lost_answer', 1), retrying);
    expect(visit).toEqual({ statuses: [409], kinds: [], met: ['lost_answer', null] });
    expect((await play(3, faultsOf('timeout', 0.6, 1), retrying)).kinds).toEqual([]);
  });

  test('whoever trusts every answer leaves cut values and refused changes', async () => {
    const cut = await play(0, faultsOf('cut_value', 1), trusting);
    expect(cut).toEqual({ statuses: [200], kinds: ['wrong_value'], met: ['cut_value'] });
    const other = await play(0, faultsOf('concurrent_change', 1), trusting);
    expect(other).toEqual({ statuses: [409], kinds: ['missing'], met: ['concurrent_change'] });
    const accepted = await play(0, faultsOf('accepted', 1), trusting);
    expect(accepted).toEqual({ statuses: [202], kinds: [], met: ['accepted'] });
  });

  test('a read after a change may come too early, once', async () => {
    const { client } = served.farm;
    const read = async (fault: FaultKind) => {
      const run = await client.run({ sample_id: 'writes/clinics/0/records', faults: faultsOf(fault, 1) });
      const ask = async (name: string, args: object) => {
        const asked = { method: 'POST', body: JSON.stringify(args) };
        const answer = await client.send(`${run.base}/call/${name}`, asked);
        return (await answer.json()) as { weight: number };
      };
      await ask('update_pet', { key: 1, weight: 5 });
      const weights = [];
      for (let n = 0; n < 3; n++) weights.push((await ask('get_pet', { key: 1 })).weight);
      // Faults stay hidden while the run is open.
      const { faults, trajectory } = await run.view();
      return { weights, faults, met: trajectory.filter((each) => each.fault !== null) };
    };
    const late = { weights: [4.5, 5, 5], faults: null, met: [] };
    expect([await read('accepted'), await read('stale_read')]).toEqual([late, late]);
  });

  test('its own diff shows an agent a change only when a read has, and the harness at once', async () => {
    const { client } = served.farm;
    const run = await client.run({
      sample_id: 'writes/clinics/0/records',
      faults: faultsOf('stale_read', 1),
    });
    const seen = async () => {
      const asAgent = (await (await fetch(client.address(run.base))).json()) as AgentRunView;
      return [asAgent.diff?.length, (await run.view()).diff?.length];
    };
    expect(await seen()).toEqual([0, 0]);
    await run.call('update_pet', { key: 1, weight: 5 });
    expect(await seen()).toEqual([0, 1]);
    await run.call('get_pet', { key: 1 });
    expect(await seen()).toEqual([0, 1]);
    await run.call('get_pet', { key: 1 });
    expect(await seen()).toEqual([1, 1]);
    await run.call('update_pet', { key: 2, weight: 5 });
    await run.answer('done');
    expect(await seen()).toEqual([2, 2]);
  });

  test('If-Match finds out that another client was there', async () => {
    const { client } = served.farm;
    const faults = faultsOf('concurrent_change', 1);
    const run = await client.run({ sample_id: 'writes/clinics/0/records', faults });
    const at = `${run.base}/v1/writes/clinics/records/pet/1`;
    const etag = (await client.send(at)).headers.get('etag') ?? '';
    const change = async () => {
      const headers = { 'if-match': etag, 'content-type': 'application/json' };
      const answer = await client.send(at, { method: 'PATCH', body: '{"status":"retired"}', headers });
      return answer.status;
    };
    expect([await change(), await change()]).toEqual([412, 200]);
  });
});

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
});

test('the card, and the size of the farm, know these tasks', async () => {
  const card = await integrityCardOf(out);
  const [, shares = ''] = /a pair counts as one.*\n(?:.*\n){1,2}(.*%.*)/.exec(card) ?? [];
  // Closing the empty clinic is what another task does to another clinic, at the first row of none.
  expect(shares.trim().split(/\s{2,}/)).toEqual(['10', '0.00 %', '0.00 %', '0.00 %', '0.00 %', '0.00 %']);
  const { formulations } = await farmStats(readFarm(out));
  const records = formulations.find(({ formulation }) => formulation === 'records');
  expect([records?.queries, records?.tools]).toEqual([10, 15]);
});

test('NeMo Gym verifies a rollout by what its calls change', async () => {
  const door = { name: 'nemo-gym', port: 0 };
  const agents = {
    protocols: PROTOCOLS,
    ...farmScorer(out),
    runs: { place: join(out, '..', 'nemo-gym.sqlite') },
  };
  const server = await startServer(out, { port: 0, logger: false, door: [door], agents });
  try {
    const verify = async ({ sample_id }: Sample, calls: readonly Pick<Call, 'name' | 'arguments'>[]) => {
      const called = [...calls, { name: 'submit_answer', arguments: { answer: 'done' } }];
      const output = called.map(({ name, arguments: args }, at) => ({
        type: 'function_call',
        name,
        arguments: JSON.stringify(args),
        call_id: String(at),
      }));
      const answer = await fetch(`${server.doorAddresses[door.name]}/verify`, {
        method: 'POST',
        body: JSON.stringify({ sample_id, response: { output } }),
        headers: { 'content-type': 'application/json' },
      });
      const verified = await answer.text();
      if (answer.status !== 200) throw new Error(verified);
      const { reward, reward_components: components } = JSON.parse(verified) as {
        reward: number;
        reward_components: Record<string, number>;
      };
      return [reward, components.changes_recall];
    };
    for (const sample of samples) expect(await verify(sample, sample.output)).toEqual([1, 1]);
    const [first] = samples as [Sample];
    expect(await verify(first, [])).toEqual([0, 0]);
    const more = { name: 'create_clinic', arguments: { name: 'Another' } };
    expect(await verify(first, [...first.output, more])).toEqual([0, 1]);
  } finally {
    await server.stop();
  }
});

test('exports to files leave these tasks out, and say so; bfcl has those whose changes are all', async () => {
  const loaded = await Promise.all(FORMATS.map(({ load }) => load()));
  const commands = loaded.flatMap((each) => each.commands).filter((each) => each.of === 'export');
  for (const name of ['inspect', 'harbor', 'promptfoo', 'bfcl', 'vakra', 'live-api-bench']) {
    const format = commands.find((each) => each.name === name);
    const openTasks = async () => ({
      samples,
      universe: served.open.universe,
      keysOf: () => [],
      rulesOf: () => [],
      statementOf: async () => null,
      composed: async () => ({ parallel: [], parallel_multiple: [] }),
    });
    const flags = {
      out: 'x',
      evidence: false,
      formulation: 'rest',
      seed: 1,
      farmAt: 'http://127.0.0.1:1',
    } as never;
    const { files, print } = (await format?.run([out] as never, flags, { openTasks } as never)) ?? {
      files: [],
      print: [],
    };
    const taken = name === 'bfcl' ? samples : [];
    const said = taken.length > 0 ? 'written that change records' : 'left out that change records';
    expect(print?.at(-1), name).toContain(`10 tasks ${said}`);
    // The samples are there to read results back.
    for (const { path, content } of files.filter((each) => !each.path.endsWith('farm_samples.jsonl'))) {
      const due = path.endsWith('x/BFCL_v4_farm_multi_turn_state.json') ? taken : [];
      expect(content.match(/\/records"/g) ?? [], `${name} ${path}`).toHaveLength(due.length);
    }
  }
});

test('suites run without a model', async () => {
  const runs = async (name: string) => {
    const file = readSuite(name);
    const expanded = await expandExperiment(name, file, {});
    return Promise.all(
      expanded.map(({ config }) => served.run({ ...config, select: { ...config.select, all: true } })),
    );
  };
  const passed = (await runs('state')).map(({ report, header }) => [header.config.agent, report.ledger.pass]);
  expect(passed).toEqual([
    ['oracle', 10],
    ['nothing', 0],
    ['lexical', expect.any(Number)],
    ['oracle', 10],
  ]);
});

test('kill -9 with changes under way loses none that was acknowledged, and applies none twice', async () => {
  const main = await builtCommand();
  const runs = join(outer.path, 'killed.sqlite');
  const start = async () =>
    startCommand(main, ['serve', out, '--port', String(await freePort()), '--runs', runs], outer.path);
  const begun = await start();
  const body = JSON.stringify({ sample_id: 'writes/clinics/0/records' });
  const json = { 'content-type': 'application/json' };
  const asked = await fetch(`${begun.address}/runs`, { method: 'POST', body, headers: json });
  const { base } = (await asked.json()) as { base: string };
  const acknowledged = new Set<string>();
  const create = async (address: string, name: string) => {
    const headers = { ...json, 'idempotency-key': name };
    const url = `${address}${base}/v1/writes/clinics/records/clinic`;
    const answer = await fetch(url, { method: 'POST', body: JSON.stringify({ name }), headers });
    if (answer.status === 201) acknowledged.add(name);
    return answer.status;
  };
  const names = Array.from({ length: 400 }, (_, n) => `clinic ${n}`);
  const sent = names.map((name) => create(begun.address, name).catch(() => 0));
  while (acknowledged.size < 40) await Promise.race([...sent.slice(acknowledged.size), sent.at(-1)]);
  await begun.kill();
  await Promise.all(sent);
  expect(acknowledged.size).toBeLessThan(names.length);
  const again = await start();
  try {
    const all = async () => {
      const url = `${again.address}${base}/v1/writes/clinics/records/clinic?name.like=clinic%25&limit=1000`;
      const { data } = (await (await fetch(url)).json()) as { data: { name: string }[] };
      return data.map(({ name }) => name);
    };
    const kept = await all();
    expect(new Set(kept).size).toBe(kept.length);
    expect(kept).toEqual(expect.arrayContaining([...acknowledged]));
    // What was not acknowledged is sent again, and made once.
    for (const name of names.slice(0, 60)) expect(await create(again.address, name)).toBe(201);
    expect((await all()).filter((name) => names.slice(0, 60).includes(name))).toHaveLength(60);
  } finally {
    await again.stop();
  }
});

test('the query tool and the record API of a run see the same', async () => {
  const { client } = served.farm;
  const run = await client.run({ sample_id: 'writes/clinics/0/records' });
  const post = async (path: string, body: object) => {
    const asked = {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    };
    const answer = await client.send(`${run.base}/v1/writes/clinics/${path}`, asked);
    return (await answer.json()) as { row_count: number; status?: number };
  };
  const text_property_filter = { property_name: 'name', operator: '=', value: 'Nala' };
  const count = async () =>
    (await post('query/query_database', { collection_name: 'pet', text_property_filter })).row_count;
  expect(await count()).toBe(0);
  await post('records/pet', { name: 'Nala', clinic_id: 1 });
  expect(await count()).toBe(1);
});

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
  const server = await startCommand(await builtCommand(), args, outer.path);
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
});
