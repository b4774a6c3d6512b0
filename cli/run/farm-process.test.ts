import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { farmOf } from '../../tests/support/farms.ts';
import { runFolder } from '../../tests/support/run-cell-on.ts';
import { startFarmProcess } from './farm-process.ts';

test('serves a farm from another process, until it is closed', async () => {
  const farm = await startFarmProcess({ farm: await farmOf('bundled'), harnessKey: 'k'.repeat(40) });
  expect((await fetch(`${farm.address}/health/ready`)).status).toBe(200);
  await farm.close();
  await expect(fetch(`${farm.address}/health/ready`)).rejects.toThrow('fetch failed');
});

test('what is wrong with a farm is said as if it were served here', async () => {
  const folder = join(runFolder(), 'farm');
  cpSync(await farmOf('bundled'), folder, { recursive: true });
  rmSync(join(folder, 'services'), { recursive: true });
  await expect(startFarmProcess({ farm: folder, harnessKey: 'k'.repeat(40) })).rejects.toMatchObject({
    name: 'UserError',
    code: 'FARM_INVALID',
  });
});
