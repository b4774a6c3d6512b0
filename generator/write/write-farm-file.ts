import { chmod, copyFile, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import type { FarmFile } from './farm-file.ts';

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
    await chmod(path, 0o644); // whoever serves it may be another user
    await sync(path);
  }
}

/** Syncs the folder and all those in it that hold the given files, so that their names survive a power cut. */
export async function syncFolders(folder: string, paths: Iterable<string>): Promise<void> {
  const inner = new Set<string>();
  for (const path of paths) {
    for (let at = posix.dirname(path); at !== '.'; at = posix.dirname(at)) inner.add(at);
  }
  for (const one of inner) await sync(join(folder, one));
  await sync(folder);
}

/** Waits until a file or folder is on the disk. */
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
