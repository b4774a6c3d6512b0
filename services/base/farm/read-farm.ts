import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { UserError } from '../../../contracts/errors.ts';
import { type Farm, farm as farmSchema } from '../../../contracts/farm.ts';
import { parseFarmFile, readFarmFile } from './read-json.ts';

/** The farm.json of a farm folder, and its text. Throws FARM_NOT_FOUND or FARM_INVALID. */
export function readFarm(folder: string): {
  readonly root: string;
  readonly farm: Farm;
  readonly text: string;
} {
  const root = resolve(folder);
  const file = join(root, 'farm.json');
  if (!existsSync(file)) {
    const fix =
      'there is no farm.json in this folder; make a farm with `rookery generate <split> --out <folder>`';
    throw new UserError('FARM_NOT_FOUND', root, fix);
  }
  const text = readFarmFile(file);
  return { root, farm: parseFarmFile(file, text, farmSchema), text };
}
