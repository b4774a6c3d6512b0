import { readdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** A regular file under a folder: its `/`-separated path there, and its bytes. */
export interface WalkedFile {
  readonly path: string;
  readonly bytes: number;
}

/** The files under a folder, sorted; links are followed, but no cycles, hidden files are left out. */
export function walkFiles(folder: string): WalkedFile[] {
  return walk(folder, '', []);
}

function walk(folder: string, prefix: string, above: readonly string[]): WalkedFile[] {
  const real = realpathSync(folder);
  if (above.includes(real)) return [];
  return readdirSync(folder)
    .filter((name) => !name.startsWith('.') && name !== '__MACOSX')
    .sort()
    .flatMap((name) => {
      const stat = statSync(join(folder, name), { throwIfNoEntry: false });
      if (stat?.isDirectory()) return walk(join(folder, name), `${prefix}${name}/`, [...above, real]);
      return stat?.isFile() ? [{ path: prefix + name, bytes: stat.size }] : [];
    });
}
