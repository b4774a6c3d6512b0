import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../../contracts/errors.ts';
import { readFarm } from '../../eval/farm/read-farm.ts';
import type { JudgingWorld } from '../../eval/worlds/judge-worlds.ts';
import { farmIn } from '../farm-in.ts';
import { openFarm } from './open-farm.ts';

/** Worlds at hand, to judge passes in. */
export interface JudgingWorlds {
  readonly worlds: readonly JudgingWorld[];
  close(): Promise<void>;
}

/**
 * Opens other states of a farm's data: its worlds, or of a world its siblings and the farm that it was made from. Throws
 * what `requireWorlds` throws, and FARM_INVALID.
 */
export async function openJudgingWorlds(farm: string, folders: readonly string[]): Promise<JudgingWorlds> {
  requireWorlds(farm, folders);
  const opened = await Promise.all(
    folders.map(async (folder) => ({ samples: readFarm(folder).byId, ...(await openFarm(folder)) })),
  );
  return {
    worlds: opened,
    close: async () => {
      await Promise.all(opened.map((world) => world.close()));
    },
  };
}

/**
 * Throws OPTION_INVALID for a folder that holds no other state of the farm's data, or one that was given before. Reads no
 * gold.
 */
export function requireWorlds(farm: string, folders: readonly string[]): void {
  if (folders.length === 0) return;
  const own = identityOf(farm);
  const seen = new Set([own.hash]);
  for (const folder of folders) {
    const { hash, origin } = identityOf(folder);
    if (origin !== own.origin) throw unfit(folder, `is no world of ${farm}`);
    if (seen.has(hash)) throw unfit(folder, 'is the farm itself, or given twice');
    seen.add(hash);
  }
}

/** sha256 of its `farm.json`, and of that of the farm that it all began with. */
function identityOf(folder: string): { readonly hash: string; readonly origin: string } {
  const file = join(folder, 'farm.json');
  const farm = farmIn(folder);
  if (!farm) throw unfit(folder, 'holds no farm of this version');
  const hash = createHash('sha256').update(readFileSync(file)).digest('hex');
  return { hash, origin: farm.world?.origin ?? hash };
}

function unfit(folder: string, fault: string): UserError {
  return new UserError(
    'OPTION_INVALID',
    folder,
    `${fault}; give worlds made by \`rookery generate --world\``,
  );
}
