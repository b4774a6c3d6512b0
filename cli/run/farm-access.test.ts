import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { DEFAULT_REFERENCE_TIME } from '../../contracts/split.ts';
import { generate } from '../../generator/generate.ts';
import { initSplit } from '../../generator/init-split.ts';
import { runFolder } from '../../tests/support/run-cell-on.ts';
import { startFarmProcess } from './farm-access.ts';

const folder = runFolder();
const farm = join(folder, 'farm');
const harnessKey = 'k'.repeat(40);
beforeAll(async () => {
  const split = join(folder, 'split');
  await initSplit(split);
  await generate(split, { out: farm, referenceTime: DEFAULT_REFERENCE_TIME, timeoutMs: 30_000 });
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
