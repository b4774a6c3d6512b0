import { join } from 'node:path';
import { filesIn, foldersIn } from '../read/files/folder.ts';
import type { Layout } from '../read/layouts/layout.ts';

/** How many folders publishers put around a split: `spider/spider_data/…`. */
const DEEPEST = 3;

/** The outermost folder that looks like a split of a layout, its databases unpacked or not; null if none does. */
export function findSplitFolder(folder: string, layout: Layout): string | null {
  let level = [folder];
  for (let depth = 0; depth <= DEEPEST; depth++) {
    const found = level.find((one) => layout.recognises(one) || holdsPackedDatabases(one));
    if (found !== undefined) return found;
    level = level.flatMap((one) => foldersIn(one).map((name) => join(one, name)));
  }
  return null;
}

function holdsPackedDatabases(folder: string): boolean {
  return filesIn(folder).some((file) => /databases?\.zip$/i.test(file));
}
