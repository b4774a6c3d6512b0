import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { runView } from '../../../contracts/api.ts';
import { mountSmallDisk } from '../../../tests/support/small-disk.ts';
import { describeRunStore } from '../../testing/run-store-suite.ts';
import { callOf as call, farm, PEOPLE, runOf as record, useSmallFarm } from '../../testing/runs.ts';
import { openSmallFarm } from '../../testing/small-farm.ts';
import { temporaryFolder } from '../../testing/zoo.ts';
import type { RunStore } from './run-store.ts';
import { openRuns, pruneMemory, pruneRuns, readRuns } from './run-stores.ts';
import { SqliteRuns } from './sqlite-runs.ts';

const folder = temporaryFolder();
const STORES: Readonly<Record<string, () => RunStore | Promise<RunStore>>> = {
  'a file': () => openRuns(join(folder.path, 'runs.sqlite')),
  memory: () => SqliteRuns.inMemory(),
};

afterAll(() => folder.remove());

for (const [name, open] of Object.entries(STORES)) describeRunStore(name, open);

useSmallFarm();

test('an address of an unknown kind of database is refused, with the known kinds', async () => {
  const databases = [{ schemes: ['farmdb'], load: () => Promise.reject(new Error('loaded')) }];
  await expect(openRuns('mysql://me:secret@db.example/runs', { databases })).rejects.toMatchObject({
    code: 'OPTION_INVALID',
    file: 'mysql://db.example/runs',
    message: 'runs cannot be kept there; give a file, or an address farmdb://…',
  });
  await expect(readRuns('mysql://db.example/runs')).rejects.toThrow('runs cannot be kept there; give a file');
  await expect(openRuns('farmdb://db.example/runs', { databases })).rejects.toThrow('loaded');
});

describe('the store', () => {
  test('has one writer and any number of readers', async () => {
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

  test('with many runs, searching for old ones is instant, and dropping them blocks no other work', async () => {
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
    // Once per step of 200 runs, as far as the timer's resolution of a millisecond allows.
    expect(turns).toBeGreaterThan(10);
    store.close();
  });

  test('batches calls, and rejects none because another is invalid', async () => {
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
    // The number of the third is taken: it rejects, and nothing is recorded.
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
    expect(await Promise.all([written[0], written[2], written[3]])).toEqual([true, false, true]);
    expect(outcomes[0]).toEqual({ status: 'fulfilled', value: 1 });
    const last = store.addCall(call('r2', 2, 2));
    store.close();
    await last;
    expect(reader.usage('r2')).toEqual({ calls: 2, bytes: 2 });
    reader.close();
  });

  test('in memory works the same, and makes room by dropping idle runs', async () => {
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

  test('has every acknowledged write after the process is killed, and continues from there', async () => {
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

test('a full disk is reported, nothing is acknowledged that is not stored, and no number is used up', async (context) => {
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
      // The disk is full: the next request shows it.
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
