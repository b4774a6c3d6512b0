import { readFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

interface Manifest {
  readonly name: string;
  readonly version: string;
}

/** The folder of rookery's own package.json, whether it runs from source or from dist/. */
export const packageRoot = findRoot(dirname(fileURLToPath(import.meta.url)));

/** rookery's version. */
export const packageVersion = readManifest(packageRoot)?.version ?? '0.0.0';

/**
 * How rookery is called here, for commands that are printed. It is in no registry yet: `npx` finds it only where the file
 * of `npm pack` has been installed.
 */
export const ROOKERY = packageRoot.includes(`${sep}node_modules${sep}`)
  ? 'npx rookery'
  : 'npm run rookery --';

/** Text that names commands as `rookery serve`, with each as it is called here. */
export function calledHere(text: string): string {
  return text.replaceAll('`rookery ', `\`${ROOKERY} `);
}

function findRoot(folder: string): string {
  if (readManifest(folder)?.name === 'rookery') return folder;
  const parent = dirname(folder);
  if (parent === folder) throw new Error('the package.json of rookery was not found');
  return findRoot(parent);
}

/** Read without zod, which would take most of the time of `rookery --version`. */
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
