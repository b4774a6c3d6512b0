import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const sourceFile = /\.(sql|csv|txt|jsonl|ts)$/;

/**
 * A hash of what some domains are made from: their folders and the files beside these, generators among them. Tests
 * and built files do not count.
 */
export function hashSources(folder: string, domains: readonly string[]): string {
  return hashFiles(
    folder,
    listSources(folder).filter((file) => {
      const [first = '', ...below] = file.split('/');
      return below.length === 0 || domains.includes(first);
    }),
  );
}

/** A hash of the data of some domains: their folders, whatever builds them. */
export function hashData(folder: string, domains: readonly string[]): string {
  return hashFiles(
    folder,
    domains.flatMap((domain) => listSources(folder, domain)),
  );
}

function hashFiles(folder: string, files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of files) hash.update(`${file}\0`).update(readFileSync(join(folder, file)));
  return hash.digest('hex').slice(0, 16);
}

function listSources(folder: string, under = ''): string[] {
  const entries = readdirSync(join(folder, under), { withFileTypes: true });
  return entries
    .filter((entry) => !entry.name.startsWith('.') && !entry.name.endsWith('.test.ts'))
    .flatMap((entry) => {
      const path = under === '' ? entry.name : `${under}/${entry.name}`;
      if (entry.isDirectory()) return listSources(folder, path);
      return sourceFile.test(entry.name) ? [path] : [];
    })
    .sort();
}
