import { access, chmod, constants, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { packageRoot } from '../contracts/package-root.ts';
import { hashSources } from './content-hash.ts';
import { stampFile, writeSplit } from './write-split.ts';

/**
 * Builds the bundled split unless it is there already, and returns its folder: questions.jsonl, one
 * `<db>.sqlite` a domain, and descriptions. Any number of processes may call this at the same time.
 */
export async function buildBundledSplit(options: { to?: string } = {}): Promise<string> {
  const sources = join(packageRoot, 'databases');
  const hash = hashSources(sources);
  const target = resolve(options.to ?? join(sources, '.built'));
  if (await isBuilt(target, hash)) return target;
  if (options.to === undefined && !(await isAccessible(sources, constants.W_OK))) {
    return buildInto(join(tmpdir(), `rookery-bundled-${hash}`), sources, hash);
  }
  return buildInto(target, sources, hash);
}

async function buildInto(target: string, sources: string, hash: string): Promise<string> {
  if (await isBuilt(target, hash)) return target;
  await mkdir(dirname(target), { recursive: true });
  const aside = await mkdtemp(`${target}.new-`);
  try {
    await chmod(aside, 0o755); // mkdtemp keeps other users out; a server may well be another user
    writeSplit(sources, aside, hash);
    await putInPlace(aside, target, hash);
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
  return target;
}

/** A folder cannot be renamed over a full one: the outdated one is moved away first. */
async function putInPlace(built: string, target: string, hash: string): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      await rename(built, target);
      return;
    } catch (error) {
      if (await isBuilt(target, hash)) return; // another process was quicker, with the same bytes
      if (attempt === 5 || !hasCode(error, 'ENOTEMPTY', 'EEXIST', 'EPERM')) throw error;
    }
    await moveAway(target);
  }
}

async function moveAway(target: string): Promise<void> {
  if ((await readStamp(target)) === undefined && (await exists(target))) {
    throw new Error(`${target}: not empty, and not a bundled split; it is left as it is`);
  }
  const outdated = await mkdtemp(join(dirname(target), '.built-old-'));
  try {
    await rename(target, join(outdated, 'split'));
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error; // another process has just moved it
  } finally {
    await rm(outdated, { recursive: true, force: true });
  }
}

async function isBuilt(folder: string, hash: string): Promise<boolean> {
  return (await readStamp(folder)) === hash;
}

async function readStamp(folder: string): Promise<string | undefined> {
  try {
    return (await readFile(join(folder, stampFile), 'utf8')).trim();
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw error;
  }
}

function exists(path: string): Promise<boolean> {
  return isAccessible(path, constants.F_OK);
}

function isAccessible(path: string, mode: number): Promise<boolean> {
  return access(path, mode).then(
    () => true,
    () => false,
  );
}

function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}
