import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createProgram } from '../../cli/program.ts';
import { Rookery } from '../../client/index.ts';
import type { RunView } from '../../contracts/api.ts';
import { endpoint, parameter, temporaryFolder, writeZooFarmWithTask } from '../../services/testing/zoo.ts';
import { builtCommand } from '../../tests/support/built-package.ts';
import { recordedLoad } from '../../tests/support/recorded-load.ts';
import { openTestDatabase, type TestDatabase } from './testing/postgres.ts';

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
