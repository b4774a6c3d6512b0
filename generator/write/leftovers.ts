import { existsSync, readdirSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { isAlive } from './is-alive.ts';

/** Where a writer keeps unfinished files and, briefly, the folder it replaces. */
export function asidePath(target: string, what: 'partial' | 'old', pid = process.pid): string {
  return join(dirname(target), `.${basename(target)}.${what}-${pid}`);
}

/** The folder that is replaced when `out` is written: a link stays a link. */
export function targetOf(out: string): string {
  const asked = resolve(out);
  return existsSync(asked) ? realpathSync(asked) : asked;
}

/**
 * Cleans up after writers that were killed: a folder that was renamed and never replaced is restored, their other files
 * are removed. Files of running processes stay.
 */
export function recoverLeftovers(target: string): void {
  for (const { what, pid } of leftovers(target)) {
    if (pid !== process.pid && isAlive(pid)) continue;
    const path = asidePath(target, what, pid);
    if (what === 'old' && !existsSync(target)) renameSync(path, target);
    else rmSync(path, { recursive: true, force: true, maxRetries: 5 });
  }
}

function leftovers(target: string): { what: 'partial' | 'old'; pid: number }[] {
  const prefix = `.${basename(target)}.`;
  const folder = dirname(target);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.startsWith(prefix))
    .flatMap((name) => {
      const [, what, pid] = /^(partial|old)-(\d+)$/.exec(name.slice(prefix.length)) ?? [];
      return what === 'partial' || what === 'old' ? [{ what, pid: Number(pid) } as const] : [];
    });
}
