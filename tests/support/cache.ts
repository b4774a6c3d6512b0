import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { packageRoot } from '../../contracts/package-root.ts';

/**
 * What takes long to make and is the same for every test is kept in `.tmp/tests/<key>`, where the key stands for all
 * of the source: it is made once, by whichever test wants it first, and never changed.
 */
const CACHE = join(packageRoot, '.tmp', 'tests');

/** What farms and bundles are made from. */
const SOURCES = [
  'adapters',
  'cli',
  'client',
  'contracts',
  'databases',
  'deploy',
  'eval',
  'generator',
  'runner',
  'scripts',
  'services',
  'sql',
];

/** Of older sources, so many are kept: one goes back and forth between two branches. */
const KEPT = 2;

/**
 * The folder of that name, which `make` writes (to the path that it is given) unless it is there. Any number of
 * processes may ask at once; one makes it and the others wait. Throws what `make` throws.
 */
export async function cached(name: string, make: (to: string) => Promise<unknown>): Promise<string> {
  const folder = join(CACHE, cacheKey(), name);
  if (existsSync(folder)) return folder;
  return oneAtATime(folder, async () => {
    if (existsSync(folder)) return folder;
    try {
      await make(`${folder}.new-${process.pid}`);
      renameSync(`${folder}.new-${process.pid}`, folder);
      return folder;
    } finally {
      rmSync(`${folder}.new-${process.pid}`, { recursive: true, force: true });
    }
  });
}

/** Does this when no other process does it for the same path, `<path>.lock` being the sign that one does. */
export async function oneAtATime<T>(path: string, work: () => Promise<T>): Promise<T> {
  while (!takeLock(path)) await setTimeout(100);
  try {
    return await work();
  } finally {
    rmSync(`${path}.lock`, { force: true });
  }
}

/** Removes what was made from older sources. */
export function tidyCache(): void {
  if (!existsSync(CACHE)) return;
  const others = readdirSync(CACHE)
    .filter((key) => key !== cacheKey())
    .map((key) => join(CACHE, key))
    .sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  for (const folder of others.slice(KEPT)) rmSync(folder, { recursive: true, force: true });
}

/** Stands for every source file, the lockfile and the runtime. Set once a run, for all its processes. */
function cacheKey(): string {
  process.env.ROOKERY_TEST_KEY ??= hashSources();
  return process.env.ROOKERY_TEST_KEY;
}

function hashSources(): string {
  const hash = createHash('sha256').update(process.version);
  for (const file of ['package.json', 'package-lock.json'])
    hash.update(readFileSync(join(packageRoot, file)));
  for (const folder of SOURCES.filter((each) => existsSync(join(packageRoot, each)))) {
    const files = readdirSync(join(packageRoot, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/\.built|\.test\.ts$/.test(join(entry.parentPath, entry.name)))
      .map((entry) => join(entry.parentPath, entry.name));
    for (const file of files.sort()) hash.update(file).update(readFileSync(file));
  }
  return hash.digest('hex').slice(0, 16);
}

/** Whether this process may make the folder now. A lock whose process is gone is taken over. */
function takeLock(folder: string): boolean {
  const lock = `${folder}.lock`;
  mkdirSync(join(folder, '..'), { recursive: true });
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch {
    if (!isRunning(ownerOf(lock))) rmSync(lock, { force: true });
    return false;
  }
}

/** null while it is being written, or when it is gone by now. */
function ownerOf(lock: string): number | null {
  try {
    return Number(readFileSync(lock, 'utf8')) || null;
  } catch {
    return null;
  }
}

function isRunning(pid: number | null): boolean {
  if (pid === null) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
