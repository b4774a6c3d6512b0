import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { farmScorer } from '../cli/score/farm-scorer.ts';
import { farmUniverse } from '../cli/score/replay.ts';
import { Rookery } from '../client/index.ts';
import { coverage } from '../contracts/farm.ts';
import { type Service, service as serviceSchema } from '../contracts/service.ts';
import { readFarm } from '../eval/farm/read-farm.ts';
import { SCALAR_APIS, SCALARS_BY_NAME } from '../services/base/scalars/scalars.ts';
import { hiddenTables } from '../services/domain/hybrid/hybrid-tools.ts';
import { type RunningServer, startServer } from '../services/index.ts';
import { Player } from './agents/play.ts';
import { HYBRID_QUESTIONS, hybridFarm, SHARE_SEED, TESTED_SHARES } from './support/hybrid-farm.ts';
import { scratchFolder } from './support/split-fixture.ts';

const folder = scratchFolder();
let farm: string;
const harnessKey = 'the-key-of-hybrid-agents';
const SEED = SHARE_SEED;

let service: Service;
const servers: RunningServer[] = [];
const samples = () => readFarm(farm).samples.filter(({ formulation }) => formulation === 'hybrid');
const hiddenAt = (share: number) => hiddenTables(service.catalog, { share, seed: SEED });

beforeAll(async () => {
  farm = await hybridFarm();
  service = serviceSchema.parse(JSON.parse(readFileSync(join(farm, 'services', 'library.json'), 'utf8')));
});
afterAll(() => Promise.all(servers.map((server) => server.stop())));

test('a question is kept once, with a proven sample at each share, classed by the tables that it reads', () => {
  const { verdicts } = coverage.parse(JSON.parse(readFileSync(join(farm, 'coverage.json'), 'utf8')));
  const own = verdicts.filter(({ formulation }) => formulation === 'hybrid');
  expect(own.map(({ kept }) => kept)).toEqual(Array(HYBRID_QUESTIONS).fill(true));
  expect(samples()).toHaveLength(HYBRID_QUESTIONS * TESTED_SHARES.length);
  for (const { sample_id, query, plan, augmentation } of samples()) {
    expect(sample_id).toMatch(new RegExp(`/hybrid@${plan?.share}-${SEED}$`));
    const hidden = hiddenAt(plan?.share ?? 0);
    const read = ['author', 'book', 'loan'].filter(
      (table) => query.includes(` ${table} `) || query.endsWith(` ${table}`),
    );
    const byApi = read.filter((table) => hidden.includes(table)).length;
    expect(plan?.class, query).toBe(byApi === 0 ? 'db_only' : byApi === read.length ? 'api_only' : 'mixed');
    // Every table that is read by API takes a call.
    expect((plan?.calls ?? 0) >= byApi && (plan?.pages ?? 0) >= (plan?.calls ?? 0)).toBe(true);
    // Values of scalar APIs are moved too.
    expect(plan?.rows_moved === 0).toBe(byApi === 0 && augmentation === undefined);
  }
});

test('each share has its own tools: SQL over both parts, SQL over the rest, and one for each hidden table', async () => {
  const document = JSON.parse(readFileSync(join(farm, 'openapi', 'library.hybrid.json'), 'utf8'));
  expect(await new Validator().validate(structuredClone(document))).toMatchObject({ valid: true });
  for (const share of TESTED_SHARES) {
    const paths = Object.keys(document.paths).filter((path) => path.includes(`/hybrid/${share}-${SEED}/`));
    const hidden = hiddenAt(share);
    const tables = service.catalog.tables.filter(({ name }) => hidden.includes(name));
    const sql = share === 100 ? ['run_sql'] : ['run_sql', 'execute_sql'];
    expect(paths.map((path) => path.split('/').at(-1))).toEqual([
      ...sql,
      ...tables.map(({ name }) => `get_${name}`),
      ...SCALAR_APIS.map(({ name }) => name),
    ]);
  }
});

test('tasks are chosen by their share', async () => {
  const server = await startServer(farm, { port: 0, logger: false, agents: { harnessKey } });
  servers.push(server);
  const client = new Rookery(server.address, { harnessKey });
  const chosen = [];
  const [share] = TESTED_SHARES;
  for await (const task of client.tasks({ share: [`${share}-${SEED}`], all: true })) chosen.push(task);
  expect(chosen).toHaveLength(HYBRID_QUESTIONS);
  expect(new Set(chosen.map((task) => JSON.stringify([task.formulation, task.share])))).toEqual(
    new Set([JSON.stringify(['hybrid', { share, seed: SEED }])]),
  );
  const lists = await Promise.all(
    chosen.slice(0, 2).map(({ sample_id }) => client.tools(sample_id, 'plain')),
  );
  expect(lists.map(({ tools }) => tools.length)).toEqual(
    Array(2).fill(2 + hiddenAt(share ?? 0).length + SCALAR_APIS.length),
  );
  for (const wrong of ['101', 'forty', '40-0'])
    await expect(async () => {
      for await (const _ of client.tasks({ share: [wrong] }));
    }).rejects.toThrow(/share/);
});

test('tools of the domain are those of the share that is asked for, or of the first one', async () => {
  const names = async (query: string) => {
    const answer = await fetch(`${servers[0]?.address}/tools/library/hybrid${query}`);
    const body = z.object({ tools: z.array(z.object({ name: z.string() })) }).parse(await answer.json());
    return body.tools.map(({ name }) => name).sort();
  };
  const universe = farmUniverse([service]);
  for (const [i, share] of TESTED_SHARES.entries()) {
    const own = samples().find(({ plan }) => plan?.share === share);
    const known = [...(own ? universe.toolsFor(own).keys() : [])].sort();
    expect(known.filter((name) => name.startsWith('get_') && !SCALARS_BY_NAME.has(name))).toHaveLength(
      hiddenAt(share).length,
    );
    expect(await names(`?share=${share}-${SEED}`)).toEqual(known);
    if (i === 0) expect(await names('')).toEqual(known);
  }
  const mcp = new URL(`${servers[0]?.address}/mcp/library/hybrid?share=100-${SEED}`);
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(mcp));
  const { content, isError } = await client.callTool({ name: 'get_author', arguments: { limit: 1 } });
  expect([isError ?? false, JSON.stringify(content)]).toEqual([false, expect.stringContaining('author_id')]);
  await client.close();
  for (const [path, told] of [
    [`hybrid?share=41-${SEED}`, `it has ${TESTED_SHARES.map((share) => `${share}-${SEED}`).join(', ')}`],
    [`rest?share=${TESTED_SHARES[0]}-${SEED}`, 'is for hybrid tools'],
    ['hybrid?share=forty', 'must be a share'],
  ]) {
    const answer = await fetch(`${servers[0]?.address}/tools/library/${path}`);
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining(told ?? '')]);
  }
});

test.each([false, true])('gold passes at each share, by HTTP and MCP; in an exam: %s', async (exam) => {
  const agents = {
    runs: { place: join(folder, `runs-${exam}.sqlite`) },
    ...farmScorer(farm),
    harnessKey,
    exam,
  };
  const server = await startServer(farm, { port: 0, logger: false, agents });
  servers.push(server);
  const harness = new Rookery(server.address, { harnessKey });
  const run = await harness.run({ sample_id: samples().at(-1)?.sample_id ?? '' });
  const { tools } = await run.tools('plain');
  expect(tools.some(({ name }) => name.startsWith('get_'))).toBe(true);
  // What the database is called, here and in its title.
  expect(/\blibrary\b/i.test(JSON.stringify(tools))).toBe(!exam);
  const player = new Player(harness);
  for (const way of ['http', 'mcp'] as const)
    for (const sample of samples().slice(4, 10))
      expect(await player.play(sample, way), sample.sample_id).toBe(true);
});

describe.each(TESTED_SHARES)('at %i percent', (share) => {
  test('tools see what is theirs', async () => {
    const call = async (tool: string, body: object) => {
      const url = `${servers[0]?.address}/v1/${service.split}/library/hybrid/${share}-${SEED}/${tool}`;
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
      return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
    };
    const hidden = hiddenAt(share);
    for (const { name, rows } of service.catalog.tables) {
      const isHidden = hidden.includes(name);
      const own = await call(`get_${name}`, { limit: 2 });
      expect(own.status).toBe(isHidden ? 200 : 404);
      if (isHidden) expect(own.body).toMatchObject({ row_count: 2, total: rows });
      const seen = await call('execute_sql', { sql: `SELECT * FROM ${name}` });
      expect(seen.status).toBe(isHidden ? 400 : 200);
      const both = await call('run_sql', { sql: `SELECT count(*) AS n FROM ${name}` });
      expect(both.body).toMatchObject({ data: [{ n: rows }], class: isHidden ? 'api_only' : 'db_only' });
    }
    const inputs = [{ string: 'Per Lund' }, { string: 'Ada' }];
    expect((await call('count_syllables', { inputs })).body).toMatchObject({
      data: [
        { string: 'Per Lund', count: 2 },
        { string: 'Ada', count: 2 },
      ],
      row_count: 2,
    });
    expect(
      (await call('list_prime_factors', { inputs: [{ number: 12 }, { number: 7 }] })).body,
    ).toMatchObject({
      data: [
        { number: 12, factors: [2, 3] },
        { number: 7, factors: [7] },
      ],
      row_count: 2,
    });
    expect((await call('is_prime', { inputs: [{ number: 'x' }] })).body).toMatchObject({
      data: [{ truth: null, error: expect.stringMatching(/^INVALID_PARAMETERS/) }],
    });
    expect((await call('is_prime', { inputs: [] })).status).toBe(400);
    expect((await call('run_sq', {})).status).toBe(404);
    expect((await call('run_sql', { sql: 'SELECT 1', share: 0 })).status).toBe(400);
  });
});
