import { mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { UserError } from '../../contracts/errors.ts';

/**
 * Writes a file atomically, and creates its folder if missing: an existing file stays until all of the new text is on
 * the disk. Throws OUTPUT_FAILED.
 */
export function writeOutput(file: string, text: string): void {
  const partial = join(dirname(file), `.${basename(file)}.part-${process.pid}`);
  try {
    mkdirSync(dirname(file), { recursive: true });
    // A pipe or a device, such as /dev/stdout, is written to, not replaced.
    if (isSpecial(file)) return writeFileSync(file, text);
    writeFileSync(partial, text, { flush: true });
    renameSync(partial, file);
  } catch (cause) {
    rmSync(partial, { force: true });
    throw new UserError(
      'OUTPUT_FAILED',
      file,
      `cannot be written (${(cause as NodeJS.ErrnoException).code})`,
      { cause },
    );
  }
}

function isSpecial(file: string): boolean {
  const found = statSync(file, { throwIfNoEntry: false });
  return found !== undefined && !found.isFile() && !found.isDirectory();
}
