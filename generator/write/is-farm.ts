import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { FARM_FORMAT_VERSION, farm } from '../../contracts/farm.ts';

/** Whether a folder holds a farm of this or an earlier format, by its `farm.json`. */
export function isFarm(folder: string): boolean {
  try {
    return marks.safeParse(JSON.parse(readFileSync(join(folder, 'farm.json'), 'utf8'))).success;
  } catch {
    return false;
  }
}

/** What a `farm.json` of any format has. */
const marks = farm
  .pick({ name: true, generator_version: true })
  .extend({ format_version: z.number().int().min(1).max(FARM_FORMAT_VERSION) });
