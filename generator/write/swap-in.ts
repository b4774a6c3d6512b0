import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { asidePath } from './leftovers.ts';
import { sync } from './write-farm-file.ts';

/**
 * Moves a complete folder to the target, replacing it if it exists. If the process dies between the two renames, the
 * next writer restores the old folder.
 */
export async function swapIn(complete: string, target: string): Promise<void> {
  if (!existsSync(target) || readdirSync(target).length === 0) {
    renameSync(complete, target);
    await sync(dirname(target));
    return;
  }
  const aside = asidePath(target, 'old');
  renameSync(target, aside);
  try {
    renameSync(complete, target);
  } catch (error) {
    renameSync(aside, target);
    throw error;
  }
  await sync(dirname(target));
  rmSync(aside, { recursive: true, force: true, maxRetries: 5 });
}
