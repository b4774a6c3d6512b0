import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

const manifest = z.object({ name: z.string(), version: z.string() });

/** The folder of rookery's own package.json, whether it runs from source or from dist/. */
export const packageRoot = findRoot(dirname(fileURLToPath(import.meta.url)));

/** rookery's version. */
export const packageVersion = readManifest(packageRoot)?.version ?? '0.0.0';

function findRoot(folder: string): string {
  if (readManifest(folder)?.name === 'rookery') return folder;
  const parent = dirname(folder);
  if (parent === folder) throw new Error('the package.json of rookery was not found');
  return findRoot(parent);
}

function readManifest(folder: string): z.infer<typeof manifest> | null {
  try {
    return manifest.parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')));
  } catch {
    return null;
  }
}
