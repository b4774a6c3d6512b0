import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../tests/support/split-fixture.ts';
import { writeOutput } from './files.ts';

const folder = scratchFolder();

test('creates the folder, and replaces an existing file', () => {
  const file = join(folder, 'new', 'report.json');
  writeOutput(file, 'one');
  writeOutput(file, 'two');
  expect(readFileSync(file, 'utf8')).toBe('two');
  expect(readdirSync(join(folder, 'new'))).toEqual(['report.json']);
});

test('leaves only the old file if the text does not fit', () => {
  const file = join(folder, 'report.json');
  writeFileSync(file, 'before');
  // A limit on the size of files breaks a write off in the middle, as a full disk does.
  const module = JSON.stringify(new URL('./files.ts', import.meta.url).href);
  const script = `import(${module}).then(({ writeOutput }) => writeOutput(${JSON.stringify(file)}, 'x'.repeat(4e6))).catch((e) => { console.log(e.code); })`;
  const command = `trap '' XFSZ; ulimit -f 1000; exec "$0" --import tsx -e "$1"`;
  const { stdout } = spawnSync('bash', ['-c', command, process.execPath, script], { encoding: 'utf8' });
  expect(stdout.trim()).toBe('OUTPUT_FAILED');
  expect(readFileSync(file, 'utf8')).toBe('before');
  expect(readdirSync(folder).filter((name) => name.includes('part'))).toEqual([]);
});

test('names the file that cannot be written', () => {
  mkdirSync(join(folder, 'taken'));
  expect(() => writeOutput(join(folder, 'taken'), 'x')).toThrow(
    expect.objectContaining({ code: 'OUTPUT_FAILED', file: join(folder, 'taken') }),
  );
});
