import { chmod, copyFile, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import { UserError } from '../../contracts/errors.ts';
import { printExactJson } from '../../contracts/exact-json.ts';

/** A `/`-separated path in an output folder, and its content or a finished file to move there. */
export type FarmFile =
  | { readonly path: string; readonly content: string | Buffer }
  | { readonly path: string; readonly moveFrom: string };

/** Writes or moves one file into a folder and syncs it; its path must stay inside. */
export async function writeFarmFile(folder: string, file: FarmFile): Promise<void> {
  const path = join(folder, requireInside(file.path));
  await mkdir(dirname(path), { recursive: true });
  if ('content' in file) {
    const handle = await open(path, 'wx', 0o644);
    try {
      await handle.writeFile(file.content);
      await handle.sync();
    } finally {
      await handle.close();
    }
  } else {
    await move(file.moveFrom, path);
    await chmod(path, 0o644); // the server may run as another user
    await sync(path);
  }
}

/** Syncs all folders with the given files, so that their names survive a power cut. */
export async function syncFolders(folder: string, paths: Iterable<string>): Promise<void> {
  const inner = new Set<string>();
  for (const path of paths) {
    for (let at = posix.dirname(path); at !== '.'; at = posix.dirname(at)) inner.add(at);
  }
  for (const one of inner) await sync(join(folder, one));
  await sync(folder);
}

/** Flushes a file or folder to disk. */
export async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function move(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EXDEV')) throw error;
    await copyFile(from, to); // it was built on another disk
    await rm(from);
  }
}

function requireInside(path: string): string {
  if (path !== posix.normalize(path) || posix.isAbsolute(path) || /^\.\.?(\/|$)|\/$|\\|\0/.test(path)) {
    throw new Error(`${JSON.stringify(path)} is not a path inside the output folder`);
  }
  return path;
}

/** Runs a step, turning file system errors into OUTPUT_FAILED. */
export async function outputStep<T>(out: string, step: () => T | Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    const code = errorCode(error);
    if (error instanceof UserError || !/^E[A-Z]/.test(code)) throw error;
    throw failed(out, error, code);
  }
}

/** Turns a full disk into OUTPUT_FAILED; returns any other error unchanged. */
export function toOutputError(out: string, error: unknown): unknown {
  const code = errorCode(error);
  return code in NO_SPACE ? failed(out, error, code) : error;
}

const NO_SPACE: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  SQLITE_FULL: 'the disk is full',
};

const REASONS: Readonly<Record<string, string>> = {
  ...NO_SPACE,
  EACCES: 'no permission to write there',
  EPERM: 'no permission to write there',
  EROFS: 'the file system is read-only',
  ENOTDIR: 'a part of its path is a file',
  EBUSY: 'the folder is a mount point or in use; give a folder inside it',
};

function failed(out: string, error: unknown, code: string): UserError {
  const message = error instanceof Error ? error.message : String(error);
  const reason = REASONS[code] ?? message;
  const fix = code in NO_SPACE ? 'free some space or give another --out; ' : '';
  return new UserError(
    'OUTPUT_FAILED',
    out,
    `${reason} (${code}); ${fix}what was there before is unchanged`,
    { cause: error },
  );
}

function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** JSON with keys in insertion order, indented unless compact. Throws for values that JSON would change (NaN, infinities). */
export function printJson(value: unknown, { compact = false } = {}): string {
  if (value === undefined) throw new TypeError('this value has no JSON form');
  return `${printExactJson(value, compact ? undefined : 2)}\n`;
}
