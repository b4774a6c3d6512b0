import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Farm } from '../../../contracts/farm.ts';
import { invalid } from './read-json.ts';

/** Compares files of a farm, as far as it has them, with farm.json. Throws FARM_INVALID for the first difference. */
export async function checkHashes(root: string, farm: Farm, paths: Iterable<string>): Promise<void> {
  for (const path of paths) {
    const expected = farm.files[path];
    if (expected === undefined) continue;
    const file = join(root, path);
    if ((await hashOf(file)) !== expected) throw invalid(file, 'is not the file that farm.json describes');
  }
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  try {
    await pipeline(createReadStream(file), hash);
  } catch (cause) {
    throw invalid(file, `cannot be read (${(cause as NodeJS.ErrnoException).code})`, cause);
  }
  return hash.digest('hex');
}
