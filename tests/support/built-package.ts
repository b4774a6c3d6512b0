import { join } from 'node:path';
import { buildPackage } from '../../scripts/build/build-package.ts';
import { cached } from './cache.ts';

/** The folder of what ships, built once for all tests of the same sources. Read it, never change it. */
export function builtPackage(): Promise<string> {
  return cached('dist', (to) => buildPackage(to));
}

/** The `rookery` command as it ships: the arguments of Node that run it. */
export async function builtCommand(): Promise<string> {
  return join(await builtPackage(), 'cli', 'main.js');
}
