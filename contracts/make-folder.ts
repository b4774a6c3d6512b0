import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Makes a folder and those that it is in, where they are missing. Node.js's own `recursive` never comes back where the file
 * system has no folder and can make none, such as in /proc. Throws as `mkdirSync`.
 */
export function makeFolder(path: string): void {
  const place = resolve(path);
  try {
    mkdirSync(place);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const isThere = (at: string) => statSync(at, { throwIfNoEntry: false })?.isDirectory() ?? false;
    if (isThere(place)) return;
    if (code !== 'ENOENT' || isThere(dirname(place))) throw error;
    makeFolder(dirname(place));
    makeFolder(place);
  }
}
