import { rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../../services/testing/zoo.ts';
import { Oracle } from './oracle.ts';

const folder = temporaryFolder();
const oracle = new Oracle({ referenceTime: '2025-01-01 00:00:00' });
const small = join(folder.path, 'small.sqlite');
const large = join(folder.path, 'large.sqlite');

beforeAll(() => {
  for (const [file, bytes] of [
    [small, 1],
    [large, 65 * 1024 * 1024],
  ] as const) {
    const db = new Database(file);
    db.exec(`CREATE TABLE scan (id INTEGER PRIMARY KEY, image BLOB);
      INSERT INTO scan VALUES (1, zeroblob(${bytes}));
      CREATE TABLE tag (id INTEGER PRIMARY KEY, scan_id INTEGER NOT NULL REFERENCES scan ON DELETE CASCADE,
        word TEXT NOT NULL, at TEXT DEFAULT CURRENT_TIMESTAMP);
      INSERT INTO tag VALUES (1, 1, 'old', '2020'), (2, 1, 'new', '2021')`);
    db.close();
  }
});

afterAll(async () => {
  await oracle.close();
  rmSync(folder.path, { recursive: true, force: true });
});

const STATEMENTS = [
  "UPDATE tag SET word = 'red' WHERE id = 2",
  "INSERT INTO tag (scan_id, word) VALUES (1, 'blue')",
  'DELETE FROM scan; SELECT count(*) FROM tag',
  "INSERT INTO tag (scan_id, word) VALUES (7, 'blue')",
];

test('a database too large for memory is changed and compared as a small one is', async () => {
  for (const sql of STATEMENTS) {
    const [changed, expected] = [await oracle.writes(large, sql), await oracle.writes(small, sql)];
    const rows = ({ changes }: typeof changed) => changes.filter(({ table }) => table === 'tag');
    expect({ ...changed, changes: rows(changed) }).toEqual({ ...expected, changes: rows(expected) });
    expect(changed.changes.length > 0 || changed.refused !== null).toBe(true);
  }
  expect((await oracle.writes(large, STATEMENTS[1] as string)).changes[0]?.after).toMatchObject({
    at: '2025-01-01 00:00:00',
  });
});

test('no copy is made of one beyond the limit', async () => {
  truncateSync(large, 1024 * 1024 * 1024 + 1);
  await expect(oracle.writes(large, STATEMENTS[0] as string)).rejects.toMatchObject({
    code: 'SQL_TOO_LARGE',
  });
});
