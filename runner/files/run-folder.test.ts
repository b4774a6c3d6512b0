import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../tests/support/split-fixture.ts';
import { AppendLog } from './run-folder.ts';

const folder = scratchFolder();

test('every line is in the file when its append is done, in the order of the appends', async () => {
  const file = join(folder, 'a.jsonl');
  const log = await AppendLog.open(file);
  const appends = Array.from({ length: 100 }, (_, i) => log.append(`line ${i}`));
  await appends[40];
  expect(readFileSync(file, 'utf8').split('\n')).toContain('line 40');
  await Promise.all(appends);
  await log.close();
  expect(readFileSync(file, 'utf8')).toBe(Array.from({ length: 100 }, (_, i) => `line ${i}\n`).join(''));
});

test('a partial last line is removed when the file is reopened', async () => {
  const file = join(folder, 'b.jsonl');
  const log = await AppendLog.open(file);
  await log.append('whole');
  await log.close();
  appendFileSync(file, '{"sample_id": "hal');
  const again = await AppendLog.open(file);
  await again.append('next');
  await again.close();
  expect(readFileSync(file, 'utf8')).toBe('whole\nnext\n');
});
