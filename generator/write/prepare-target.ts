import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { UserError } from '../../contracts/errors.ts';
import { recoverLeftovers, targetOf } from './leftovers.ts';

/**
 * The real path of an output folder that may be written: it does not exist (its parent is made), is empty, or is one of
 * ours. Leftovers of writers that died are removed first.
 */
export function prepareTarget(out: string, isOurs: (folder: string) => boolean, what: string): string {
  mkdirSync(dirname(resolve(out)), { recursive: true });
  const target = targetOf(out);
  recoverLeftovers(target);

  const stat = statSync(target, { throwIfNoEntry: false });
  if (stat === undefined) return target;
  if (!stat.isDirectory()) {
    throw new UserError('OUTPUT_NOT_A_FARM', out, 'is a file; give the path of a folder');
  }
  if (stat.dev !== statSync(dirname(target)).dev) {
    throw new UserError(
      'OUTPUT_FAILED',
      out,
      'is a mount point and cannot be replaced; give a folder inside it',
    );
  }
  if (readdirSync(target).length > 0 && !isOurs(target)) {
    const fix = 'give an empty or a new folder, or remove it yourself';
    throw new UserError('OUTPUT_NOT_A_FARM', out, `holds files but is not ${what}; ${fix}`);
  }
  return target;
}
