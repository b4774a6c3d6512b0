import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildApp } from '../domain/app.ts';
import { HARNESS_HEADERS, openSmallFarm, type SmallFarm } from '../testing/small-farm.ts';
import type { CallRecord, RunDatabase } from './runs/run-store.ts';
import { SqliteRuns } from './runs/sqlite-runs.ts';

let farm: SmallFarm;
beforeAll(async () => {
  farm = await openSmallFarm();
});
afterAll(() => farm.close());

type Method = 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'DELETE';

async function begin(body: object = {}): Promise<string> {
  const payload = { sample_id: 'test/small/2/rest', writes: true, ...body };
  return (await farm.inject({ method: 'POST', url: '/runs', payload })).json().base;
}

async function send(method: Method, url: string, payload?: unknown, headers: Record<string, string> = {}) {
  const json = payload === undefined ? {} : { payload: JSON.stringify(payload) };
  const type = payload === undefined ? {} : { 'content-type': 'application/json' };
  const answer = await farm.app.inject({ method, url, ...json, headers: { ...type, ...headers } });
  return {
    status: answer.statusCode,
    headers: answer.headers,
    json: answer.body === '' ? null : answer.json(),
  };
}

const RECORDS = 'v1/test/small/records';

describe('a run that may change records', () => {
  test('sees its changes in every formulation, and nobody else does', async () => {
    const [base, other] = [await begin(), await begin()];
    const changed = await send('PATCH', `${base}/${RECORDS}/city/4`, { size: 51 });
    expect([changed.status, changed.json]).toEqual([200, { id: 4, name: 'Oslo', size: 51, zip: '0150' }]);
    const oslo = async (at: string) =>
      (await send('GET', `${at}/v1/test/small/cities_by_name?name=Oslo`)).json;
    expect((await oslo(base)).data).toEqual([{ id: 4, size: 51 }]);
    expect((await oslo(other)).data).toEqual([{ id: 4, size: 50 }]);
    expect((await oslo('')).data).toEqual([{ id: 4, size: 50 }]);
    const called = await send('POST', `${base}/call/get_cities_by_name_v1_test_small_cities_by_name_get`, {
      name: 'Oslo',
    });
    expect(called.json.data).toEqual([{ id: 4, size: 51 }]);
    const made = await send('POST', `${base}/${RECORDS}/city`, { name: 'Bern', size: 7 });
    // The address of the record is below that of the run, where alone it exists.
    expect([made.status, made.headers.location]).toEqual([201, `${base}/${RECORDS}/city/5`]);
    expect((await send('GET', String(made.headers.location))).json).toEqual(made.json);
    expect((await send('DELETE', `${base}/${RECORDS}/city/5`)).status).toBe(204);
    expect((await send('GET', `${base}/${RECORDS}/city/5`)).status).toBe(404);
  });

  test('sees them with SLOT tools, whose handles are plans', async () => {
    const [start] = farm.service.start_tables;
    const sample = farm.samples.find(({ formulation }) => formulation === 'slot');
    const base = await begin({ sample_id: sample?.sample_id });
    const filtered = {
      data_source: start?.handle,
      key_name: 'person_age',
      value: 100,
      condition: 'greater_than',
    };
    const count = async () =>
      (await send('POST', `${base}/v1/test/small/slot/filter_data`, filtered)).json.row_count;
    expect(await count()).toBe(0);
    expect((await send('POST', `${base}/${RECORDS}/person`, { age: 101 })).status).toBe(201);
    expect(await count()).toBe(1);
  });

  test('carries out a request with an Idempotency-Key once', async () => {
    const base = await begin();
    const key = { 'idempotency-key': 'k1' };
    const first = await send('POST', `${base}/${RECORDS}/city`, { name: 'Bern' }, key);
    const again = await send('POST', `${base}/${RECORDS}/city`, { name: 'Bern' }, key);
    expect([again.status, again.json, again.headers['idempotency-replayed']]).toEqual([
      201,
      first.json,
      'true',
    ]);
    expect((await send('POST', `${base}/${RECORDS}/city`, { name: 'Basel' }, key)).json.code).toBe(
      'IDEMPOTENCY_KEY_REUSED',
    );
    // A key means nothing to what only reads, and a longer one is not cut.
    const read = await send('GET', `${base}/${RECORDS}/city`, undefined, key);
    expect([read.status, read.json.row_count]).toEqual([200, 5]);
    const long = { 'idempotency-key': 'k'.repeat(256) };
    const refused = await send('POST', `${base}/${RECORDS}/city`, { name: 'Basel' }, long);
    expect([refused.status, refused.json.errors[0].field]).toEqual([400, 'Idempotency-Key']);
  });

  test('says what is possible at an address', async () => {
    const base = await begin();
    const at = `${base}/${RECORDS}/city`;
    const head = await send('HEAD', `${at}/4`);
    expect([head.status, head.headers.etag]).toEqual([200, (await send('GET', `${at}/4`)).headers.etag]);
    const refused = [await send('POST', `${at}/4`, {}), await send('PATCH', at, {})];
    expect(refused.map(({ status, headers }) => [status, headers.allow])).toEqual([
      [405, 'GET, PATCH, DELETE'],
      [405, 'GET, POST'],
    ]);
  });

  test('sends many changes at once without losing one', async () => {
    const base = await begin();
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, n) => send('POST', `${base}/${RECORDS}/city`, { name: `c${n}` })),
    );
    expect(new Set(made.map(({ json }) => json.id)).size).toBe(20);
  });

  test('keeps what was acknowledged when another process goes on with it', async () => {
    const base = await begin();
    await send('PATCH', `${base}/${RECORDS}/city/4`, { size: 51 }, { 'idempotency-key': 'k' });
    const { runs } = await import('./runs/sqlite-runs.ts').then(({ SqliteRuns }) => ({
      runs: SqliteRuns.read(`${farm.folder}/runs.sqlite`),
    }));
    const [call] = runs.calls(base.replace('/runs/', ''));
    runs.close();
    expect(JSON.parse(call?.changes ?? '')).toMatchObject([
      { table: 'city', id: [4], before: { size: 50 }, after: { size: 51 } },
    ]);
    const view = await farm.inject({ url: base, headers: HARNESS_HEADERS });
    expect(view.json().trajectory).toHaveLength(1);
  });

  test('knows when it may not: a run without writes has no record API', async () => {
    const base = await begin({ writes: false });
    expect((await send('PATCH', `${base}/${RECORDS}/city/4`, { size: 51 })).status).toBe(404);
    expect((await send('GET', `${base}/${RECORDS}/city/4`)).status).toBe(404);
  });
});

/** A store in memory that several servers write to, as they do to a database. */
function sharedStore(): RunDatabase {
  const store = SqliteRuns.inMemory();
  const shared = new Proxy(store, {
    get(target, name) {
      if (name === 'isShared') return true;
      if (name === 'close') return () => {};
      if (name === 'addCall')
        return async (call: CallRecord) =>
          !target.calls(call.run_id).some(({ n }) => n >= call.n) && target.addCall(call);
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return { schemes: ['shared'], load: async () => async () => shared };
}

describe('two servers over one store', () => {
  test('see what the other wrote in a run, and lose nothing', async () => {
    const options = { runs: { place: 'shared://runs', databases: [sharedStore()] } };
    const servers = [await openSmallFarm(options), await openSmallFarm(options)] as const;
    const [one, other] = servers;
    const payload = { sample_id: 'test/small/2/rest', writes: true };
    const { base } = (await one.inject({ method: 'POST', url: '/runs', payload })).json();
    const ask = async (server: SmallFarm, method: Method, path: string, body?: object) => {
      const given = body === undefined ? {} : { payload: body };
      const answer = await server.app.inject({ method, url: `${base}/${RECORDS}/city${path}`, ...given });
      return answer.statusCode === 204 ? null : answer.json();
    };
    await ask(one, 'PATCH', '/4', { size: 51 });
    expect((await ask(other, 'GET', '/4')).size).toBe(51);
    await ask(other, 'DELETE', '/4');
    expect((await ask(one, 'GET', '/4')).code).toBe('UNKNOWN_RECORD');
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, n) => ask(servers[n % 2] as SmallFarm, 'POST', '', { name: `c${n}` })),
    );
    expect(new Set(made.map(({ id }) => id)).size).toBe(20);
    for (const server of servers) expect((await ask(server, 'GET', '?limit=100')).row_count).toBe(23);
    for (const server of servers) await server.close();
  });
});

test('the state of a run is carried to the process that has the databases, and to nobody outside', async () => {
  const { split, db } = farm.service;
  const step = {
    table: 'city',
    id: [4],
    key: ['id'],
    before: { id: 4, name: 'Oslo', size: 50, zip: '0150' },
  };
  const after = { id: 4, name: 'Oslo', size: 77, zip: '0150' };
  const journal = [JSON.stringify([{ ...step, after }])];
  const body = { formulation: 'records', name: 'get_city', arguments: { key: 4 }, view: '', journal };
  const url = `/internal/state/${split}/${db}`;
  const inner = await buildApp({
    domains: [{ service: farm.service, database: `${farm.folder}/small.sqlite` }],
    logger: false,
  });
  const asked = async (payload: object) => (await inner.inject({ method: 'POST', url, payload })).json();
  expect(JSON.parse((await asked(body)).body).size).toBe(77);
  const changed = await asked({ ...body, name: 'update_city', arguments: { key: 4, zip: '1' } });
  expect(JSON.parse(changed.step)).toMatchObject([{ before: { size: 77 }, after: { size: 77, zip: '1' } }]);
  expect((await asked({ ...body, journal: 'x' })).code).toBe('BAD_REQUEST');
  await inner.close();
});
