import { realpathSync, statSync } from 'node:fs';
import { sep } from 'node:path';
import { UserError } from '../../../contracts/errors.ts';

/**
 * The real path of the folder that must contain every file of a split, once links are followed. Otherwise a split from
 * someone else could point at any file of this machine. Null where links may point anywhere.
 */
export type Confines = string | null;

/**
 * Refuses files that a split may not contain: links that point outside its folder, and anything but regular files,
 * since reading a pipe or a device may never end. UserError SPLIT_LINK_REFUSED, SPLIT_INVALID.
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
