import { isUtf8 } from 'node:buffer';
import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, join, sep } from 'node:path';
import { parse } from 'yaml';
import type { z } from 'zod';
import { UserError } from '../../contracts/errors.ts';
import { faultIn } from '../../contracts/wording.ts';

export function filesIn(folder: string): string[] {
  return namesIn(folder, 'file').map((name) => join(folder, name));
}

export function foldersIn(folder: string): string[] {
  return namesIn(folder, 'folder');
}

/** Folders that hold databases; those that share the questions file's first word come first. */
export function databaseFolders(folder: string, questionsFile?: string): string[] {
  const names = foldersIn(folder).filter((name) => /(^|_)databases?$/.test(name));
  return questionsFile === undefined ? names : relatedFirst(names, questionsFile);
}

export function relatedFirst(names: readonly string[], questionsFile: string): string[] {
  const word = firstWord(questionsFile);
  return [...names.filter((name) => firstWord(name) === word), ...names.filter((n) => firstWord(n) !== word)];
}

/** `dev` of `dev_databases`, `dev.json`, `dev_tables.json`. */
function firstWord(file: string): string {
  return basename(file).split(/[._]/, 1)[0] ?? '';
}

const ENDINGS = ['sqlite', 'db', 'sqlite3', 'db3'];

export function isDatabaseName(file: string): boolean {
  return ENDINGS.some((ending) => file.toLowerCase().endsWith(`.${ending}`));
}

/** Possible paths of a database in a folder, exact ones first, then other cases, then the only database. */
export function spellings(folder: string, inside: string, db: string): string[] {
  const names = ENDINGS.map((ending) => `${db}.${ending}`);
  const alike = new Set(names.map((name) => name.toLowerCase()));
  const roots = [join(folder, inside), ...(inside === '.' ? [] : [join(folder, inside, inside)])];
  return roots.flatMap((root) => {
    const exact = names.flatMap((name) => [join(root, db, name), join(root, name)]);
    if (!isFolder(root)) return exact;
    const own = foldersIn(root)
      .filter((name) => name.toLowerCase() === db.toLowerCase())
      .map((name) => join(root, name))
      .filter(isFolder);
    const others = [...own, root].flatMap(filesIn).filter((file) => alike.has(basename(file).toLowerCase()));
    const only = own
      .map((place) => filesIn(place).filter(isDatabaseName))
      .filter(({ length }) => length === 1);
    return [...exact, ...others, ...only.flat()];
  });
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function namesIn(folder: string, kind: 'file' | 'folder'): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => (kind === 'file' ? !entry.isDirectory() : !entry.isFile()))
    .map((entry) => entry.name)
    .filter((name) => !name.startsWith('.') && !name.startsWith('__'))
    .sort();
}

/** Finds a name: exactly, else ignoring case and outer space, else by letters and digits; null if ambiguous. */
export function matchName(names: readonly string[], written: string): string | null {
  for (const key of [(name: string) => name, folded, lettersAndDigits]) {
    const wanted = key(written);
    const found = names.filter((name) => key(name) === wanted);
    if (found.length === 1 && wanted !== '') return found[0] ?? null;
    if (found.length > 1) return null;
  }
  return null;
}

function folded(name: string): string {
  return name.trim().toLowerCase();
}

function lettersAndDigits(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

/** The real folder that must contain all files of a split, or null where links may lead anywhere. */
export type Confines = string | null;

/** Refuses links out of the folder and anything but regular files (reading a pipe may never end). */
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

export function parseYaml<T>(file: string, text: string, schema: z.ZodType<T>): T {
  let value: unknown;
  try {
    value = parse(text);
  } catch (error) {
    throw new UserError('SPLIT_INVALID', file, `is not YAML: ${(error as Error).message.split('\n')[0]}`);
  }
  const result = schema.safeParse(value);
  if (!result.success) throw new UserError('SPLIT_INVALID', file, faultIn(result.error));
  return result.data;
}

/** Parses JSON. Throws a UserError with line and column, counted from `firstLine`. */
export function parseJson(file: string, text: string, firstLine = 1): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const at = /at position (\d+)/.exec(message)?.[1];
    const before = text.slice(0, at === undefined ? text.length : Number(at));
    const line = firstLine + before.split('\n').length - 1;
    const column = before.length - before.lastIndexOf('\n');
    const reason = message.replace(/ in JSON at position \d+.*$/s, '').replace(/,? *\.{3}".*$/s, '');
    const fault = `is not valid JSON at line ${line}, column ${column}: ${reason}`;
    throw new UserError('SPLIT_INVALID', file, fault, { cause: error });
  }
}

/** Reads UTF-8 or UTF-16 text, without the byte order mark. UserError for anything else. */
export function readText(file: string, confines: Confines): string {
  const bytes = readBytes(file, confines);
  try {
    return new TextDecoder(utf16Of(bytes) ?? 'utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new UserError('SPLIT_INVALID', file, 'is not UTF-8 text; save it as UTF-8', { cause: error });
  }
}

/** Reads UTF-16, else UTF-8 if valid, else windows-1252, in which every byte is a character. */
export function readLegacyText(file: string, confines: Confines): string {
  const bytes = readBytes(file, confines);
  const utf16 = utf16Of(bytes);
  if (utf16) return new TextDecoder(utf16).decode(bytes);
  return isUtf8(bytes) ? new TextDecoder().decode(bytes) : decodeWindows1252(bytes);
}

/** Detects UTF-16 by the byte order mark, or by a zero byte beside the first letter. */
function utf16Of([first, second]: Buffer): 'utf-16le' | 'utf-16be' | null {
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return 'utf-16le';
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0)) return 'utf-16be';
  return null;
}

/** 0x80 to 0x9f, which Node.js 20's TextDecoder decodes as control characters. */
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
