import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { packageRoot } from '../../contracts/package-root.ts';

export type PublishedName = 'bird-dev' | 'spider-dev';

/** Where published splits lie, a folder each; they are not part of the repository. */
export const SPLITS = resolve(packageRoot, process.env.ROOKERY_SPLITS ?? '../shared/data');

/** Whether the split is on this machine. */
export function hasPublished(name: PublishedName): boolean {
  return existsSync(publishedSplit(name));
}

/** The name of a test that is skipped without the split, in which case it names what to set. */
export function withPublished(name: PublishedName, test: string): string {
  return hasPublished(name) ? test : `${test} (set ROOKERY_SPLITS to the folder that holds ${name})`;
}

/** The split's folder, whether it is there or not. */
export function publishedSplit(name: PublishedName): string {
  return join(SPLITS, name);
}
