import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { mountSmallDisk } from '../../../tests/support/small-disk.ts';
import { PEOPLE } from '../../testing/runs-of-small-farm.ts';
import { openSmallFarm } from '../../testing/small-farm.ts';
import { SqliteRuns } from './sqlite-runs.ts';

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
