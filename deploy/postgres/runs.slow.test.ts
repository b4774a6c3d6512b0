import postgres from 'postgres';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { UserError } from '../../contracts/errors.ts';
import { openRuns, readRuns } from '../../services/agents/runs/run-stores.ts';
import { describeRunStore } from '../../services/testing/run-store-suite.ts';
import { callOf, runOf } from '../../services/testing/runs.ts';
import { openSmallFarm } from '../../services/testing/small-farm.ts';
import { DATABASES } from '../databases.ts';
import { FIRST_SCHEMA, POSTGRES_SCHEMA_VERSION } from './schema.ts';
import {
  hasPostgres,
  noDatabase,
  type OwnServer,
  openTestDatabase,
  startPostgres,
  type TestDatabase,
  withDatabase,
} from './testing/postgres.ts';

const openAt = (address: string) => openRuns(address, { databases: DATABASES });

describe.skipIf(noDatabase)(withDatabase('runs in a database'), () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openTestDatabase();
  });
  afterAll(() => database.close());

  describeRunStore('PostgreSQL', () => openAt(database.address));

  test('are shared: a duplicate call number, or a call after the end, is reported', async () => {
    const [one, other] = await Promise.all([openAt(database.address), openAt(database.address)]);
    await one.addRuns([runOf('r-shared', 1)]);
    expect((await other.run('r-shared'))?.run_id).toBe('r-shared');
    const calls = [one, other].map((store, i) => store.addCall(callOf('r-shared', 1, 1, String(i))));
    expect((await Promise.all(calls)).toSorted()).toEqual([false, true]);
    await other.end('r-shared', { at: 2, status: 'answered', reason: null, answer: null });
    expect(await one.addCall(callOf('r-shared', 2, 3))).toBe(false);
    expect(await other.usage('r-shared')).toEqual({ calls: 1, bytes: 1 });
    await Promise.all([one.close(), other.close()]);
  });

  test('record each call of many writers once, without deadlock', async () => {
    const stores = await Promise.all(Array.from({ length: 3 }, () => openAt(database.address)));
    const ids = Array.from({ length: 20 }, (_, i) => `r-many-writers-${i}`);
    await stores[0]?.addRuns(ids.map((id) => runOf(id, 1)));
    const written = await Promise.all(
      stores.flatMap((store, s) =>
        (s % 2 === 0 ? ids : ids.toReversed()).flatMap((id) => [
          ...[1, 2, 3].map((n) => store.addCall(callOf(id, n, s))),
          store.start(id, { at: s, checksum: '', tools: null }),
        ]),
      ),
    );
    expect(written.filter(Boolean)).toHaveLength(ids.length * 4);
    await Promise.all(stores.map((store) => store.close()));
  });
});

test('an unreachable database is reported before serving, without the password', async () => {
  const error = await openAt('postgres://me:secret@127.0.0.1:1/none').catch((why) => why);
  expect(error).toBeInstanceOf(UserError);
  expect(`${error.file}: ${error.message}`).toMatch(
    /^postgres:\/\/127.0.0.1:1\/none: .*choose another place/,
  );
  expect(`${error.file}: ${error.message}`).not.toContain('secret');
});

// Sessions and their locks need a real server, so these tests are skipped without one.
const withPostgres = test.skipIf(!hasPostgres);
let server: OwnServer;
beforeAll(async () => {
  if (hasPostgres) server = await startPostgres();
});
afterAll(() => server?.close());
beforeEach(() => {
  if (hasPostgres) return sql((db) => db`DROP SCHEMA IF EXISTS rookery CASCADE`);
});

async function sql<T>(use: (db: postgres.Sql) => Promise<T>, name?: string): Promise<T> {
  const db = postgres(server.address, {
    max: 1,
    onnotice: () => {},
    ...(name ? { connection: { application_name: name } } : {}),
  });
  try {
    return await use(db);
  } finally {
    await db.end();
  }
}

async function open(use?: 'serve' | 'prune') {
  const store = await openRuns(server.address, { databases: DATABASES, use });
  let isOpen = true;
  const close = async () => {
    if (isOpen) await store.close();
    isOpen = false;
  };
  onTestFinished(close);
  return { store, close };
}

const OWNER = new RegExp(`in use by “rookery \\S+ on .+, process ${process.pid}” \\(127\\.0\\.0\\.1\\)`);

withPostgres(
  'manual pruning requires that no server uses the database, and names those that do',
  async () => {
    const serving = await open();
    const other = await open();
    await serving.store.addRuns([runOf('r-live', 1)]);
    const refused = expect.objectContaining({
      code: 'OPTION_INVALID',
      message: expect.stringMatching(OWNER),
    });
    await expect(open('prune')).rejects.toEqual(refused);
    await serving.close();
    await expect(open('prune')).rejects.toEqual(refused);
    await other.close();

    const pruning = await open('prune');
    await expect(open()).rejects.toThrow(/drops runs there; start when that is done/);
    expect(await pruning.store.prune({ before: Date.now(), maxBytes: 1e9, idleSince: 0 })).toBe(1);
    await pruning.close();
    expect(await (await open()).store.run('r-live')).toBeUndefined();
  },
);

withPostgres('reading is never blocked, and blocks no one', async () => {
  const pruning = await open('prune');
  await pruning.store.addRuns([runOf('r-read', 1)]);
  const reader = await readRuns(server.address, DATABASES);
  expect((await reader.run('r-read'))?.run_id).toBe('r-read');
  await pruning.close();
  await (await open('prune')).close();
  await reader.close();
});

withPostgres('migrates a database of the first version with all of its runs', async () => {
  await sql((db) => db.unsafe(FIRST_SCHEMA));
  await sql(
    (
      db,
    ) => db`INSERT INTO rookery.run (run_id, sample_id, agent, settings, list_options, budget, evidence, answer_tool,
      farm_hash, created_at, status) VALUES ('r-old', 's', 'a', '{}', '{}', '{}', 0, 0, 'h', 1, 'open')`,
  );
  const reader = await readRuns(server.address, DATABASES);
  expect((await reader.run('r-old'))?.status).toBe('open');
  await reader.close();
  expect(await sql((db) => db`SELECT version FROM rookery.version`)).toMatchObject([{ version: 1 }]);

  const stores = await Promise.all([open(), open()]);
  expect(await sql((db) => db`SELECT version FROM rookery.version`)).toMatchObject([
    { version: POSTGRES_SCHEMA_VERSION },
  ]);
  expect(await stores[1]?.store.run('r-old')).toMatchObject({ status: 'open', created_at: 1 });
  expect(await stores[0]?.store.addCall(callOf('r-old', 1, 2))).toBe(true);
});

withPostgres('does not migrate tables under a server of an older rookery, and names it', async () => {
  await sql((db) => db.unsafe(FIRST_SCHEMA));
  // The name used by servers before the lock existed.
  await sql(async (db) => {
    await db`SELECT 1`;
    await expect(open()).rejects.toThrow(
      /older rookery \(tables of version 1, here 3\) and in use by “rookery” \(127\.0\.0\.1\); stop it first/,
    );
  }, 'rookery');
  expect(await sql((db) => db`SELECT version FROM rookery.version`)).toMatchObject([{ version: 1 }]);
  await open();
});

withPostgres('rejects a database of a later version, and names its users', async () => {
  const later = await open();
  await sql((db) => db`UPDATE rookery.version SET version = ${POSTGRES_SCHEMA_VERSION + 1}`);
  for (const how of ['serve', 'prune'] as const) await expect(open(how)).rejects.toThrow(OWNER);
  await expect(readRuns(server.address, DATABASES)).rejects.toThrow(
    /of a later rookery .*choose another database/,
  );
  await later.close();
  await expect(open()).rejects.toThrow(/of a later rookery \(tables of version 4, here 3\); use that one/);
});

withPostgres(
  'reports a lost database in readiness, and logs one line when it is lost and one when it is back',
  async () => {
    const lines: { level: number; msg: string }[] = [];
    const logger = { level: 'warn', stream: { write: (line: string) => void lines.push(JSON.parse(line)) } };
    const farm = await openSmallFarm({ runs: { place: server.address, databases: DATABASES }, logger });
    onTestFinished(() => farm.close());
    const ready = async () => {
      const { statusCode, payload } = await farm.app.inject('/health/ready');
      return `${statusCode} ${JSON.parse(payload).detail ?? ''}`;
    };
    expect(await ready()).toBe('200 ');
    for (let outage = 1; outage <= 2; outage++) {
      server.stop();
      await expect.poll(ready).toBe('503 The database of runs cannot be reached');
      expect(
        (
          await farm.app.inject({ method: 'POST', url: '/runs', payload: { sample_id: 'test/small/1/rest' } })
        ).json().code,
      ).toBe('NOT_READY');
      server.start();
      await expect.poll(ready).toBe('200 ');
      await expect.poll(() => lines.length).toBe(2 * outage);
    }
    const place = new URL(server.address).host;
    expect(lines.slice(0, 2)).toMatchObject([
      { level: 50, msg: `the database of runs, postgres://${place}/postgres, cannot be reached` },
      { level: 40, msg: expect.stringMatching(/, is back after \d+ s$/) },
    ]);
    // It uses the runs again.
    await expect(open('prune')).rejects.toThrow(OWNER);
  },
);
