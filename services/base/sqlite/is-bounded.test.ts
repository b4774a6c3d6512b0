import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeZoo, temporaryFolder } from '../../testing/zoo.ts';
import { betterSqlite3 } from './better-sqlite3.ts';
import type { Connection } from './driver.ts';
import { isBounded } from './is-bounded.ts';

const PARAMETERS = { id: 1n, o: 'cats', ids: '[1]', many: 3n, list: '[1,2]' };
const folder = temporaryFolder();
let connection: Connection;
beforeAll(() => {
  makeZoo(`${folder.path}/zoo.sqlite`);
  connection = betterSqlite3.open(`${folder.path}/zoo.sqlite`);
});
afterAll(() => {
  connection.close();
  folder.remove();
});

describe('a statement is known to have few rows', () => {
  test.each([
    'SELECT name FROM animal WHERE id = :id',
    'SELECT count(*) FROM animal',
    'SELECT max(weight), avg(id) FROM animal WHERE "order" = :o',
    'SELECT 1',
    'SELECT name FROM animal ORDER BY weight DESC LIMIT 3',
    'SELECT a.name, b.name FROM animal AS a JOIN animal AS b ON b.id = a.weight WHERE a.id = 1',
  ])('%s', (sql) => {
    expect(isBounded(connection, sql, PARAMETERS)).toBe(true);
  });
});

describe('a statement may have many rows', () => {
  test.each([
    'SELECT name FROM animal',
    'SELECT name FROM animal WHERE weight > 1',
    'SELECT name FROM animal WHERE id IN (1, 2)',
    'SELECT name FROM animal WHERE id IN (SELECT value FROM json_each(:ids))',
    'SELECT "order", count(*) FROM animal GROUP BY "order"',
    'SELECT name FROM animal ORDER BY weight',
    'SELECT DISTINCT "order" FROM animal',
    'SELECT name FROM animal WHERE id = 1 UNION ALL SELECT name FROM animal',
    'SELECT name FROM animal WHERE id = 1 OR weight = 2',
    'SELECT name FROM animal LIMIT 100000',
    "SELECT name FROM animal WHERE name <> ' LIMIT 1'",
    'SELECT b.name FROM (SELECT id FROM animal LIMIT 2) AS a, animal AS b',
    'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :many) SELECT i FROM n',
    'SELECT value FROM json_each(:list)',
  ])('%s', (sql) => {
    expect(isBounded(connection, sql, PARAMETERS)).toBe(false);
  });
});
