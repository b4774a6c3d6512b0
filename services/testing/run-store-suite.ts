import { hash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunFilter, RunRecord, RunStore } from '../agents/runs/run-store.ts';
import { callOf, runOf } from './runs.ts';

async function all(store: RunStore, filter?: RunFilter): Promise<RunRecord[]> {
  const runs: RunRecord[] = [];
  for await (const run of store.runs(filter)) runs.push(run);
  return runs;
}

/** The tests that every store of runs must pass. */
export function describeRunStore(name: string, open: () => RunStore | Promise<RunStore>): void {
  describe(`runs in ${name}`, () => {
    let store: RunStore;
    beforeAll(async () => {
      store = await open();
    });
    afterAll(async () => store.close());

    test('are found by id, batch and agent, in the order of creation', async () => {
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

    test('list calls by number, in whatever order they end', async () => {
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

    test('record one call per number, and reject no call for an error in another', async () => {
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

    test('start once and end once, under concurrency', async () => {
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

    test('are pruned with their calls after long inactivity', async () => {
      const day = 86_400_000;
      await store.addRuns([runOf('r-old', 1e13), runOf('r-heard', 1e13), runOf('r-young', 1e13 + 9 * day)]);
      await store.addCall(callOf('r-old', 1, 1e13));
      await store.addCall(callOf('r-heard', 1, 1e13 + 8 * day));
      // Runs of the other tests are older.
      const before = (await all(store)).length;
      const bounds = { before: 1e13 + 5 * day, maxBytes: Number.MAX_SAFE_INTEGER, idleSince: 0 };
      expect(await store.prune(bounds)).toBe(before - 2);
      expect((await all(store)).map(({ run_id }) => run_id)).toEqual(['r-heard', 'r-young']);
      expect(await store.calls('r-old')).toEqual([]);
      expect(await store.prune(bounds)).toBe(0);
    });

    test('are pruned above the size limit: the oldest first, except recently active ones', async () => {
      // Incompressible text, since compressible text might take no room in some stores.
      const text = (i: number) => hash('sha512', String(i), 'hex') + hash('sha512', `${i}!`, 'base64');
      const filler = (i: number) => Array.from({ length: 20 }, (_, n) => text(20 * i + n)).join('');
      const ids = Array.from({ length: 500 }, (_, i) => `r-room-${i}`);
      const empty = await store.bytes();
      await store.addRuns(ids.map((id, i) => runOf(id, 2e13 + i)));
      // The oldest run has been active recently.
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

    test('are counted while open, as are inactive ones', async () => {
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
}
