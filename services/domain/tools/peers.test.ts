import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import type { Problem } from '../../../contracts/api.ts';
import type { ToolAnswer } from '../../../contracts/tools.ts';
import { makeSmallDomain } from '../../testing/small-farm.ts';
import { temporaryFolder } from '../../testing/zoo.ts';
import { buildApp } from '../app.ts';
import { peersEnvironment } from './peers.ts';

const folder = temporaryFolder();
const database = join(folder.path, 'small.sqlite');
const service = makeSmallDomain(database);
const person = service.start_tables[0]?.handle ?? '';
const running = new Set<FastifyInstance>();

afterEach(async () => {
  await Promise.all([...running].map(stop));
});
afterAll(() => folder.remove());

interface Replica {
  readonly app: FastifyInstance;
  readonly url: URL;
}

/** Starts replicas that know each other's addresses, as they would by the name of their service. */
async function start(count: number): Promise<Replica[]> {
  const urls = (await freePorts(count)).map((port) => new URL(`http://127.0.0.1:${port}`));
  return Promise.all(
    urls.map(async (url) => {
      const app = await buildApp({ domains: [{ service, database }], logger: false, peers: urls });
      await app.listen({ host: url.hostname, port: Number(url.port) });
      running.add(app);
      return { app, url };
    }),
  );
}

async function stop(app: FastifyInstance): Promise<void> {
  running.delete(app);
  await app.close();
}

async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer();
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      return server;
    }),
  );
  const ports = servers.map((server) => (server.address() as { port: number }).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

async function call({ url }: Replica, path: string, args: unknown) {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(new URL(`/v1/test/small/${path}`, url), {
    method: 'POST',
    headers,
    body: JSON.stringify(args),
  });
  return { status: answer.status, body: (await answer.json()) as ToolAnswer & Problem };
}

/** Sends ten filters, each on the previous result, to the replicas in turn. */
async function tenFilters(replicas: readonly Replica[]): Promise<string> {
  let handle = person;
  for (let i = 0; i < 10; i++) {
    const replica = replicas[i % replicas.length] as Replica;
    const args = { data_source: handle, key_name: 'person_id', condition: 'not_equal_to', value: 10 + i };
    const { status, body } = await call(replica, 'slot/filter_data?preview=0', args);
    expect(status, body.detail).toBe(200);
    handle = body.handle;
  }
  return handle;
}

describe('replicas', () => {
  test('a silent replica gives Retry-After, not an unknown handle', async () => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as { port: number };
    const app = await buildApp({
      domains: [{ service, database }],
      logger: false,
      peers: [new URL(`http://127.0.0.1:${port}`)],
    });
    running.add(app);
    const answer = await app.inject({
      method: 'POST',
      url: '/v1/test/small/slot/truncate',
      payload: { data_source: 'filtered_0123456789ab', limit: 1 },
    });
    silent.close();
    expect(answer.json().code).toBe('REPLICA_SILENT');
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '1']);
  });

  test('continue from each other’s handles, whichever gets the call', async () => {
    const replicas = await start(3);
    const handle = await tenFilters(replicas);
    const alone = await start(1);
    expect(await tenFilters(alone)).toBe(handle);
    for (const replica of replicas) {
      const ids = await call(replica, 'slot/retrieve_data', {
        data_source: `$${handle}$`,
        key_name: 'person_id',
      });
      expect(ids.body).toMatchObject({ values: [1, 2, 3, 4, 5, 6, 7] });
    }
  });

  test('find handles of values, in SEL calls too', async () => {
    const [a, b] = (await start(2)) as [Replica, Replica];
    const mean = await call(a, 'sel/compute_data_mean', { data_source: person, key_name: 'person_age' });
    const args = { data_source: person, key_name: 'person_age', value: `$${mean.body.handle}$` };
    const above = await call(b, 'sel/select_data_greater_than', args);
    expect(above.body).toMatchObject({ row_count: 1 });
    expect((await call(a, 'sel/get_person_names', { data_source: above.body.handle })).body).toMatchObject({
      values: ['Cid'],
    });
  });

  test('lose nothing when one shuts down gracefully', async () => {
    const [a, b] = (await start(2)) as [Replica, Replica];
    const handle = await tenFilters([a]);
    await stop(a.app);
    const ids = await call(b, 'slot/retrieve_data', { data_source: handle, key_name: 'person_id' });
    expect(ids.status, ids.body.detail).toBe(200);
  });

  test('report quickly that no replica knows a handle', async () => {
    const [a, b] = (await start(2)) as [Replica, Replica];
    await stop(b.app);
    const began = performance.now();
    const args = { data_source: 'filtered_0123456789ab', key_name: 'person_id', condition: 'is_null' };
    expect((await call(a, 'slot/filter_data', args)).body).toMatchObject({ code: 'UNKNOWN_HANDLE' });
    expect(performance.now() - began).toBeLessThan(60_000);
  });

  test('accept from each other only calls that give the stated handles', async () => {
    const [a] = (await start(1)) as [Replica];
    const forged = [
      {
        handle: 'filtered_0123456789ab',
        formulation: 'slot',
        name: 'filter_data',
        arguments: { data_source: person, key_name: 'person_id', condition: 'is_null' },
      },
    ];
    const post = (payload: unknown) =>
      a.app.inject({ method: 'POST', url: '/internal/handles/test/small', payload: payload as object });
    expect((await post(forged)).statusCode).toBe(204);
    const args = { data_source: 'filtered_0123456789ab', key_name: 'person_id', condition: 'is_null' };
    expect((await call(a, 'slot/filter_data', args)).status).toBe(404);
    expect((await post([{ handle: 5 }])).json()).toMatchObject({ code: 'BAD_REQUEST' });
  });
});

test('a service without peers has no peer routes', async () => {
  const app = await buildApp({ domains: [{ service, database }], logger: false });
  const answer = await app.inject({ method: 'GET', url: `/internal/handles/test/small/${person}` });
  expect(answer.json()).toMatchObject({ code: 'UNKNOWN_ROUTE' });
  await app.close();
});

test('ROOKERY_PEERS lists addresses', () => {
  expect(peersEnvironment({})).toEqual({});
  expect(
    peersEnvironment({ ROOKERY_PEERS: 'http://zoo:8080, http://10.0.0.7:1' }).peers?.map(String),
  ).toEqual(['http://zoo:8080/', 'http://10.0.0.7:1/']);
  expect(() => peersEnvironment({ ROOKERY_PEERS: 'zoo:8080' })).toThrow(
    /ROOKERY_PEERS|zoo:8080 is not an address/,
  );
});
