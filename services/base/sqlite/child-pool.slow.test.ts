import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import type { TestRequest } from '../../testing/child-fixture.ts';
import {
  ChildCrashedError,
  ChildPool,
  type ChildPoolOptions,
  OverloadedError,
  PoolClosedError,
  TimeoutError,
} from './child-pool.ts';

const module = new URL('../../testing/child-fixture.ts', import.meta.url);
const open: ChildPool<TestRequest, unknown>[] = [];

function pool(options: Partial<ChildPoolOptions> = {}) {
  const made = new ChildPool<TestRequest, unknown>({ module, size: 1, ...options });
  open.push(made);
  return made;
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()));
});

const alive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

async function until(condition: () => boolean): Promise<void> {
  for (let i = 0; i < 800 && !condition(); i++) await new Promise((resolve) => setTimeout(resolve, 25));
  expect(condition()).toBe(true);
}

test('passes big integers, bytes and dates unchanged', async () => {
  const value = { big: 2n ** 62n, bytes: Buffer.from([0, 255]), list: [1.5, null, 'é'] };
  const echoed = (await pool().run({ do: 'echo', value }, 5000)) as typeof value;
  expect(echoed.big).toBe(value.big);
  expect(Buffer.from(echoed.bytes)).toEqual(value.bytes);
  expect(echoed.list).toEqual(value.list);
});

test('passes init to the handler of every child', async () => {
  const two = pool({ size: 2, init: { database: 'x', limit: 3n } });
  const both = await Promise.all([two.run({ do: 'init' }, 5000), two.run({ do: 'init' }, 5000)]);
  expect(both).toEqual([
    { database: 'x', limit: 3n },
    { database: 'x', limit: 3n },
  ]);
});

test("delivers a child's notes to its request, in order and before the reply", async () => {
  const two = pool({ size: 2 });
  const heard: unknown[][] = [[], []];
  const replies = await Promise.all(
    [[1, { two: 2n }], ['other']].map((notes, i) =>
      two.run({ do: 'tell', notes }, Number.POSITIVE_INFINITY, { onNote: (note) => heard[i]?.push(note) }),
    ),
  );
  expect(replies).toEqual(['told', 'told']);
  expect(heard).toEqual([[1, { two: 2n }], ['other']]);
});

test('an error keeps its name, message and code, and the child continues', async () => {
  const one = pool();
  const before = await one.run({ do: 'pid' }, 5000);
  await expect(one.run({ do: 'throw', message: 'odd', code: 'SQLITE_ERROR' }, 5000)).rejects.toMatchObject({
    name: 'TypeError',
    message: 'odd',
    code: 'SQLITE_ERROR',
  });
  expect(await one.run({ do: 'pid' }, 5000)).toBe(before);
});

test('kills an endless statement at its limit, and a new child answers', async () => {
  const one = pool();
  const before = (await one.run({ do: 'pid' }, 5000)) as number;
  const began = performance.now();
  await expect(one.run({ do: 'runaway' }, 200)).rejects.toThrow(TimeoutError);
  expect(performance.now() - began).toBeLessThan(60_000);
  await until(() => !alive(before));
  const after = await one.run({ do: 'pid' }, 5000);
  expect(after).not.toBe(before);
});

test('the limit excludes time in the queue', async () => {
  const one = pool();
  const answers = await Promise.all([1, 2, 3, 4].map(() => one.run({ do: 'wait', ms: 150 }, 400)));
  expect(answers).toEqual(['waited', 'waited', 'waited', 'waited']);
});

test('the limit is processor time: a starved child is not stopped', async () => {
  const one = pool({ patience: 1000 });
  let cost = Number.POSITIVE_INFINITY;
  const onCost = (cpuMs: number) => {
    cost = cpuMs;
  };
  expect(await one.run({ do: 'wait', ms: 600 }, 300, { onCost })).toBe('waited');
  expect(cost).toBeLessThan(300);
  await expect(pool({ patience: 1 }).run({ do: 'wait', ms: 60_000 }, 300)).rejects.toThrow(TimeoutError);
});

test("waits for a slow start within the pool's patience", async () => {
  // 40 s of wall-clock time, times the patience: a thousandth is not enough to start.
  await expect(pool({ patience: 0.001 }).run({ do: 'pid' }, 5000)).rejects.toThrow(
    'no child process could be started',
  );
  expect(await pool({ patience: Number.POSITIVE_INFINITY }).run({ do: 'echo', value: 1 }, 5000)).toBe(1);
});

test('an exclusive request waits for the others, and they for it', async () => {
  const two = pool({ size: 2 });
  const running: number[] = [];
  const noted = async (ms: number, alone: boolean) => {
    await two.run({ do: 'wait', ms }, 5000, { alone, onCost: () => running.push(two.load.running) });
  };
  await Promise.all([noted(100, false), noted(100, false)]);
  running.length = 0;
  await Promise.all([noted(100, false), noted(50, true), noted(10, false)]);
  expect(running).toHaveLength(3);
  expect(running[1]).toBe(0);
});

test('a slow request does not hold up the other child', async () => {
  const two = pool({ size: 2 });
  await Promise.all([two.run({ do: 'wait', ms: 50 }, 5000), two.run({ do: 'wait', ms: 50 }, 5000)]);
  let stopped = false;
  const slow = two.run({ do: 'runaway' }, 3000).catch((error) => {
    stopped = true;
    return error;
  });
  await two.run({ do: 'pid' }, 5000);
  expect(stopped).toBe(false);
  expect(await slow).toBeInstanceOf(TimeoutError);
});

test('a full queue rejects at once', async () => {
  const one = pool({ maxQueue: 1 });
  await one.run({ do: 'pid' }, 5000);
  const running = one.run({ do: 'wait', ms: 200 }, 5000);
  const waiting = one.run({ do: 'wait', ms: 1 }, 5000);
  await expect(one.run({ do: 'pid' }, 5000)).rejects.toThrow(OverloadedError);
  expect(await Promise.all([running, waiting])).toEqual(['waited', 'waited']);
});

test('a crashed child rejects its request and is replaced', async () => {
  const one = pool();
  await expect(one.run({ do: 'exit' }, 5000)).rejects.toThrow(ChildCrashedError);
  expect(await one.run({ do: 'echo', value: 1 }, 5000)).toBe(1);
});

test('a child that cannot start rejects every request instead of restarting forever', async () => {
  const none = new ChildPool<string, string>({
    module: new URL('../../testing/silent-child-fixture.ts', import.meta.url),
    size: 1,
  });
  const outcomes = await Promise.allSettled([none.run('a', 5000), none.run('b', 5000)]);
  expect(outcomes.map((o) => o.status === 'rejected' && o.reason.name)).toEqual([
    'ChildNotStartedError',
    'ChildNotStartedError',
  ]);
});

test('unserializable values are errors on either side, and the child continues', async () => {
  const one = pool();
  await expect(one.run({ do: 'echo', value: () => {} }, 5000)).rejects.toThrow(/could not be cloned/);
  await expect(one.run({ do: 'unserialisable' }, 5000)).rejects.toThrow(/could not be cloned/);
  expect(await one.run({ do: 'echo', value: 2 }, 5000)).toBe(2);
});

test('close ends the children and rejects running, waiting and new requests', async () => {
  const one = pool();
  const pid = (await one.run({ do: 'pid' }, 5000)) as number;
  const running = one.run({ do: 'runaway' }, 60_000).catch((error) => error);
  const waiting = one.run({ do: 'pid' }, 60_000).catch((error) => error);
  await one.close();
  expect(await running).toBeInstanceOf(PoolClosedError);
  expect(await waiting).toBeInstanceOf(PoolClosedError);
  await expect(one.run({ do: 'pid' }, 1000)).rejects.toThrow(PoolClosedError);
  await until(() => !alive(pid));
});

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;

function parent(script: string) {
  const source = `
    import { ChildPool } from ${JSON.stringify(here('./child-pool.ts'))};
    import { pathToFileURL } from 'node:url';
    const pool = new ChildPool({ module: pathToFileURL(${JSON.stringify(here('../../testing/child-fixture.ts'))}), size: 1 });
    console.log(await pool.run({ do: 'pid' }, 20000));
    ${script}`;
  return spawn(process.execPath, ['--import', tsx, '--input-type=module', '-e', source], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

test('an idle pool does not keep its process alive, and its child exits too', async () => {
  const process_ = parent('');
  const pid = await new Promise<number>((resolve) =>
    process_.stdout.once('data', (text) => resolve(Number(text))),
  );
  const code = await new Promise((resolve) => process_.once('exit', resolve));
  expect(code).toBe(0);
  await until(() => !alive(pid));
});

test('a child exits with its killed parent, even during a statement', async () => {
  const process_ = parent(`pool.run({ do: 'runaway' }, 600000, { onNote: (note) => console.log(note) });`);
  const lines = createInterface(process_.stdout)[Symbol.asyncIterator]();
  const pid = Number((await lines.next()).value);
  expect((await lines.next()).value).toBe('running');
  process_.kill('SIGKILL');
  await until(() => !alive(pid));
});

test('callers take turns, and in a full queue the one with most requests gives way', async () => {
  const one = pool({ maxQueue: 4 });
  const done: string[] = [];
  const ask = (caller: string, name: string) =>
    one.run({ do: 'echo', value: name }, 5000, { caller }).then(
      () => done.push(name),
      (error: Error) => done.push(`${name}: ${error.name}`),
    );
  const greedy = ['g0', 'g1', 'g2', 'g3', 'g4'].map((name) => ask('greedy', name));
  const honest = ask('honest', 'h0');
  await Promise.all([...greedy, honest]);
  expect(done[0]).toBe('g4: OverloadedError');
  expect(done.indexOf('h0')).toBeLessThan(done.indexOf('g2'));
  expect(done).toHaveLength(6);
});

test('aborted requests do not run, and free their place in the queue', async () => {
  const one = pool({ maxQueue: 1 });
  const gone = new AbortController();
  const abandoned = [1, 2].map(() =>
    one.run({ do: 'runaway' }, 600_000, { caller: 'a', signal: gone.signal }),
  );
  await until(() => one.load.running === 1);
  gone.abort();
  for (const each of abandoned) await expect(each).rejects.toThrow('whoever asked has gone');
  expect(one.load.waiting).toBe(0);
  expect(await one.run({ do: 'echo', value: 1 }, 5000, { caller: 'b' })).toBe(1);
});

test('stops an abandoned request even if no other needs its child', async () => {
  const one = pool();
  const gone = new AbortController();
  const abandoned = one.run({ do: 'runaway' }, 600_000, { signal: gone.signal });
  await until(() => one.load.running === 1);
  gone.abort();
  await expect(abandoned).rejects.toThrow('whoever asked has gone');
  await until(() => one.load.running === 0);
  expect(one.load.running).toBe(0);
});

test('a sharing caller leaves one child to others, and may use the rest', async () => {
  const three = pool({ size: 3 });
  const greedy = { caller: 'greedy', sharing: true };
  const stop = new AbortController();
  const runaways = Array.from({ length: 5 }, () =>
    three.run({ do: 'runaway' }, 600_000, { ...greedy, signal: stop.signal }).catch(() => {}),
  );
  await until(() => three.load.running === 2);
  expect(await three.run({ do: 'echo', value: 'mine' }, 5000, { caller: 'honest', sharing: true })).toBe(
    'mine',
  );
  expect(three.load).toEqual({ running: 2, waiting: 3 });
  stop.abort();
  await Promise.all(runaways);
});

test('a sharing caller is served even by a single child', async () => {
  const one = pool();
  const asked = [1, 2].map((value) => one.run({ do: 'echo', value }, 5000, { caller: 'a', sharing: true }));
  expect(await Promise.all(asked)).toEqual([1, 2]);
});

test.runIf(process.platform === 'linux')(
  "a statement that keeps doubling a text fails within its child's memory limit",
  async () => {
    const limited = pool({ memoryMegabytes: 256 });
    await expect(limited.run({ do: 'double' }, 600_000)).rejects.toMatchObject({ code: 'SQLITE_NOMEM' });
    // The child continues. Its peak has the code of Node.js too, which the limit leaves out.
    expect(await limited.run({ do: 'peak' }, 5000)).toBeLessThan(384);
  },
);
