import { copyFileSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DEFAULT_REFERENCE_TIME } from '../contracts/split.ts';
import { generate } from '../generator/generate.ts';
import { initSplit } from '../generator/init-split.ts';
import { growingFolder, removeGrowth } from '../generator/write/growing-farm.ts';
import { emptyFarm } from '../services/base/farm.ts';
import { startServer } from '../services/server.ts';
import { temporaryFolder } from './support/split-fixture.ts';

const OPTIONS = { name: 'twin', referenceTime: DEFAULT_REFERENCE_TIME, timeoutMs: 60_000, jobs: 1 };

/** The split of `rookery init`, its one domain there twice. */
async function twinSplit(): Promise<string> {
  const split = temporaryFolder();
  await initSplit(split);
  const [file = ''] = readdirSync(split).filter((name) => name.endsWith('.sqlite'));
  const db = file.slice(0, -'.sqlite'.length);
  copyFileSync(join(split, file), join(split, 'twin.sqlite'));
  const questions = readFileSync(join(split, 'questions.jsonl'), 'utf8');
  const others = questions
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
    .map((each) => JSON.stringify({ ...each, db_id: 'twin', question_id: `twin-${each.question_id}` }));
  const own = questions
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const lines = [
    ...own.map((each) => JSON.stringify({ ...each, question_id: `${db}-${each.question_id}` })),
    ...others,
  ];
  writeFileSync(join(split, 'questions.jsonl'), `${lines.join('\n')}\n`);
  return split;
}

function bytesOf(folder: string): Map<string, string> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  return new Map(
    files
      .filter((file) => statSync(join(folder, file)).isFile())
      .map((file) => [file, readFileSync(join(folder, file), 'latin1')]),
  );
}

test('a farm is served as it grows; what is interrupted goes on, to the same bytes', async () => {
  const split = await twinSplit();
  const plain = join(temporaryFolder(), 'farm');
  await generate(split, { ...OPTIONS, out: plain });

  const out = join(temporaryFolder(), 'farm');
  const runs = { place: join(temporaryFolder(), 'runs.sqlite') };
  const growing = (coming: readonly string[]) => ({ coming: [...coming], done: 0, total: 0, step: '' });
  const server = await startServer(emptyFarm(growingFolder(out), 'farm'), {
    port: 0,
    logger: false,
    growth: growing([]),
    agents: { runs },
  });
  const get = async (path: string, init?: RequestInit) => {
    const answer = await fetch(`${server.address}${path}`, init);
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
  const createRun = async (sample_id: unknown) => {
    const body = JSON.stringify({ sample_id, agent: 'test' });
    const headers = { 'content-type': 'application/json' };
    const { body: run } = await get('/runs', { method: 'POST', headers, body });
    return String(run.run_id);
  };
  try {
    expect(await get('/health/ready')).toMatchObject({ status: 503, body: { code: 'NOT_READY' } });

    // Stopped when the first domain is proven.
    const stop = new AbortController();
    let grown: Promise<void> = Promise.resolve();
    const interrupted = generate(split, {
      ...OPTIONS,
      out,
      signal: stop.signal,
      onGrown: (folder, coming) => {
        if (coming.length !== 1) return;
        grown = server.grow(folder, growing(coming));
        stop.abort();
      },
    });
    await expect(interrupted).rejects.toMatchObject({ code: 'INTERRUPTED' });
    await grown;
    expect(existsSync(out)).toBe(false);
    expect(await get('/health/ready')).toMatchObject({ status: 200, body: { domains: 1, coming: 1 } });
    const first = (await get('/tasks')).body.tasks as Record<string, unknown>[];
    expect(new Set(first.map(({ db }) => db)).size).toBe(1);
    const early = await createRun(first[0]?.sample_id);

    // Continued: the first domain is not proven again.
    const proven: string[] = [];
    await generate(split, {
      ...OPTIONS,
      out,
      onProgress: ({ stage, label }) => stage === 'prove' && proven.push(label),
      onGrown: () => {},
    });
    const [known] = new Set(first.map(({ db }) => String(db)));
    expect(proven.filter((label) => label.startsWith(`${known}: `))).toEqual([`${known}: proven before`]);
    expect(bytesOf(out)).toEqual(bytesOf(plain));

    await server.grow(out, undefined);
    expect((await get('/health/ready')).body).toEqual({ status: 'ready', domains: 2 });
    const all = await get('/tasks?limit=1000&all=true');
    expect(new Set((all.body.tasks as typeof first).map(({ db }) => db)).size).toBe(2);
    expect((await get('/farm')).body.hash).toMatch(/^[0-9a-f]{64}$/);
    expect((await get(`/runs/${early}/tools`)).status).toBe(200);
    const late = await createRun(first[1]?.sample_id);
    const headers = { 'x-harness-key': '' };
    expect((await get(`/runs/${late}/tools`, { headers })).status).toBe(200);
  } finally {
    await server.stop();
  }
  removeGrowth(out);
  expect(existsSync(growingFolder(out))).toBe(false);
});
