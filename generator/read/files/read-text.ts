import { readFileSync } from 'node:fs';
import { UserError } from '../../../contracts/errors.ts';
import { type Confines, requireOwnFile } from './own-file.ts';

/** A text file that must be UTF-8 (a byte order mark is dropped). UserError when it is not, or cannot be read. */
export function readText(file: string, confines: Confines): string {
  const bytes = readBytes(file, confines);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new UserError('SPLIT_INVALID', file, 'is not UTF-8 text; save it as UTF-8', { cause: error });
  }
}

/** A text file of unknown origin: UTF-8 if valid, else windows-1252, in which every byte is a character. */
export function readLegacyText(file: string, confines: Confines): string {
  const bytes = readBytes(file, confines);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

function readBytes(file: string, confines: Confines): Buffer {
  requireOwnFile(file, confines);
  try {
    return readFileSync(file);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UserError('SPLIT_INVALID', file, `cannot be read: ${reason}`, { cause: error });
  }
}
