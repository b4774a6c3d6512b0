import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { farmScorer } from '../cli/score/farm-scorer.ts';
import { Rookery } from '../client/index.ts';
import { coverage } from '../contracts/coverage.ts';
import { type Service, service as serviceSchema } from '../contracts/service.ts';
import { SHARES } from '../contracts/share.ts';
import { readFarm } from '../eval/farm/read-farm.ts';
import { DEFAULT_REFERENCE_TIME, generate } from '../generator/generate.ts';
import { initSplit } from '../generator/init/init-split.ts';
import { hiddenTables } from '../services/domain/hidden/hidden-tables.ts';
import { type RunningServer, startServer } from '../services/index.ts';
import { Player } from './agents/play.ts';

const folder = mkdtempSync(join(tmpdir(), 'rookery-hybrid-'));
const split = join(folder, 'split');
const harnessKey = 'the-key-of-hybrid-agents';
beforeAll(() => initSplit(split));
afterAll(() => rmSync(folder, { recursive: true }));

/** A farm takes some seconds; all tests make one for each share. */
const TESTED_SHARES = process.env.ROOKERY_TESTS === 'all' ? SHARES : [40];

describe.each(TESTED_SHARES)('a farm that hides %i %% of its tables', (share) => {
  const farm = join(folder, `farm-${share}`);
  let service: Service;
  const servers: RunningServer[] = [];

  beforeAll(async () => {
    const hidden = { share, seed: 3 };
    await generate(split, { out: farm, referenceTime: DEFAULT_REFERENCE_TIME, timeoutMs: 30_000, hidden });
    service = serviceSchema.parse(JSON.parse(readFileSync(join(farm, 'services', 'library.json'), 'utf8')));
  }, 60_000);
  afterAll(() => Promise.all(servers.map((server) => server.stop())));

  const samples = () => readFarm(farm).samples.filter(({ formulation }) => formulation === 'hybrid');

  test('has a proven gold call for every question, classed by the tables that it reads', () => {
    const { verdicts } = coverage.parse(JSON.parse(readFileSync(join(farm, 'coverage.json'), 'utf8')));
    const own = verdicts.filter(({ formulation }) => formulation === 'hybrid');
    expect(own.map(({ kept }) => kept)).toEqual(Array(6).fill(true));
    expect(samples()).toHaveLength(6);
    const hidden = hiddenTables(service.catalog, { share, seed: 3 });
    for (const { query, plan } of samples()) {
      const read = ['author', 'book', 'loan'].filter(
        (table) => query.includes(` ${table} `) || query.endsWith(` ${table}`),
      );
      const byApi = read.filter((table) => hidden.includes(table)).length;
      expect(plan?.class, query).toBe(byApi === 0 ? 'db_only' : byApi === read.length ? 'api_only' : 'mixed');
      // Every table that is read by API takes a call.
      expect((plan?.calls ?? 0) >= byApi && (plan?.pages ?? 0) >= (plan?.calls ?? 0)).toBe(true);
      expect(plan?.rows_moved === 0).toBe(byApi === 0);
    }
  });

  test('offers a tool for each hidden table, SQL over the rest, and SQL over both', async () => {
    const document = JSON.parse(readFileSync(join(farm, 'openapi', 'library.hybrid.json'), 'utf8'));
    expect(await new Validator().validate(structuredClone(document))).toMatchObject({ valid: true });
    const names = Object.keys(document.paths).map((path) => path.split('/').at(-1));
    const hidden = hiddenTables(service.catalog, { share, seed: 3 });
    const tables = service.catalog.tables.filter(({ name }) => hidden.includes(name));
    const sql = share === 100 ? ['run_sql'] : ['run_sql', 'execute_sql'];
    expect(names).toEqual([...sql, ...tables.map(({ name }) => `get_${name}`)]);
  });

  test.each([false, true])('has tasks whose gold passes, by HTTP and MCP; in an exam: %s', async (exam) => {
    const agents = {
      runs: { file: join(folder, `runs-${share}-${exam}.sqlite`) },
      ...farmScorer(farm),
      harnessKey,
      exam,
    };
    const server = await startServer(farm, { port: 0, logger: false, agents });
    servers.push(server);
    const player = new Player(new Rookery(server.address, { harnessKey }));
    for (const way of ['http', 'mcp'] as const)
      for (const sample of samples().slice(2, 5))
        expect(await player.play(sample, way), sample.sample_id).toBe(true);
  });

  test('answers its tools', async () => {
    const [server] = servers;
    const call = async (tool: string, body: object) => {
      const url = `${server?.address}/v1/${service.split}/library/hybrid/${tool}`;
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
      return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
    };
    const hidden = hiddenTables(service.catalog, { share, seed: 3 });
    for (const { name, rows } of service.catalog.tables) {
      const isHidden = hidden.includes(name);
      const own = await call(`get_${name}`, { limit: 2 });
      expect(own.status).toBe(isHidden ? 200 : 404);
      if (isHidden) expect(own.body).toMatchObject({ row_count: 2, total: rows });
      const seen = await call('execute_sql', { sql: `SELECT * FROM ${name}` });
      expect(seen.status).toBe(share === 100 ? 404 : isHidden ? 400 : 200);
      const both = await call('run_sql', { sql: `SELECT count(*) AS n FROM ${name}` });
      expect(both.body).toMatchObject({ data: [{ n: rows }], class: isHidden ? 'api_only' : 'db_only' });
    }
    expect((await call('run_sq', {})).status).toBe(404);
    expect((await call('run_sql', { sql: 'SELECT 1', share: 0 })).status).toBe(400);
  });
});
