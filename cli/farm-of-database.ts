import { existsSync, statSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { packageVersion } from '../contracts/package-root.ts';
import { DEFAULT_REFERENCE_TIME, DEFAULT_TIMEOUT } from '../generator/generate.ts';
import { farmIn } from './farm-in.ts';
import { generateFarm } from './generate-farm.ts';
import { synthesizeWithProgress } from './synthesize-with-progress.ts';

const QUESTIONS = 200;
const TIMEOUT_SECONDS = 2;

/**
 * Makes a farm for a database that has no questions, by way of `<name>-split` in the working folder. Both are kept until the
 * database is newer than they are.
 */
export async function farmOfDatabase(
  database: string,
  {
    farm: folder,
    only,
    jobs,
  }: { readonly farm: string; readonly only?: readonly string[]; readonly jobs?: number | undefined },
): Promise<void> {
  const name = basename(database, extname(database));
  const split = `${name}-split`;
  const referenceTime = DEFAULT_REFERENCE_TIME;
  const made = join(split, 'synthesis.json');
  if (!isNewer(made, database)) {
    await synthesizeWithProgress(database, {
      out: split,
      questions: QUESTIONS,
      seed: '7',
      like: 'bird',
      referenceTime,
      timeoutMs: TIMEOUT_SECONDS * 1000,
      ...(only ? { only } : {}),
    });
  }
  if (!isNewer(join(folder, 'farm.json'), made) || farmIn(folder)?.generator_version !== packageVersion) {
    await generateFarm(split, { out: folder, name, referenceTime, timeout: DEFAULT_TIMEOUT, jobs });
  }
}

function isNewer(file: string, than: string): boolean {
  return existsSync(file) && existsSync(than) && statSync(file).mtimeMs >= statSync(than).mtimeMs;
}
