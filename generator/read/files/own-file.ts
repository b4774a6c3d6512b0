import { realpathSync, statSync } from 'node:fs';
import { sep } from 'node:path';
import { UserError } from '../../../contracts/errors.ts';

/**
 * The real path of the folder that every file of a split must lie in, once links are followed: a split that somebody
 * else made could otherwise point at any file of this machine. Null where links may lead anywhere.
 */
export type Confines = string | null;

/**
 * Refuses what a split may not hold: a file that a link leads out of the split's folder for, and what is no regular
 * file, since reading a pipe or a device may never end. UserError SPLIT_LINK_REFUSED, SPLIT_INVALID.
 */
export function requireOwnFile(file: string, confines: Confines): void {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (stat === undefined) throw new UserError('SPLIT_INVALID', file, 'does not exist');
  if (!stat.isFile()) throw new UserError('SPLIT_INVALID', file, 'is not a regular file; put a file there');
  if (confines === null) return;
  const real = realpathSync(file);
  const inside = confines.endsWith(sep) ? confines : confines + sep;
  if (real.startsWith(inside)) return;
  const fix = 'put a copy there, or allow links out of it with --follow-links';
  throw new UserError('SPLIT_LINK_REFUSED', file, `is a link out of the split's folder, to ${real}; ${fix}`);
}
