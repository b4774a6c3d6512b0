import { spawn } from 'node:child_process';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { runView } from '../../../contracts/api.ts';
import { UserError } from '../../../contracts/errors.ts';
import { openTestDatabase, type TestDatabase } from '../../../tests/support/postgres.ts';
import { mountSmallDisk } from '../../../tests/support/small-disk.ts';
import {
  callOf as call,
  callOf,
  farm,
  PEOPLE,
  runOf as record,
  runOf,
  useSmallFarm,
} from '../../testing/runs.ts';
import { openSmallFarm } from '../../testing/small-farm.ts';
import { temporaryFolder } from '../../testing/zoo.ts';
import type { RunFilter, RunRecord, RunStore } from './run-store.ts';
import { openRuns, pruneMemory, pruneRuns } from './run-stores.ts';
import { SqliteRuns } from './sqlite-runs.ts';

const folder = temporaryFolder();
let database: TestDatabase;
const STORES: Readonly<Record<string, () => RunStore | Promise<RunStore>>> = {
  'a file': () => openRuns(join(folder.path, 'runs.sqlite')),
  memory: () => SqliteRuns.inMemory(),
  PostgreSQL: () => openRuns(database.address),
};

beforeAll(async () => {
  database = await openTestDatabase();
}, 60_000);
afterAll(async () => {
  await database.close();
  folder.remove();
});

async function all(store: RunStore, filter?: RunFilter): Promise<RunRecord[]> {
  const runs: RunRecord[] = [];
  for await (const run of store.runs(filter)) runs.push(run);
  return runs;
}

describe.each(Object.entries(STORES))('runs in %s', (_, open) => {
  let store: RunStore;
  beforeAll(async () => {
    store = await open();
  });
  afterAll(async () => store.close());

  test('are found as they were begun, by their ids, batches and agents, in their order', async () => {
    const odd = runOf('r-odd', 3, {
      batch_id: 'b1',
      agent: 'back\\slash "quote" \n',
      settings: { text: 'a\u0000b 🐦', n: 1.5 },
      tools: ['x'],
      budget: { calls: 3, seconds: 0.5 },
    });
    await store.addRuns([runOf('r-one', 1), odd]);
    const many = Array.from({ length: 450 }, (_, i) => runOf(`r-many-${i}`, i, { batch_id: 'b2' }));
    await store.addRuns(many);
    expect(await store.run('r-odd')).toEqual(odd);
    expect(await store.run('r-none')).toBeUndefined();
    expect(await all(store, { batch: 'b2' })).toEqual(many);
    expect(await all(store, { agent: odd.agent })).toEqual([odd]);
    expect((await all(store)).slice(0, 2).map(({ run_id }) => run_id)).toEqual(['r-one', 'r-odd']);
    await expect(store.addRuns([runOf('r-new', 1), runOf('r-one', 1)])).rejects.toThrow();
    expect(await store.run('r-new')).toBeUndefined();
  });

  test('have their calls in the order of their numbers, whatever order they end in', async () => {
    await store.addRuns([runOf('r-calls', 1)]);
    const calls = [3, 1, 2].map((n) => ({
      ...callOf('r-calls', n, 1000 + n, `"\\ \u0000 9007199254740993 ${n}`),
      handle: n === 2 ? null : 'h',
      latency_ms: 0.25,
      row_count: n,
    }));
    expect(await Promise.all(calls.map((call) => store.addCall(call)))).toEqual([true, true, true]);
    expect(await store.calls('r-calls')).toEqual(calls.toSorted((a, b) => a.n - b.n));
    expect(await store.usage('r-calls')).toEqual({ calls: 3, bytes: 3 });
    expect(await store.handles('r-calls')).toEqual(['h']);
    expect(await store.usage('r-none')).toEqual({ calls: 0, bytes: 0 });
  });

  test('record no second call of a number, and refuse none for what is wrong with another', async () => {
    await store.addRuns([runOf('r-twice', 1)]);
    const outcomes = await Promise.allSettled([
      store.addCall(callOf('r-twice', 1, 1, 'first')),
      store.addCall(callOf('r-twice', 1, 1, 'second')),
      store.addCall(callOf('r-none', 1, 1)),
      store.addCall(callOf('r-twice', 2, 1)),
    ]);
    const written = outcomes.map((each) => each.status === 'fulfilled' && each.value);
    expect(written).toEqual([true, false, false, true]);
    expect((await store.calls('r-twice'))[0]).toEqual(callOf('r-twice', 1, 1, 'first'));
  });

  test('start once and end once, whoever asks at the same time', async () => {
    await store.addRuns([runOf('r-once', 1, { budget: { seconds: 1e6 } })]);
    const start = { at: Date.now(), checksum: 'c', tools: ['t'] };
    const end = { at: Date.now() + 5, status: 'answered', reason: null } as const;
    const starts = [store.start('r-once', start), store.start('r-once', { ...start, checksum: 'd' })];
    expect(await Promise.all(starts)).toEqual([true, false]);
    const answer = { answer: [['a\u0000b', 1.5, null]] };
    const ends = [store.end('r-once', { ...end, answer }), store.end('r-once', { ...end, answer: null })];
    expect(await Promise.all(ends)).toEqual([true, false]);
    expect(await store.run('r-once')).toMatchObject({
      started_at: start.at,
      checksum: 'c',
      tools: ['t'],
      ended_at: end.at,
      status: 'answered',
      answer,
    });
  });

  test('are dropped when they were last heard of long ago, with their calls', async () => {
    const day = 86_400_000;
    await store.addRuns([runOf('r-old', 1e13), runOf('r-heard', 1e13), runOf('r-young', 1e13 + 9 * day)]);
    await store.addCall(callOf('r-old', 1, 1e13));
    await store.addCall(callOf('r-heard', 1, 1e13 + 8 * day));
    // Those of the other tests are older.
    const before = (await all(store)).length;
    const bounds = { before: 1e13 + 5 * day, maxBytes: Number.MAX_SAFE_INTEGER, idleSince: 0 };
    expect(await store.prune(bounds)).toBe(before - 2);
    expect((await all(store)).map(({ run_id }) => run_id)).toEqual(['r-heard', 'r-young']);
    expect(await store.calls('r-old')).toEqual([]);
    expect(await store.prune(bounds)).toBe(0);
  });

  test('make room where more is kept than may be: the oldest go, but for those that were heard of lately', async () => {
    // What compresses to nothing would take no room in some stores.
    const text = (i: number) => hash('sha512', String(i), 'hex') + hash('sha512', `${i}!`, 'base64');
    const filler = (i: number) => Array.from({ length: 20 }, (_, n) => text(20 * i + n)).join('');
    const ids = Array.from({ length: 500 }, (_, i) => `r-room-${i}`);
    const empty = await store.bytes();
    await store.addRuns(ids.map((id, i) => runOf(id, 2e13 + i)));
    // The oldest of all has been called lately.
    const at = (i: number) => (i === 0 ? 3e13 : 2e13 + i);
    await Promise.all(ids.map((id, i) => store.addCall(callOf(id, 1, at(i), filler(i)))));
    const full = await store.bytes();
    expect(full - empty).toBeGreaterThan(500 * 4000);

    const bounds = { before: 0, maxBytes: full - (full - empty) / 10, idleSince: 2.5e13 };
    expect(await store.prune({ ...bounds, maxBytes: full })).toBe(0);
    const dropped = await store.prune(bounds);
    expect(dropped).toBeGreaterThanOrEqual(45);
    expect(dropped).toBeLessThanOrEqual(250);
    expect(await store.bytes()).toBeLessThanOrEqual(bounds.maxBytes);
    const left = (await all(store)).map(({ run_id }) => run_id).filter((id) => ids.includes(id));
    expect(left).toEqual(['r-room-0', ...ids.slice(501 - left.length)]);
    await store.prune({ ...bounds, maxBytes: 0 });
    expect((await all(store)).map(({ run_id }) => run_id)).toEqual(['r-room-0']);
  });

  test('are counted while they are open, and those that nothing is heard of', async () => {
    const minute = 60_000;
    const now = 4e13;
    const before = await store.open(now);
    const runs = ['waits', 'over', 'late', 'silent', 'busy', 'given-up'].map((name) =>
      runOf(`r-open-${name}`, now - 2000 * minute, name === 'late' ? { budget: { seconds: 60 } } : {}),
    );
    await store.addRuns(runs);
    const started = { late: 2, silent: 40, busy: 40, 'given-up': 1990, over: 40 };
    for (const [name, ago] of Object.entries(started)) {
      await store.start(`r-open-${name}`, { at: now - ago * minute, checksum: '', tools: null });
    }
    await store.addCall(callOf('r-open-silent', 1, now - 16 * minute));
    await store.addCall(callOf('r-open-busy', 1, now - 39 * minute));
    await store.addCall(callOf('r-open-busy', 2, now - 14 * minute));
    await store.end('r-open-over', { at: now, status: 'answered', reason: null, answer: null });
    const { open, stuck } = await store.open(now);
    expect({ open: open - before.open, stuck: stuck - before.stuck }).toEqual({ open: 4, stuck: 1 });
  });
});

describe('runs in PostgreSQL', () => {
  test('are shared: of two processes that number a call alike the second is told, and so is one that comes after the end', async () => {
    const [one, other] = await Promise.all([openRuns(database.address), openRuns(database.address)]);
    await one.addRuns([runOf('r-shared', 1)]);
    expect((await other.run('r-shared'))?.run_id).toBe('r-shared');
    const calls = [one, other].map((store, i) => store.addCall(callOf('r-shared', 1, 1, String(i))));
    expect((await Promise.all(calls)).toSorted()).toEqual([false, true]);
    await other.end('r-shared', { at: 2, status: 'answered', reason: null, answer: null });
    expect(await one.addCall(callOf('r-shared', 2, 3))).toBe(false);
    expect(await other.usage('r-shared')).toEqual({ calls: 1, bytes: 1 });
    await Promise.all([one.close(), other.close()]);
  });

  test('of many writers each call is recorded once, and nobody waits for ever', async () => {
    const stores = await Promise.all(Array.from({ length: 3 }, () => openRuns(database.address)));
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

  test('that cannot be reached are told before anything is served, and no password is', async () => {
    const error = await openRuns('postgres://me:secret@127.0.0.1:1/none').catch((why) => why);
    expect(error).toBeInstanceOf(UserError);
    expect(`${error.file}: ${error.message}`).toMatch(
      /^postgres:\/\/127.0.0.1:1\/none: .*choose another place/,
    );
    expect(`${error.file}: ${error.message}`).not.toContain('secret');
  });
});

useSmallFarm();

describe('the store', () => {
  test('has one writer; others read', async () => {
    const file = join(farm.folder, 'one.sqlite');
    const store = SqliteRuns.open(file);
    expect(() => SqliteRuns.open(file)).toThrow(/another server writes its runs there/);
    await store.addRuns([record('r1', 1)]);
    const reader = SqliteRuns.read(file);
    expect(reader.run('r1')).toEqual(record('r1', 1));
    reader.close();
    store.close();
    SqliteRuns.open(file).close();
    expect(() => SqliteRuns.open(join(farm.folder, 'small.sqlite', 'x'))).toThrow(/choose another file/);
  });

  test('drops runs by age, counted from the last call, and by size, the oldest first', async () => {
    const store = SqliteRuns.open(join(farm.folder, 'prune.sqlite'));
    const day = 86_400_000;
    const now = 1000 * day;
    await store.addRuns([record('old', 0), record('active', 0), record('new', now - day)]);
    await store.addCall(call('active', 1, now - day));
    expect(await pruneRuns(store, { maxAgeDays: 90 }, now)).toBe(1);
    expect([...store.runs()].map(({ run_id }) => run_id)).toEqual(['active', 'new']);

    const many = Array.from({ length: 600 }, (_, i) =>
      record(`r${String(i).padStart(4, '0')}`, now - day + i),
    );
    await store.addRuns(many);
    const filler = 'x'.repeat(4000);
    await Promise.all(
      many.map(({ run_id, created_at }) => store.addCall(call(run_id, 1, created_at, filler))),
    );
    const limit = Math.floor(store.bytes() / 2);
    expect(await pruneRuns(store, { maxBytes: limit }, now)).toBeGreaterThan(200);
    expect(store.bytes()).toBeLessThanOrEqual(limit);
    const left = [...store.runs()].map(({ run_id }) => run_id);
    expect(left.at(-1)).toBe('r0599');
    expect(left).not.toContain('r0000');
    expect(store.calls('r0000')).toEqual([]);
    expect(store.calls('r0599')).toHaveLength(1);
    store.close();
  });

  test('with many runs, looking for old ones takes no look at all, and dropping them holds nobody up', async () => {
    const file = join(farm.folder, 'many.sqlite');
    const store = SqliteRuns.open(file);
    const runs = Array.from({ length: 30_000 }, (_, i) =>
      record(`r${i}`, 1000 + i, { settings: { text: 'x'.repeat(500) } }),
    );
    await store.addRuns(runs);
    const reader = new Database(file, { readonly: true });
    const timeOf = async (work: () => unknown) => {
      const began = performance.now();
      await work();
      return performance.now() - began;
    };
    const scan = () => reader.prepare("SELECT count(*) FROM run WHERE settings LIKE '%y'").get();
    const nothing = { before: 1000, maxBytes: Number.MAX_SAFE_INTEGER, idleSince: 0 };
    const times = [];
    for (let i = 0; i < 5; i++) {
      const [look, all] = [await timeOf(() => store.prune(nothing)), await timeOf(scan)];
      times.push(look / all);
    }
    expect(Math.min(...times)).toBeLessThan(0.2);
    reader.close();
    let turns = 0;
    const others = setInterval(() => turns++, 0);
    expect(await store.prune({ ...nothing, before: 21_000 })).toBe(20_000);
    clearInterval(others);
    // Once a step of 200 runs, as far as the timer's millisecond has passed.
    expect(turns).toBeGreaterThan(10);
    store.close();
  });

  test('writes calls together, and refuses none for what is wrong with another', async () => {
    const file = join(farm.folder, 'together.sqlite');
    const store = SqliteRuns.open(file);
    const reader = SqliteRuns.read(file);
    await store.addRuns([record('r1', 1), record('r2', 1)]);
    const written = [
      store.addCall(call('r1', 1, 1)),
      store.addCall(call('dropped since', 1, 1)),
      store.addCall(call('r1', 1, 1)),
      store.addCall(call('r2', 1, 1)),
    ];
    expect(store.calls('r1')).toEqual([]);
    const outcomes = await Promise.allSettled(
      written.map((each, i) => each.then(() => reader.usage(i === 0 ? 'r1' : 'r2').calls)),
    );
    // The third has a number that is taken: it is not recorded, and says so.
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
    expect(await Promise.all([written[0], written[2], written[3]])).toEqual([true, false, true]);
    expect(outcomes[0]).toEqual({ status: 'fulfilled', value: 1 });
    const last = store.addCall(call('r2', 2, 2));
    store.close();
    await last;
    expect(reader.usage('r2')).toEqual({ calls: 2, bytes: 2 });
    reader.close();
  });

  test('in memory keeps the same and makes room by dropping what is idle', async () => {
    const store = SqliteRuns.inMemory();
    const hour = 3_600_000;
    await store.addRuns([
      record('old', 0),
      ...Array.from({ length: 600 }, (_, i) => record(`r${i}`, hour + i)),
    ]);
    await Promise.all(
      Array.from({ length: 600 }, (_, i) => store.addCall(call(`r${i}`, 1, hour + i, 'x'.repeat(4000)))),
    );
    expect(store.run('r1')).toEqual(record('r1', hour + 1));
    expect(await pruneMemory(store, 2 * hour)).toBe(0);
    const limits = { before: 0, maxBytes: Math.floor(store.bytes() / 2) };
    expect(await pruneMemory(store, hour, limits)).toBe(1);
    expect(await pruneMemory(store, 2 * hour, limits)).toBeGreaterThanOrEqual(200);
    expect(store.bytes()).toBeLessThanOrEqual(limits.maxBytes);
    expect(store.has('r599')).toBe(true);
    store.close();
  });

  test('has whatever was answered before the process was killed, and goes on from there', async () => {
    const script = `
      import { openSmallFarm } from ${JSON.stringify(join(import.meta.dirname, '../../testing/small-farm.ts'))};
      const farm = await openSmallFarm({ runs: { place: ${JSON.stringify(join(farm.folder, 'killed.sqlite'))} } });
      const address = await farm.app.listen({ port: 0 });
      console.log(address);`;
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [address] = await once(child.stdout, 'data').then(([line]) => String(line).trim().split('\n'));
    const ask = async (path: string, body: object) =>
      (
        await fetch(`${address}${path}`, {
          method: 'POST',
          body: JSON.stringify(body),
          headers: { 'content-type': 'application/json' },
        })
      ).json() as Promise<{ base: string; row_count: number }>;
    const { base } = await ask('/runs', { sample_id: 'test/small/1/rest', budget: { calls: 40 } });
    let answered = 0;
    const agents = Array.from({ length: 4 }, async () => {
      for (;;) {
        const answer = await ask(`${base}/call/${PEOPLE}`, { min_age: 1 }).catch(() => null);
        if (answer?.row_count === undefined) return;
        if (++answered === 20) child.kill('SIGKILL');
      }
    });
    await once(child, 'exit');
    await Promise.all(agents);

    const again = await openSmallFarm({ runs: { place: join(farm.folder, 'killed.sqlite') } });
    const after = async () => runView.parse((await again.inject(base)).json());
    const before = await after();
    expect(before.status).toBe('open');
    expect(before.used.calls).toBeGreaterThanOrEqual(answered);
    expect(before.trajectory.every(({ status }) => status === 200)).toBe(true);
    let more = 0;
    while (
      (await again.inject({ method: 'POST', url: `${base}/call/${PEOPLE}`, payload: { min_age: 1 } }))
        .statusCode === 200
    ) {
      more++;
    }
    const numbers = (await after()).trajectory.map(({ n }) => n);
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(Math.max(...numbers)).toBe(40);
    expect(more).toBe(40 - Math.max(...before.trajectory.map(({ n }) => n)));
    await again.close();
  });
});

const disk = mkdtempSync(join(tmpdir(), 'rookery-full-'));

test('a full disk is told, nothing is acknowledged that is not stored, and no number is used up', async (context) => {
  const folder = mountSmallDisk(disk);
  if (folder === null) return context.skip('mounting is not permitted here');
  const file = join(folder, 'runs.sqlite');
  const farm = await openSmallFarm({ runs: { place: file } });
  onTestFinished(() => farm.close());
  const send = async (url: string, payload?: object) => {
    const answer = await farm.app.inject({ url, ...(payload ? { method: 'POST', payload } : {}) });
    return { status: answer.statusCode, body: answer.json(), retry: answer.headers['retry-after'] };
  };
  const { body: run } = await send('/runs', { sample_id: 'test/small/1/rest' });
  const call = () => send(`${run.base}/call/${PEOPLE}`, { min_age: 1, note: 'x'.repeat(20_000) });
  const bytes = Buffer.alloc(256 * 1024);
  const fill = join(folder, 'fill');
  let acknowledged = 0;
  let last = await call();
  for (let i = 0; last.status !== 507 && i < 200; i++) {
    expect(last.status).toBe(414);
    acknowledged++;
    try {
      writeFileSync(fill, bytes, { flag: 'a' });
    } catch {
      // The disk is full: what is asked for now shows it.
    }
    last = await call();
  }
  expect(last).toMatchObject({ status: 507, body: { code: 'STORAGE_FULL' }, retry: '10' });
  expect((await call()).status).toBe(507);
  expect(await send('/health/ready')).toMatchObject({ status: 503, body: { code: 'NOT_READY' } });
  expect((await send('/health/live')).status).toBe(200);
  expect((await send(`${run.base}/answer`, { answer: 'x'.repeat(200_000) })).status).toBe(507);

  writeFileSync(fill, '');
  expect((await call()).status).toBe(414);
  expect((await send('/health/ready')).status).toBe(200);
  const { trajectory } = (await send(run.base)).body;
  expect(trajectory.map(({ n }: { n: number }) => n)).toEqual(
    Array.from({ length: acknowledged + 1 }, (_, i) => i + 1),
  );
  expect((await send(`${run.base}/answer`, { answer: 1 })).status).toBe(200);
  const store = SqliteRuns.read(file);
  expect(store.calls(run.run_id)).toHaveLength(acknowledged + 1);
  store.close();
});
