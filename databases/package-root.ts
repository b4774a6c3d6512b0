import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder of the rookery package that holds the bundled split's sources, found from a file inside it. */
export function findPackageRoot(from: string): string {
  for (let folder = dirname(from); ; folder = dirname(folder)) {
    if (isPackageRoot(folder)) return folder;
    if (folder === dirname(folder)) throw new Error(`no rookery package above ${from}`);
  }
}

/** The compiler copies package.json into `dist`, so the name alone is not enough. */
function isPackageRoot(folder: string): boolean {
  const file = join(folder, 'package.json');
  if (!existsSync(file) || !existsSync(join(folder, 'databases', 'questions.jsonl'))) return false;
  const { name }: { name?: unknown } = JSON.parse(readFileSync(file, 'utf8'));
  return name === 'rookery';
}
