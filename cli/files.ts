import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { z } from 'zod';
import { OptionError, UserError } from '../contracts/errors.ts';
import { type Farm, farm as farmSchema } from '../contracts/farm.ts';
import { makeFolder } from '../contracts/make-folder.ts';

/** The farm.json in a folder; null if there is none that this version can read. */
export function farmIn(folder: string): Farm | null {
  try {
    return farmSchema.parse(JSON.parse(readFileSync(join(folder, 'farm.json'), 'utf8')));
  } catch {
    return null;
  }
}

/** Writes a file atomically, creating its folder if missing. Throws OUTPUT_FAILED. */
export function writeOutput(file: string, text: string): void {
  const partial = join(dirname(file), `.${basename(file)}.part-${process.pid}`);
  try {
    makeFolder(dirname(file));
    // Write to a pipe or device, such as /dev/stdout, instead of replacing it.
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

/** Reads `--prices`. Throws OPTION_INVALID. */
export function readPrices<T>(file: string, prices: z.ZodType<T>): T {
  try {
    return prices.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (cause) {
    const fix = 'give {"<model>": {"input_per_million": 1, "output_per_million": 2}}';
    throw new OptionError(file, `is not a price table; ${fix}`, { cause });
  }
}
