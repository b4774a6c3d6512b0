import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import Database from 'better-sqlite3';
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

/**
 * Does this when no other process does it for the same path. SQLite locks `<path>.lock`, which stays: the system lets go
 * of the lock of a process that is killed, at once and for one successor.
 */
export async function oneAtATime<T>(path: string, work: () => Promise<T>): Promise<T> {
  mkdirSync(dirname(path), { recursive: true });
  const lock = new Database(`${path}.lock`, { timeout: 0 });
  try {
    while (!isTaken(lock)) await setTimeout(100);
    return await work();
  } finally {
    lock.close();
  }
}

function isTaken(lock: Database.Database): boolean {
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    if ((error as { code?: string }).code !== 'SQLITE_BUSY') throw error;
    return false;
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
