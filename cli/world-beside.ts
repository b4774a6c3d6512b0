import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { UserError } from '../contracts/errors.ts';
import { packageVersion } from '../contracts/package-root.ts';
import { commitmentOf } from '../generator/worlds/read-origin.ts';
import { loadFarm } from '../services/index.ts';
import { supervise } from './supervise.ts';
import { CommandFailed, EXIT } from './terminal.ts';

/**
 * The folder of a farm's world, `<farm>-world-<start of the commitment>` beside the farm: reused if it
 * belongs to this farm and version, else made now. Throws CommandFailed if that fails.
 */
export async function worldBeside(farm: string, seed: string): Promise<string> {
  const folder = resolve(farm);
  const out = join(dirname(folder), `${basename(folder)}-world-${commitmentOf(seed).slice(0, 12)}`);
  if (await isWorldOf(out, folder, seed)) return out;
  const exitCode = await supervise(['generate', folder, `--world=${seed}`, `--out=${out}`], { quiet: true });
  if (exitCode !== EXIT.ok) throw new CommandFailed(exitCode);
  return out;
}

async function isWorldOf(out: string, farm: string, seed: string): Promise<boolean> {
  try {
    const { farm: made } = await loadFarm(out);
    const origin = createHash('sha256')
      .update(readFileSync(join(farm, 'farm.json')))
      .digest('hex');
    return (
      made.world?.commitment === commitmentOf(seed) &&
      made.world.origin === origin &&
      made.generator_version === packageVersion
    );
  } catch (error) {
    // There is no valid farm.
    if (error instanceof UserError) return false;
    throw error;
  }
}
