import { readFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

interface Manifest {
  readonly name: string;
  readonly version: string;
}

/** The folder of rookery's package.json, whether running from source or dist/. */
export const packageRoot = findRoot(dirname(fileURLToPath(import.meta.url)));

export const packageVersion = readManifest(packageRoot)?.version ?? '0.0.0';

/** The prefix for calling rookery in printed commands; `npx` works only where the packed file is installed. */
export const ROOKERY = packageRoot.includes(`${sep}node_modules${sep}`)
  ? 'npx rookery'
  : 'npm run rookery --';

/** Rewrites `rookery serve` and other commands in a text to the form that works here. */
export function calledHere(text: string): string {
  return text.replaceAll('`rookery ', `\`${ROOKERY} `);
}

function findRoot(folder: string): string {
  if (readManifest(folder)?.name === 'rookery') return folder;
  const parent = dirname(folder);
  if (parent === folder) throw new Error('the package.json of rookery was not found');
  return findRoot(parent);
}

/** Without zod, whose import would dominate the time of `rookery --version`. */
function readManifest(folder: string): Manifest | null {
  try {
    const { name, version }: Record<string, unknown> = JSON.parse(
      readFileSync(join(folder, 'package.json'), 'utf8'),
    );
    return typeof name === 'string' && typeof version === 'string' ? { name, version } : null;
  } catch {
    return null;
  }
}
