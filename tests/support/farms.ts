import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { packageRoot } from '../../contracts/package-root.ts';
import { buildBundledSplit } from '../../databases/build.ts';
import { DEFAULT_REFERENCE_TIME, generate } from '../../generator/generate.ts';

/** The published splits that some tests want; they are not part of the repository. */
const PUBLISHED = join(packageRoot, '..', 'shared', 'data');

export type FarmName = 'bundled' | 'bird-dev' | 'spider-dev';

/** Whether the split of that name is on this machine. */
export function hasSplit(name: FarmName): boolean {
  return name === 'bundled' || existsSync(join(PUBLISHED, name));
}

/** The folder of a split: see `hasSplit`. */
export function splitFolder(name: FarmName): Promise<string> {
  return name === 'bundled' ? buildBundledSplit() : Promise.resolve(join(PUBLISHED, name));
}

/** The farm of a split, made once for all test files of a run. Read it, never change it. */
export async function farmOf(name: FarmName): Promise<string> {
  const shared = process.env.ROOKERY_TEST_FARMS;
  if (!shared) throw new Error('tests/support/global-setup.ts has not run');
  const farm = join(shared, name);
  if (existsSync(farm)) return farm;
  try {
    mkdirSync(`${farm}.lock`);
  } catch {
    return waitFor(farm);
  }
  try {
    await generate(await splitFolder(name), {
      out: `${farm}.new`,
      name,
      referenceTime: DEFAULT_REFERENCE_TIME,
      timeoutMs: 30_000,
    });
    renameSync(`${farm}.new`, farm);
  } catch (error) {
    writeFileSync(`${farm}.failed`, String(error));
    throw error;
  }
  return farm;
}

/** Another test file is making it. */
async function waitFor(farm: string): Promise<string> {
  while (!existsSync(farm)) {
    if (existsSync(`${farm}.failed`)) throw new Error(`${farm} could not be made; another test says why`);
    await setTimeout(200);
  }
  return farm;
}
