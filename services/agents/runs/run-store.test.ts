import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DEFAULT_LIST } from '../../../contracts/list-options.ts';
import { runView } from '../../../contracts/run.ts';
import { farm, PEOPLE, useSmallFarm } from '../../testing/runs-of-small-farm.ts';
import { openSmallFarm } from '../../testing/small-farm.ts';
import { pruneMemory, pruneRuns } from './prune-runs.ts';
import type { RunRecord } from './run-records.ts';
import { RunStore } from './run-store.ts';

useSmallFarm();

describe('the store', () => {
  const record = (run_id: string, created_at: number, more: Partial<RunRecord> = {}): RunRecord => ({
    run_id,
    batch_id: null,
    sample_id: 's',
    agent: 'a',
    model: null,
    settings: {},
    list_options: DEFAULT_LIST,
    checksum: '',
    tools: null,
    budget: {},
    faults: null,
    evidence: true,
    answer_tool: false,
    farm_hash: '',
    exam_key: null,
    created_at,
    started_at: null,
    ended_at: null,
    status: 'open',
    end_reason: null,
    answer: null,
    ...more,
  });
  const call = (run_id: string, n: number, at: number, filler = '') => ({
    run_id,
    n,
    at,
    tool: 't',
    arguments: JSON.stringify({ filler }),
    real_tool: null,
    real_arguments: null,
    status: 200,
    code: null,
    row_count: null,
    bytes: 1,
    latency_ms: 1,
    fault: null,
    handle: null,
  });

  test('has one writer; others read', () => {
    const file = join(farm.folder, 'one.sqlite');
    const store = RunStore.open(file);
    expect(() => RunStore.open(file)).toThrow(/another server writes its runs there/);
    store.addRuns([record('r1', 1)]);
    const reader = RunStore.read(file);
    expect(reader.run('r1')).toEqual(record('r1', 1));
    reader.close();
    store.close();
    RunStore.open(file).close();
    expect(() => RunStore.open(join(farm.folder, 'small.sqlite', 'x'))).toThrow(/choose another file/);
  });

  test('drops runs by age, counted from the last call, and by size, the oldest first', async () => {
    const store = RunStore.open(join(farm.folder, 'prune.sqlite'));
    const day = 86_400_000;
    const now = 1000 * day;
    store.addRuns([record('old', 0), record('active', 0), record('new', now - day)]);
    await store.addCall(call('active', 1, now - day));
    expect(pruneRuns(store, { maxAgeDays: 90 }, now)).toBe(1);
    expect([...store.runs()].map(({ run_id }) => run_id)).toEqual(['active', 'new']);

    const many = Array.from({ length: 600 }, (_, i) =>
      record(`r${String(i).padStart(4, '0')}`, now - day + i),
    );
    store.addRuns(many);
    const filler = 'x'.repeat(4000);
    await Promise.all(
      many.map(({ run_id, created_at }) => store.addCall(call(run_id, 1, created_at, filler))),
    );
    const limit = Math.floor(store.bytes / 2);
    expect(pruneRuns(store, { maxBytes: limit }, now)).toBeGreaterThan(200);
    expect(store.bytes).toBeLessThanOrEqual(limit);
    const left = [...store.runs()].map(({ run_id }) => run_id);
    expect(left.at(-1)).toBe('r0599');
    expect(left).not.toContain('r0000');
    expect(store.calls('r0000')).toEqual([]);
    expect(store.calls('r0599')).toHaveLength(1);
    store.close();
  });

  test('writes calls together, and refuses none for what is wrong with another', async () => {
    const file = join(farm.folder, 'together.sqlite');
    const store = RunStore.open(file);
    const reader = RunStore.read(file);
    store.addRuns([record('r1', 1), record('r2', 1)]);
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
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toEqual([
      { status: 'fulfilled', value: 1 },
      { status: 'fulfilled', value: 1 },
    ]);
    const last = store.addCall(call('r2', 2, 2));
    store.close();
    await last;
    expect(reader.usage('r2')).toEqual({ calls: 2, bytes: 2 });
    reader.close();
  });

  test('in memory keeps the same and makes room by dropping what is idle', async () => {
    const store = RunStore.inMemory();
    const hour = 3_600_000;
    store.addRuns([record('old', 0), ...Array.from({ length: 600 }, (_, i) => record(`r${i}`, hour + i))]);
    await Promise.all(
      Array.from({ length: 600 }, (_, i) => store.addCall(call(`r${i}`, 1, hour + i, 'x'.repeat(4000)))),
    );
    expect(store.run('r1')).toEqual(record('r1', hour + 1));
    expect(pruneMemory(store, 2 * hour)).toBe(0);
    const limits = { before: 0, maxBytes: Math.floor(store.bytes / 2) };
    expect(pruneMemory(store, hour, limits)).toBe(1);
    expect(pruneMemory(store, 2 * hour, limits)).toBeGreaterThanOrEqual(200);
    expect(store.bytes).toBeLessThanOrEqual(limits.maxBytes);
    expect(store.has('r599')).toBe(true);
    store.close();
  });

  test('has whatever was answered before the process was killed, and goes on from there', async () => {
    const script = `
      import { openSmallFarm } from ${JSON.stringify(join(import.meta.dirname, '../../testing/small-farm.ts'))};
      const farm = await openSmallFarm({ runs: { file: ${JSON.stringify(join(farm.folder, 'killed.sqlite'))} } });
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

    const again = await openSmallFarm({ runs: { file: join(farm.folder, 'killed.sqlite') } });
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
