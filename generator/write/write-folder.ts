import { randomUUID } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { chmod, copyFile, mkdir, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, posix, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import { UserError } from '../../contracts/errors.ts';
import { printExactJson } from '../../contracts/exact-json.ts';
import { FARM_FORMAT_VERSION, type Farm, farm } from '../../contracts/farm.ts';
import { makeFolder } from '../../contracts/make-folder.ts';

interface WriteOptions {
  /** Whether an existing, non-empty folder may be replaced. */
  readonly isOurs: (folder: string) => boolean;
  /** The name of such a folder in messages. */
  readonly what?: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Writes a folder whole or not at all: until all files that `produce` returns are written and synced, `out` is unchanged.
 * Files may be built aside, in the scratch folder that `produce` is given. Returns what it returns. UserErrors:
 * OUTPUT_NOT_A_FARM, OUTPUT_FAILED, INTERRUPTED.
 */
export async function writeFolder<Made extends { readonly files: Iterable<FarmFile> }>(
  out: string,
  { isOurs, what = 'a farm', signal }: WriteOptions,
  produce: (scratch: string) => Made | Promise<Made>,
): Promise<Made> {
  throwIfAborted(signal, out);
  const target = await outputStep(out, () => prepareTarget(out, isOurs, what));
  const partial = await outputStep(out, () => openPartialFolder(target));
  try {
    const made = await unlessAborted(produce, partial.scratch, signal, out);
    const written = new Set<string>();
    for (const file of made.files) {
      throwIfAborted(signal, out);
      if (written.has(file.path)) throw new Error(`${file.path} is written twice`);
      written.add(file.path);
      await outputStep(out, () => writeFarmFile(partial.files, file));
    }
    await outputStep(out, () => syncFolders(partial.files, written));
    throwIfAborted(signal, out);
    await outputStep(out, () => swapIn(partial.files, target));
    return made;
  } catch (error) {
    throw toOutputError(out, error);
  } finally {
    partial.remove();
  }
}

/** The real path of a new, empty or replaceable folder, after removing leftovers of dead writers. */
export function prepareTarget(out: string, isOurs: (folder: string) => boolean, what: string): string {
  try {
    makeFolder(dirname(resolve(out)));
  } catch (cause) {
    const fault = `no folder can be made there (${(cause as NodeJS.ErrnoException).code}); give another`;
    throw new UserError('OUTPUT_FAILED', out, fault, { cause });
  }
  const target = targetOf(out);
  recoverLeftovers(target);

  const stat = statSync(target, { throwIfNoEntry: false });
  if (stat === undefined) return target;
  if (!stat.isDirectory()) {
    throw new UserError('OUTPUT_NOT_A_FARM', out, 'is a file; give the path of a folder');
  }
  if (stat.dev !== statSync(dirname(target)).dev) {
    const fault = 'is a mount point and cannot be replaced; give a folder inside it';
    throw new UserError('OUTPUT_FAILED', out, fault);
  }
  if (readdirSync(target).length > 0 && !isOurs(target)) {
    const fix = 'give an empty or a new folder, or remove it yourself';
    throw new UserError('OUTPUT_NOT_A_FARM', out, `holds files but is not ${what}; ${fix}`);
  }
  return target;
}

/**
 * A folder beside the target, on the same disk, so that it can be renamed: hidden (`.<name>.partial-<pid>`) until `files`
 * is complete.
 */
function openPartialFolder(target: string) {
  const folder = asidePath(target, 'partial');
  const [files, scratch] = [join(folder, 'files'), join(folder, 'scratch')];
  mkdirSync(folder); // fails when this process already writes to the same place
  mkdirSync(files);
  mkdirSync(scratch);
  return {
    files,
    scratch,
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** Replaces the target. If the process dies between the two renames, the next writer restores the old folder. */
async function swapIn(complete: string, target: string): Promise<void> {
  if (!existsSync(target) || readdirSync(target).length === 0) {
    renameSync(complete, target);
    await sync(dirname(target));
    return;
  }
  const aside = asidePath(target, 'old');
  renameSync(target, aside);
  try {
    renameSync(complete, target);
  } catch (error) {
    renameSync(aside, target);
    throw error;
  }
  await sync(dirname(target));
  rmSync(aside, { recursive: true, force: true, maxRetries: 5 });
}

/** Writes each file atomically; others stay. Throws OUTPUT_FAILED. */
export async function replaceFiles(folder: string, files: Iterable<FarmFile>): Promise<void> {
  for (const file of files) {
    const aside = `${file.path}.${randomUUID()}`;
    try {
      await writeFarmFile(folder, { ...file, path: aside });
      await rename(join(folder, aside), join(folder, file.path));
    } catch (error) {
      await rm(join(folder, aside), { force: true });
      throw toOutputError(join(folder, file.path), error);
    }
  }
}

/** Where a writer keeps unfinished files and, briefly, the folder it replaces. */
function asidePath(target: string, what: 'partial' | 'old', pid = process.pid): string {
  return join(dirname(target), `.${basename(target)}.${what}-${pid}`);
}

/** The real path of an output folder, so that a link stays a link. */
export function targetOf(out: string): string {
  const path = resolve(out);
  return existsSync(path) ? realpathSync(path) : path;
}

/** Restores a folder left renamed, and removes other files of dead processes. */
export function recoverLeftovers(target: string): void {
  for (const { what, pid } of leftovers(target)) {
    if (pid !== process.pid && isAlive(pid)) continue;
    const path = asidePath(target, what, pid);
    if (what === 'old' && !existsSync(target)) renameSync(path, target);
    else rmSync(path, { recursive: true, force: true, maxRetries: 5 });
  }
}

function leftovers(target: string): { what: 'partial' | 'old'; pid: number }[] {
  const prefix = `.${basename(target)}.`;
  const folder = dirname(target);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.startsWith(prefix))
    .flatMap((name) => {
      const [, what, pid] = /^(partial|old)-(\d+)$/.exec(name.slice(prefix.length)) ?? [];
      return what === 'partial' || what === 'old' ? [{ what, pid: Number(pid) } as const] : [];
    });
}

/** Whether a folder has a `farm.json`, of this or an earlier format. */
export function isFarm(folder: string): boolean {
  try {
    return marks.safeParse(JSON.parse(readFileSync(join(folder, 'farm.json'), 'utf8'))).success;
  } catch {
    return false;
  }
}

const marks = farm
  .pick({ name: true, generator_version: true })
  .extend({ format_version: z.number().int().min(1).max(FARM_FORMAT_VERSION) });

/** Whether a process is running, ours or another user's. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Time for an interrupted producer to stop before its folders are removed. */
const PATIENCE_MS = 2_000;

/** What a producer returns, or INTERRUPTED after a moment for it to stop by itself. */
async function unlessAborted<Made>(
  produce: (scratch: string) => Made | Promise<Made>,
  scratch: string,
  signal: AbortSignal | undefined,
  out: string,
): Promise<Made> {
  const step = (async () => produce(scratch))();
  const stopped = Promise.allSettled([step]);
  let onAbort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(interrupted(out));
  });
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    throwIfAborted(signal, out);
    return await Promise.race([step, aborted]);
  } catch (error) {
    throwIfAborted(signal, out); // the producer may have noticed first
    throw error;
  } finally {
    signal?.removeEventListener('abort', onAbort);
    await Promise.race([stopped, setTimeout(PATIENCE_MS, undefined, { ref: false })]);
  }
}

function throwIfAborted(signal: AbortSignal | undefined, out: string): void {
  if (signal?.aborted) throw interrupted(out);
}

function interrupted(out: string): UserError {
  return new UserError('INTERRUPTED', out, 'writing was stopped; what was there before is unchanged');
}

export interface Progress<Stage extends string> {
  readonly stage: Stage;
  readonly done: number;
  readonly total: number;
  readonly label: string;
}

/** What all that write a farm take. */
export interface FarmOptions<Stage extends string = never> {
  /** An existing farm is replaced. */
  readonly out: string;
  /** Files beside those of the farm, such as Compose files; not listed in its farm.json. */
  readonly extraFiles?: ((farm: Farm) => readonly FarmFile[]) | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress<Stage>) => void) | undefined;
}

/** A `/`-separated path in an output folder, and its content or a finished file to move there. */
export type FarmFile =
  | { readonly path: string; readonly content: string | Buffer }
  | { readonly path: string; readonly moveFrom: string };

/** Writes or moves one file into a folder and syncs it; its path must stay inside. */
async function writeFarmFile(folder: string, file: FarmFile): Promise<void> {
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
async function syncFolders(folder: string, paths: Iterable<string>): Promise<void> {
  const inner = new Set<string>();
  for (const path of paths) {
    for (let at = posix.dirname(path); at !== '.'; at = posix.dirname(at)) inner.add(at);
  }
  for (const one of inner) await sync(join(folder, one));
  await sync(folder);
}

async function sync(path: string): Promise<void> {
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
function toOutputError(out: string, error: unknown): unknown {
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
  const fault = `${reason} (${code}); ${fix}what was there before is unchanged`;
  return new UserError('OUTPUT_FAILED', out, fault, { cause: error });
}

function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** JSON with keys in insertion order, indented unless compact. Throws for values that JSON would change (NaN, infinities). */
export function printJson(value: unknown, { compact = false } = {}): string {
  if (value === undefined) throw new TypeError('this value has no JSON form');
  return `${printExactJson(value, compact ? undefined : 2)}\n`;
}
