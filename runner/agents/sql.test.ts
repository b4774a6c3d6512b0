import { expect, test } from 'vitest';
import { findSql } from './sql.ts';

test.each<[string, string, string | null]>([
  ['a fenced block', 'Sure:\n```sql\nSELECT 1;\n```\nThere.', 'SELECT 1'],
  ['the first of two', '```sql\nSELECT 1\n```\n```sql\nSELECT 2\n```', 'SELECT 1'],
  ['text from SELECT to the semicolon', 'The query is SELECT a FROM t; it works.', 'SELECT a FROM t'],
  ['WITH', 'with x AS (SELECT 1) SELECT * FROM x', 'with x AS (SELECT 1) SELECT * FROM x'],
  ['a semicolon in a string', "SELECT ';' AS a; SELECT 2", "SELECT ';' AS a"],
  ['an open fence', '```\nSELECT 1', 'SELECT 1'],
  ['what follows thoughts', '<think>SELECT 9</think>SELECT 1', 'SELECT 1'],
  ['nothing', 'I cannot do that.', null],
])('finds %s', (_, text, sql) => {
  expect(findSql(text)).toBe(sql);
});
