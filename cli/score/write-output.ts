import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { UserError } from '../../contracts/errors.ts';

/** Writes a file, and its folder where it is missing. Throws OUTPUT_FAILED. */
export function writeOutput(file: string, text: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  } catch (cause) {
    throw new UserError(
      'OUTPUT_FAILED',
      file,
      `cannot be written (${(cause as NodeJS.ErrnoException).code})`,
      { cause },
    );
  }
}
