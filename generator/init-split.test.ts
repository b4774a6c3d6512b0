import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, expect, test } from 'vitest';
import { temporaryFolder } from '../services/testing/zoo.ts';
import { initSplit } from './init-split.ts';
import { readSplit } from './read/read-split.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

test('what is written is a split, whose every question has rows for an answer', async () => {
  const to = join(folder.path, 'my-split');
  const { questions } = await initSplit(to);
  const split = await readSplit(to);
  expect(split.questions).toHaveLength(questions);
  expect(split.data_licence).toBe('CC0-1.0');
  const db = new Database(join(to, 'library.sqlite'), { readonly: true });
  for (const { sql } of split.questions) expect(db.prepare(sql).all().length, sql).toBeGreaterThan(0);
  db.close();
});

test('a folder that holds something is left as it is', async () => {
  const to = join(folder.path, 'full');
  await initSplit(to);
  writeFileSync(join(to, 'mine.txt'), '');
  const before = readdirSync(to);
  await expect(initSplit(to)).rejects.toThrow('holds files but is not an empty folder');
  expect(readdirSync(to)).toEqual(before);
});
