import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { loadFarm, readFarm } from '../../services/base/farm.ts';
import { buildApp } from '../../services/index.ts';
import { type OddServer, oddServer } from '../../services/testing/runs.ts';
import { temporaryFolder } from '../../services/testing/zoo.ts';
import { starterFarm } from '../../tests/support/farms.ts';
import { readOrigin } from '../worlds/read-origin.ts';
import { embedFarm } from './embed-farm.ts';

/** A model that knows two things texts may be about. */
const SEA = /tide|salt|rope|harbour|sea/i;
const LIGHT = /lamp|glass|light/i;
const KEY = 'sesame';

const folder = temporaryFolder();
const out = join(folder.path, 'embedded');
const asked: string[][] = [];
let server: OddServer;
let address: string;
let app: FastifyInstance;

// export ROOKERY_EMBEDDINGS_KEY=…
// rookery embed use-case-farm --model text-embedding-3-small --out embedded-farm
beforeAll(async () => {
  server = await oddServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { model, input } = JSON.parse(body) as { readonly model: string; readonly input: string[] };
    if (request.headers.authorization !== `Bearer ${KEY}`) return response.writeHead(401).end('who are you?');
    asked.push(input);
    const data = input.map((text, index) => ({
      index,
      embedding: [SEA.test(text) ? 3 : 0, LIGHT.test(text) ? 3 : 0, 1],
    }));
    // A service may answer in any order.
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ model, data: data.reverse() }));
  });
  address = `${server.url}/v1`;
  vi.stubEnv('ROOKERY_EMBEDDINGS_KEY', KEY);
  await embedFarm(await starterFarm(), {
    out,
    vectors: { model: 'two-things', base_url: address, similarity: 0.8 },
  });
  app = await buildApp({ ...(await loadFarm(out)), logger: false });
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await app.close();
  await server.close();
  folder.remove();
});
beforeEach(() => asked.splice(0));

async function query(args: object) {
  const url = '/v1/split/library/query/query_database';
  const payload = { collection_name: 'book', ...args };
  const answer = await app.inject({ method: 'POST', url, payload });
  return { status: answer.statusCode, ...answer.json() };
}

test('a search finds what is near, whatever its words', async () => {
  const { data } = await query({ search_query: 'at sea' });
  expect(data.map(({ title }: { title: string }) => title)).toEqual([
    'The Long Tide',
    'Salt and Rope',
    'Small Harbours',
  ]);
  expect(asked).toEqual([['at sea']]);
});

test('what was searched for is asked about once', async () => {
  const search_query = 'things that light up';
  const pages = { integer_property_aggregation: { property_name: 'pages', metrics: 'MAX' } };
  expect((await query({ search_query, ...pages })).data).toEqual([{ pages_max: 365 }]);
  const integer_property_filter = { property_name: 'pages', operator: '<', value: 300 };
  expect((await query({ search_query, integer_property_filter })).row_count).toBe(1);
  expect((await query({ search_query: 'mountains', ...pages })).data).toEqual([{ pages_max: 401 }]);
  expect(asked).toEqual([[search_query], ['mountains']]);
});

test('the farm says by whose vectors it is searched, and has the gold of the other', async () => {
  const [before, after] = [readFarm(await starterFarm()).farm, readFarm(out).farm];
  expect(after.vectors).toEqual({ model: 'two-things', base_url: address, similarity: 0.8 });
  expect(after.split).toEqual(before.split);
  const changed = Object.keys(after.files).filter((path) => after.files[path] !== before.files[path]);
  expect(changed.sort()).toEqual([
    'databases/library.sqlite',
    'openapi/library.query.json',
    'services/library.json',
  ]);
});

test('a world is made first and embedded then', async () => {
  await expect(readOrigin(out)).rejects.toMatchObject({ code: 'FARM_INVALID' });
});

test('a model that does not answer is no empty answer', async () => {
  vi.stubEnv('ROOKERY_EMBEDDINGS_KEY', 'other');
  const answer = await query({ search_query: 'rivers' });
  expect(answer).toMatchObject({ status: 502, code: 'API_FAILED' });
  expect(answer.detail).toContain('answers 401: who are you?');
  const vectors = { model: 'two-things', base_url: address, similarity: 0.8 };
  await expect(
    embedFarm(await starterFarm(), { out: join(folder.path, 'refused'), vectors }),
  ).rejects.toMatchObject({ code: 'MODEL_REFUSED' });
  vi.stubEnv('ROOKERY_EMBEDDINGS_KEY', KEY);
  expect((await query({ search_query: 'rivers' })).status).toBe(200);
});
