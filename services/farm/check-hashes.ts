import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Farm } from '../../contracts/farm.ts';
import { invalid } from './read-json.ts';
import { servedFiles } from './served-files.ts';

/** Compares what is served of the given domains with farm.json. Throws FARM_INVALID for the first difference. */
export async function checkHashes(root: string, farm: Farm, domains: readonly string[]): Promise<void> {
  for (const db of domains) {
    for (const path of servedFiles(db)) {
      const expected = farm.files[path];
      if (expected === undefined) continue;
      const file = join(root, path);
      if ((await hashOf(file)) !== expected) throw invalid(file, 'is not the file that farm.json describes');
    }
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
