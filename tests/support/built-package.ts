import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { buildPackage } from '../../scripts/build/build-package.ts';
import { cached } from './cache.ts';
import { temporaryFolder, writeDatabase, writeFiles } from './split-fixture.ts';

/** The folder of what ships, built once for all tests of the same sources. Read it, never change it. */
export function builtPackage(): Promise<string> {
  return cached('dist', (to) => buildPackage(to));
}

/** The `rookery` command as it ships: the arguments of Node that run it. */
export async function builtCommand(): Promise<string> {
  return join(await builtPackage(), 'cli', 'main.js');
}

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs the command line as it ships, and sends Ctrl-C once it has written `interruptAfter` to its error stream. */
export async function rookery(args: readonly string[], interruptAfter?: string): Promise<Ended> {
  const child = spawn(process.execPath, [await builtCommand(), ...args]);
  let out = '';
  let err = '';
  child.stdout.on('data', (text) => (out += text));
  child.stderr.on('data', (text) => {
    const before = err;
    err += text;
    if (interruptAfter && !before.includes(interruptAfter) && err.includes(interruptAfter))
      child.kill('SIGINT');
  });
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, out, err })));
}

/** The question of `shopSplit`. */
export const QUESTION = {
  question_id: 1,
  db_id: 'shop',
  question: 'How many?',
  sql: 'SELECT COUNT(*) FROM item',
};

/** A split of one question about a shop, with these files beside or instead. */
export function shopSplit(files: Readonly<Record<string, unknown>> = {}): string {
  const folder = temporaryFolder('split');
  writeFiles(folder, { 'questions.jsonl': `${JSON.stringify(QUESTION)}\n`, ...files });
  if (!('shop.sqlite' in files)) {
    writeDatabase(
      folder,
      'shop.sqlite',
      'CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO item VALUES (1, NULL)',
    );
  }
  return folder;
}
