import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { UserError } from '../../contracts/errors.ts';

/** Writes a file so that it is there whole or, after a crash, as it was before. Throws OUTPUT_FAILED. */
export function writeWhole(path: string, text: string): void {
  const temporary = `${path}.${process.pid}.new`;
  try {
    mkdirSync(dirname(path), { recursive: true });
    const file = openSync(temporary, 'w');
    try {
      writeSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
  } catch (cause) {
    rmSync(temporary, { force: true });
    const code = cause instanceof Error && 'code' in cause ? cause.code : cause;
    throw new UserError('OUTPUT_FAILED', path, `cannot be written (${code})`, { cause });
  }
}
