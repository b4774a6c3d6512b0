import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import Database from 'better-sqlite3';
import { UserError } from '../../contracts/errors.ts';
import { copyWritable } from '../oracle/engines.ts';
import { isAlive } from '../write/write-folder.ts';

/** A path to read without writing beside it: the file, or a private copy if it has a WAL or journal. */
export function readablePath(file: string): string {
  const leftovers = ['-wal', '-journal'].map((suffix) => file + suffix).filter(isFilled);
  if (leftovers.length === 0 && !isInWalMode(file)) return file;

  const folder = privateFolder();
  const copy = join(folder, basename(file));
  for (const source of [file, ...leftovers]) {
    copyWritable(source, join(folder, basename(source)));
  }
  const connection = new Database(copy);
  try {
    connection.pragma('journal_mode = DELETE');
  } finally {
    connection.close();
  }
  return copy;
}

/** Opens a file that nothing writes to. UserError when it is not a database. */
export function openReadonly(file: string): Database.Database {
  try {
    return new Database(file, { readonly: true, fileMustExist: true });
  } catch (error) {
    throw aboutFile(file, error);
  }
}

/** What `read` makes of a file that nothing writes to, which is open meanwhile. UserError when it is not a database. */
export function withReadonly<T>(file: string, read: (connection: Database.Database) => T): T {
  const connection = openReadonly(file);
  try {
    return read(connection);
  } finally {
    connection.close();
  }
}

/** Turns SQLite's errors about the file into a UserError. */
export async function asUserError<T>(file: string, read: () => T | Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw aboutFile(file, error);
  }
}

function aboutFile(file: string, error: unknown): unknown {
  if (!(error instanceof Database.SqliteError)) return error;
  if (startOf(file).startsWith('version https://git-lfs')) {
    const instead = 'is not the database but a pointer of Git LFS to it; get the file with `git lfs pull`';
    return new UserError('DATABASE_CORRUPT', file, instead, { cause: error });
  }
  const fix = 'get the file again, or repair it with the .recover command of the sqlite3 program';
  return new UserError('DATABASE_CORRUPT', file, `${error.message} (${error.code}); ${fix}`, {
    cause: error,
  });
}

/** Removed when the process exits, or by a later process if it was killed. */
export function privateFolder(): string {
  if (privateFolders.length === 0) {
    removeAbandoned();
    process.once('exit', () => {
      for (const folder of privateFolders) rmSync(folder, { recursive: true, force: true });
    });
  }
  const folder = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`));
  privateFolders.push(folder);
  return folder;
}

const PREFIX = 'rookery-database-';
const privateFolders: string[] = [];

function removeAbandoned(): void {
  for (const name of readdirSync(tmpdir()).filter((one) => one.startsWith(PREFIX))) {
    const pid = Number(/^\d+(?=-)/.exec(name.slice(PREFIX.length))?.[0]);
    if (!(pid > 0) || isAlive(pid)) continue;
    try {
      rmSync(join(tmpdir(), name), { recursive: true, force: true });
    } catch {
      // It belongs to another user.
    }
  }
}

function isFilled(file: string): boolean {
  return existsSync(file) && statSync(file).size > 0;
}

/** Throws UserError DATABASE_CORRUPT for a truncated file, whose missing pages SQLite silently reads as zeros. */
export function requireWhole(file: string, original: string): void {
  const header = Buffer.from(startOf(file), 'latin1');
  // The page count is valid only if written together with the change counter.
  if (!isDatabase(header) || header.readUInt32BE(24) !== header.readUInt32BE(92)) return;
  const size = header.readUInt16BE(16);
  const expected = header.readUInt32BE(28) * (size === 1 ? 65_536 : size);
  const there = statSync(file).size;
  if (there >= expected) return;
  const cut = `is cut off: ${there} of ${expected} bytes are there; get the file again`;
  throw new UserError('DATABASE_CORRUPT', original, cut);
}

/** Bytes 18 and 19 of the header are 2 in WAL mode. */
function isInWalMode(file: string): boolean {
  const header = Buffer.from(startOf(file), 'latin1');
  return isDatabase(header) && header[18] === 2;
}

function isDatabase(header: Buffer): boolean {
  return header.length === HEADER_BYTES && header.toString('latin1', 0, 15) === 'SQLite format 3';
}

const HEADER_BYTES = 100;

function startOf(file: string): string {
  const header = Buffer.alloc(HEADER_BYTES);
  const handle = openSync(file, 'r');
  try {
    return header.toString('latin1', 0, readSync(handle, header, 0, header.length, 0));
  } finally {
    closeSync(handle);
  }
}
