import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { parseQuery, printQuery } from '../../../sql/index.ts';
import { readCatalog } from '../../read/catalog/read-catalog.ts';
import { withoutRowIds } from './without-row-ids.ts';

const db = new Database(':memory:');
db.exec(`CREATE TABLE a (id INTEGER PRIMARY KEY, x TEXT); CREATE TABLE b (id INT PRIMARY KEY, x TEXT);
  CREATE TABLE c (rowid TEXT, x TEXT);`);
const catalog = readCatalog('x', db);
const context = { catalog, referenceTime: '2024-01-01 00:00:00' };
const all = new Set(['a', 'b', 'c']);

test.each([
  ['SELECT x FROM a ORDER BY rowid', all, 'ORDER BY "T1"."id"'],
  [
    'SELECT x FROM a WHERE EXISTS (SELECT 1 FROM a AS o WHERE o.rowid > a.rowid)',
    all,
    '"T2"."id" > "T1"."id"',
  ],
  // The key of b is not its row id, and nothing else says it.
  ['SELECT x FROM b ORDER BY rowid', all, null],
  ['SELECT x FROM b ORDER BY rowid', new Set(['a']), 'ORDER BY "T1"."rowid"'],
  ['SELECT x FROM c ORDER BY rowid', all, 'ORDER BY "T1"."rowid"'],
  ['SELECT x FROM b ORDER BY x', all, 'ORDER BY "T1"."x"'],
] as const)('%s', (sql, hidden, expected) => {
  const told = withoutRowIds(parseQuery(sql, context), catalog, hidden);
  if (expected === null) expect(told).toBeNull();
  else expect(told && printQuery(told)).toContain(expected);
});
