import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { starterFarm } from '../../tests/support/farms.ts';
import { runFolder } from '../../tests/support/run-cell-on.ts';
import { startFarmProcess } from './farm-access.ts';

const folder = runFolder();
const harnessKey = 'k'.repeat(40);
let farm: string;
beforeAll(async () => {
  farm = await starterFarm();
});

test('serves a farm from a child process until closed', async () => {
  const { address, close } = await startFarmProcess({ farm, harnessKey });
  expect((await fetch(`${address}/health/ready`)).status).toBe(200);
  await close();
  await expect(fetch(`${address}/health/ready`)).rejects.toThrow('fetch failed');
});

test('reports errors of a farm as if it were served in-process', async () => {
  const broken = join(folder, 'broken');
  cpSync(farm, broken, { recursive: true });
  rmSync(join(broken, 'services'), { recursive: true });
  await expect(startFarmProcess({ farm: broken, harnessKey })).rejects.toMatchObject({
    name: 'UserError',
    code: 'FARM_INVALID',
  });
});
