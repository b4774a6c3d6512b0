import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { createProgram } from '../../cli/program.ts';
import { Rookery } from '../../client/index.ts';
import type { RunView } from '../../contracts/api.ts';
import { DEFAULT_REFERENCE_TIME } from '../../contracts/split.ts';
import { generate } from '../../generator/generate.ts';
import { endpoint, parameter, temporaryFolder, writeZooFarmWithTask } from '../../services/testing/zoo.ts';
import { builtCommand } from '../../tests/support/built-package.ts';
import { recordedLoad } from '../../tests/support/recorded-load.ts';
import { writeDatabase, writeFiles } from '../../tests/support/split-fixture.ts';
import { openTestDatabase, type TestDatabase, databaseTest as test } from './testing/postgres.ts';

const KEY = 'the-key-of-both-machines';
const folder = temporaryFolder();
let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(async () => {
  await database.close();
  folder.remove();
});

test('when one of two processes sharing a database is killed, no acknowledged call is lost, and the other continues its runs', async () => {
  const byId = endpoint('by_id', 'SELECT id, name FROM animal WHERE id = :id', ['id', 'name'], {
    parameters: [parameter('id', 'integer')],
  });
  const path = join(folder.path, 'farm');
  const { sample_id: sampleId } = writeZooFarmWithTask(path, {
    endpoints: [byId],
    question: 'Who is first?',
  });
  const [killed, staying] = await Promise.all([serve(path), serve(path)]);
  const atFirst = new Rookery(killed.address, { harnessKey: KEY });
  const load = await recordedLoad(atFirst, { sampleId, tool: byId.operation_id }, 12);
  await load.untilAnswered(10_000);
  await expect.poll(() => load.answered, { timeout: 20_000 }).toBeGreaterThan(60);
  killed.child.kill('SIGKILL');
  await once(killed.child, 'exit');
  const all = await load.stop();
  for (const { run, acknowledged } of all) {
    const ask = async (path: string, body?: object) => {
      const headers = { 'x-harness-key': KEY, 'content-type': 'application/json' };
      const init = body ? { method: 'POST', body: JSON.stringify(body) } : {};
      return (await fetch(`${staying.address}${run.base}${path}`, { ...init, headers })).json();
    };
    const { trajectory } = (await ask('')) as RunView;
    const recorded = trajectory.map((call) => (call.arguments as { id: number }).id);
    expect(recorded).toEqual(expect.arrayContaining(acknowledged));
    expect(trajectory.map(({ n }) => n)).toEqual(trajectory.map((_, i) => i + 1));
    expect(await ask(`/call/${byId.operation_id}`, { id: 2 })).toMatchObject({ row_count: 1 });
    expect(await ask('/answer', { answer: 1 })).toMatchObject({ status: 'answered' });
  }

  const written: string[] = [];
  const write = process.stdout.write;
  process.stdout.write = (text) => written.push(String(text)) > 0;
  try {
    const given = ['runs', 'export', database.address, '--run', all[0]?.run.id ?? ''];
    await (await createProgram(given)).parseAsync(given, { from: 'user' });
  } finally {
    process.stdout.write = write;
  }
  expect(written.join('').split('\n')[0]).toContain('rookery-predictions/1');
}, 90_000);

test('when one of two processes is killed, each change that agents repeat until it is acknowledged is made once', async () => {
  const split = join(folder.path, 'writers');
  writeDatabase(
    split,
    'desk.sqlite',
    "CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT NOT NULL); INSERT INTO note VALUES (1, 'tea'), (2, 'milk');",
  );
  const question = { question_id: 1, db_id: 'desk', question: 'Note the bread.' };
  const sql = "INSERT INTO note (text) VALUES ('bread')";
  writeFiles(split, { 'questions.jsonl': JSON.stringify({ ...question, sql }) });
  const path = join(folder.path, 'farm-of-writers');
  await generate(split, { out: path, referenceTime: DEFAULT_REFERENCE_TIME, timeoutMs: 30_000, jobs: 1 });
  const sample_id = 'writers/desk/1/records';
  const [killed, staying] = await Promise.all([serve(path), serve(path)]);
  const headers = { 'x-harness-key': KEY, 'content-type': 'application/json' };
  const post = (address: string, body: object, more: Record<string, string> = {}) =>
    fetch(address, { method: 'POST', body: JSON.stringify(body), headers: { ...headers, ...more } });
  let isOver = false;
  let isDead = false;
  const counts = { acknowledged: 0, repeated: 0, afterDeath: 0 };

  /** Creates one record after the other, at either server, and sends each until it is acknowledged. */
  const work = async (who: number) => {
    const { base } = (await (
      await post(`${staying.address}/runs`, { sample_id, writes: true })
    ).json()) as RunView;
    const made: string[] = [];
    for (let n = 0; !isOver; n++) {
      const text = `${who}/${n}`;
      for (let tries = 0; ; tries++) {
        const at = (n + tries) % 2 === 0 ? killed : staying;
        const status = await post(
          `${at.address}${base}/v1/writers/desk/records/note`,
          { text },
          { 'idempotency-key': text },
        ).then(
          (answer) => answer.status,
          () => 0,
        );
        if (status === 201) break;
        expect([0, 503]).toContain(status);
        counts.repeated++;
      }
      made.push(text);
      counts.acknowledged++;
      if (isDead) counts.afterDeath++;
    }
    return { base, made };
  };
  const agents = Array.from({ length: 8 }, (_, who) => work(who));
  await expect.poll(() => counts.acknowledged, { timeout: 60_000 }).toBeGreaterThan(100);
  killed.child.kill('SIGKILL');
  await once(killed.child, 'exit');
  isDead = true;
  await expect.poll(() => counts.afterDeath, { timeout: 60_000 }).toBeGreaterThan(50);
  isOver = true;
  for (const { base, made } of await Promise.all(agents)) {
    const found: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = `${staying.address}${base}/v1/writers/desk/records/note?id.gt=2&limit=100${cursor && `&cursor=${cursor}`}`;
      const { data, next_cursor } = (await (await fetch(page, { headers })).json()) as {
        readonly data: readonly { readonly text: string }[];
        readonly next_cursor: string | null;
      };
      found.push(...data.map(({ text }) => text));
      cursor = next_cursor;
    }
    expect(found).toEqual(made);
  }
  expect(counts.repeated).toBeGreaterThan(0);
}, 180_000);

async function serve(farm: string): Promise<{ readonly child: ChildProcess; readonly address: string }> {
  const words = ['serve', farm, '--port', '0', '--harness-key', KEY, '--runs', database.address];
  const child = spawn(process.execPath, [await builtCommand(), ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill());
  let said = '';
  const address = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`serve ended with ${code}`)));
    child.stdout.on('data', (text) => {
      said += text;
      const [found] = /http:\/\/[\d.]+:\d+/.exec(said) ?? [];
      if (found) resolve(found);
    });
  });
  return { child, address };
}
