import { readFileSync } from 'node:fs';
import { UserError } from '../../../contracts/errors.ts';
import { type Confines, requireOwnFile } from './own-file.ts';

/** A text file that must be UTF-8, or UTF-16 (a byte order mark is dropped). UserError when it is not, or cannot be read. */
export function readText(file: string, confines: Confines): string {
  const bytes = readBytes(file, confines);
  try {
    return new TextDecoder(utf16Of(bytes) ?? 'utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new UserError('SPLIT_INVALID', file, 'is not UTF-8 text; save it as UTF-8', { cause: error });
  }
}

/**
 * A text file of unknown origin: UTF-16 as Windows programs write it, UTF-8 if valid, else windows-1252, in which every
 * byte is a character.
 */
export function readLegacyText(file: string, confines: Confines): string {
  const bytes = readBytes(file, confines);
  const utf16 = utf16Of(bytes);
  if (utf16) return new TextDecoder(utf16).decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return decodeWindows1252(bytes);
  }
}

/** UTF-16 has a byte order mark, or a zero byte beside the first letter, which no other text has. */
function utf16Of([first, second]: Buffer): 'utf-16le' | 'utf-16be' | null {
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return 'utf-16le';
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0)) return 'utf-16be';
  return null;
}

/** The characters of the bytes 0x80 to 0x9f, which the TextDecoder of Node.js 20 takes for control characters. */
const WINDOWS_1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

function decodeWindows1252(bytes: Buffer): string {
  return bytes
    .toString('latin1')
    .replace(/[\x80-\x9f]/g, (byte) => WINDOWS_1252.charAt(byte.charCodeAt(0) - 0x80));
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
