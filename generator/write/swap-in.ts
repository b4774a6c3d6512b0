import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { asidePath } from './leftovers.ts';
import { sync } from './write-farm-file.ts';

/**
 * Puts a complete folder in the place of the target, which may exist. Should the process die between the two
 * renames, the next writer brings the old folder back.
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
