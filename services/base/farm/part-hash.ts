import { createHash } from 'node:crypto';
import { UserError } from '../../../contracts/errors.ts';
import type { Farm } from '../../../contracts/farm.ts';

const HEX_DIGITS = 16;

/**
 * A short hash of those files of a farm that one process reads, from what farm.json says of them; the files themselves
 * are not read. It stands in the definition of the process's container, so that this changes when they do.
 */
export function partHash(farm: Farm, paths: readonly string[]): string {
  // A formulation that a farm has not is no part of it.
  const present = [...paths].sort().filter((path) => farm.files[path] !== undefined);
  const files = present.map((path) => [path, farm.files[path]]);
  const part = [farm.split.name, farm.reference_time, farm.generator_version, files];
  return createHash('sha256').update(JSON.stringify(part)).digest('hex').slice(0, HEX_DIGITS);
}

/** Throws FARM_CHANGED unless these files of a farm are those that a process was set up for. */
export function requirePart(folder: string, farm: Farm, paths: readonly string[], expected: string): void {
  const found = partHash(farm, paths);
  if (found === expected) return;
  throw new UserError(
    'FARM_CHANGED',
    folder,
    `is another farm than the one this process was set up for (${found}, not ${expected}); start it by the farm's own docker-compose.yml or manifests`,
  );
}
