import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Farm, farm as farmSchema } from '../contracts/farm.ts';

/** What the farm in a folder says of itself; null where there is none that this version can read. */
export function farmIn(folder: string): Farm | null {
  try {
    return farmSchema.parse(JSON.parse(readFileSync(join(folder, 'farm.json'), 'utf8')));
  } catch {
    return null;
  }
}
