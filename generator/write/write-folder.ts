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
import { rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import { UserError } from '../../contracts/errors.ts';
import { FARM_FORMAT_VERSION, farm } from '../../contracts/farm.ts';
import { makeFolder } from '../../contracts/make-folder.ts';
import {
  type FarmFile,
  type FarmFiles,
  outputStep,
  sync,
  syncFolders,
  toOutputError,
  writeFarmFile,
} from './write-file.ts';

interface WriteOptions {
  /** Whether an existing, non-empty folder may be replaced. */
  readonly isOurs: (folder: string) => boolean;
  /** The name of such a folder in messages. */
  readonly what?: string;
  readonly signal?: AbortSignal;
}

/** Hidden beside its target (`.<name>.partial-<pid>`) until complete. */
interface OutputFolder {
  /** For files that are built aside and then moved. */
  readonly scratch: string;
  /** Awaits one step, rejecting with INTERRUPTED as soon as the signal aborts. */
  during<T>(step: Promise<T>): Promise<T>;
  /** Writes and syncs the files, then replaces the old folder with them. */
  write(files: FarmFiles): Promise<void>;
  /** Removes temporary folders; must always be called at the end. */
  close(): void;
}

/** Until `write` is done, `out` is unchanged. UserErrors: OUTPUT_NOT_A_FARM, OUTPUT_FAILED, INTERRUPTED. */
export async function openOutputFolder(
  out: string,
  { isOurs, what = 'a farm', signal }: WriteOptions,
): Promise<OutputFolder> {
  throwIfAborted(signal, out);
  const target = await outputStep(out, () => prepareTarget(out, isOurs, what));
  const partial = await outputStep(out, () => openPartialFolder(target));
  const guarded = async <T>(step: Promise<T>): Promise<T> => {
    try {
      return await step;
    } catch (error) {
      throw toOutputError(out, error);
    }
  };
  const write = async (files: FarmFiles) => {
    const written = new Set<string>();
    for await (const file of untilAborted(files, signal, out)) {
      if (written.has(file.path)) throw new Error(`${file.path} is written twice`);
      written.add(file.path);
      await outputStep(out, () => writeFarmFile(partial.files, file));
    }
    await outputStep(out, () => syncFolders(partial.files, written));
    throwIfAborted(signal, out);
    await outputStep(out, () => swapIn(partial.files, target));
  };
  return {
    scratch: partial.scratch,
    during: (step) => guarded(unlessAborted(step, signal, out)),
    write: (files) => guarded(write(files)),
    close: () => partial.remove(),
  };
}

/** Writes a folder atomically; `produce` may build files in its scratch folder. */
export async function writeFolder(
  out: string,
  produce: (scratch: string) => FarmFiles,
  options: WriteOptions,
): Promise<void> {
  const folder = await openOutputFolder(out, options);
  try {
    await folder.write(produce(folder.scratch));
  } finally {
    folder.close();
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
    throw new UserError(
      'OUTPUT_FAILED',
      out,
      'is a mount point and cannot be replaced; give a folder inside it',
    );
  }
  if (readdirSync(target).length > 0 && !isOurs(target)) {
    const fix = 'give an empty or a new folder, or remove it yourself';
    throw new UserError('OUTPUT_NOT_A_FARM', out, `holds files but is not ${what}; ${fix}`);
  }
  return target;
}

interface PartialFolder {
  /** Becomes the output folder when complete. */
  readonly files: string;
  /** For files that are built aside and then moved. */
  readonly scratch: string;
  remove(): void;
}

/** Makes the folder on the same disk as the target, so that it can be renamed. */
function openPartialFolder(target: string): PartialFolder {
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

/** Present in a `farm.json` of any format. */
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

/** Yields files until the signal aborts, even while waiting for the next one; then throws INTERRUPTED. */
export async function* untilAborted(
  files: FarmFiles,
  signal: AbortSignal | undefined,
  out: string,
): AsyncGenerator<FarmFile> {
  const source = Symbol.asyncIterator in files ? files[Symbol.asyncIterator]() : files[Symbol.iterator]();
  const abort = abortOf(signal, out);
  let waiting = false;
  try {
    for (;;) {
      throwIfAborted(signal, out);
      waiting = true;
      const next = Promise.resolve(source.next());
      next.catch(() => {}); // after an abort its failure no longer matters
      const { done, value } = await Promise.race([next, abort.promise]);
      waiting = false;
      if (done) return;
      yield value;
    }
  } finally {
    abort.forget();
    const stopped = Promise.resolve(source.return?.()).catch(() => {});
    // A producer suspended at a yield cleans up now; a running one gets a moment to notice.
    await (waiting ? Promise.race([stopped, setTimeout(PATIENCE_MS, undefined, { ref: false })]) : stopped);
  }
}

/** The result of a step, or INTERRUPTED after a moment for the step to stop by itself. */
export async function unlessAborted<T>(
  step: Promise<T>,
  signal: AbortSignal | undefined,
  out: string,
): Promise<T> {
  const abort = abortOf(signal, out);
  const stopped = step.then(
    () => {},
    () => {},
  );
  try {
    throwIfAborted(signal, out);
    return await Promise.race([step, abort.promise]);
  } catch (error) {
    throwIfAborted(signal, out); // the step may have noticed first
    throw error;
  } finally {
    abort.forget();
    await Promise.race([stopped, setTimeout(PATIENCE_MS, undefined, { ref: false })]);
  }
}

/** Throws UserError INTERRUPTED if the signal has aborted. */
export function throwIfAborted(signal: AbortSignal | undefined, out: string): void {
  if (signal?.aborted) throw interrupted(out);
}

function interrupted(out: string): UserError {
  return new UserError('INTERRUPTED', out, 'writing was stopped; what was there before is unchanged');
}

function abortOf(signal: AbortSignal | undefined, out: string) {
  let onAbort = () => {};
  const promise = new Promise<never>((_, reject) => {
    onAbort = () => reject(interrupted(out));
  });
  promise.catch(() => {}); // nothing may be awaiting it
  signal?.addEventListener('abort', onAbort, { once: true });
  return { promise, forget: () => signal?.removeEventListener('abort', onAbort) };
}
