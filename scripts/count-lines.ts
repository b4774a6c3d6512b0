/**
 * Lines of tests beside lines of source, of all TypeScript that git tracks:
 *
 *   npx tsx scripts/count-lines.ts
 *
 * Tests are `*.test.ts`, and whatever is in a folder called `testing`, `tests` or `cases`; goldens in `cases` count
 * whatever their type.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../contracts/package-root.ts';

interface Count {
  source: number;
  tests: number;
}

const counts = new Map<string, Count>();
for (const path of trackedFiles()) {
  const kind = isTest(path) ? 'tests' : path.endsWith('.ts') ? 'source' : null;
  if (!kind) continue;
  const lines = readFileSync(join(packageRoot, path), 'utf8').split('\n').length - 1;
  for (const folder of [roomOf(path), 'all']) {
    const count = counts.get(folder) ?? { source: 0, tests: 0 };
    count[kind] += lines;
    counts.set(folder, count);
  }
}
for (const [folder, { source, tests }] of [...counts].sort(
  ([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : 1),
)) {
  const ratio = source > 0 ? (tests / source).toFixed(2) : '-';
  console.log(
    `${folder.padEnd(24)}${String(source).padStart(8)}${String(tests).padStart(8)}${ratio.padStart(8)}`,
  );
}

function trackedFiles(): string[] {
  return execFileSync('git', ['ls-files'], { cwd: packageRoot, encoding: 'utf8' }).trimEnd().split('\n');
}

function isTest(path: string): boolean {
  const folders = path.split('/').slice(0, -1);
  if (folders.includes('cases')) return true;
  return (
    path.endsWith('.ts') &&
    (path.endsWith('.test.ts') || folders.includes('testing') || folders.includes('tests'))
  );
}

/** The first two folders of a path. */
function roomOf(path: string): string {
  return path.split('/').slice(0, -1).slice(0, 2).join('/') || '.';
}

/** The sum comes last. */
function rank(folder: string): number {
  return folder === 'all' ? 1 : 0;
}
