import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Farm, farm as farmSchema } from '../../../contracts/farm.ts';
import { farmNotFound } from '../../../contracts/not-found.ts';
import { parseFarmFile, readFarmFile } from './read-json.ts';

/** The farm.json of a farm folder, and its text. Throws FARM_NOT_FOUND or FARM_INVALID. */
export function readFarm(folder: string): {
  readonly root: string;
  readonly farm: Farm;
  readonly text: string;
} {
  const root = resolve(folder);
  const file = join(root, 'farm.json');
  if (!existsSync(file)) throw farmNotFound(root);
  const text = readFarmFile(file);
  return { root, farm: parseFarmFile(file, text, farmSchema), text };
}
