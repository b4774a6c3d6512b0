import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeZoo, RUNAWAY, temporaryFolder } from '../../testing/zoo.ts';
import { betterSqlite3 } from './better-sqlite3.ts';
import type { Connection } from './driver.ts';
import { runJsonQuery } from './json-query.ts';
import { jsonSql } from './json-sql.ts';
import { rowsAsJson } from './rows-as-json.ts';

const folder = temporaryFolder();
const file = join(folder.path, 'zoo.sqlite');
const caps = { maxRows: 100, maxBytes: 1e6 };
let zoo: Connection;

beforeAll(() => {
  makeZoo(file);
  zoo = betterSqlite3.open(file);
});
afterAll(() => {
  zoo.close();
  folder.remove();
});

const run = (sql: string, keys: string[], more = {}, parameters = {}) =>
  rowsAsJson(zoo.prepare(jsonSql(sql, keys)), parameters, { ...caps, ...more });

test('every kind of value has one text', () => {
  const values = [
    ['1', '1'],
    ['1.0', '1.0'],
    ['0.1 + 0.2', '0.30000000000000004'],
    ['9223372036854775807', '9223372036854775807'],
    ['-9223372036854775808', '-9223372036854775808'],
    ['9e999', 'null'],
    ['-9e999', 'null'],
    ['NULL', 'null'],
    ["x'00ff'", '"00FF"'],
    ["x''", '""'],
    [`'a"b\\c'`, '"a\\"b\\\\c"'],
    ["'a' || char(0, 9, 10) || 'b'", '"a\\u0000\\t\\nb"'],
    ["CAST(x'63e9' AS TEXT)", '"c\uFFFD"'],
    // Text that happens to be JSON stays text.
    ["json('[1]')", '"[1]"'],
    ["json_object('a', 1)", '"{\\"a\\":1}"'],
  ] as const;
  for (const [expression, text] of values) {
    expect(run(`SELECT ${expression}`, ['v']).text, expression).toBe(`{"v":${text}}`);
  }
});

test('keys are by position, whatever the columns are called', () => {
  const keys = ['Name', 'name', `it's "quoted"`, 'order'];
  const { text } = run('SELECT id, -id, "Percent (%) fed [K-12]", "order" FROM animal WHERE id = 1', keys);
  expect(JSON.parse(text)).toEqual({ Name: 1, name: -1, [`it's "quoted"`]: 0.5, order: 'cats' });
});

test('more columns than a function takes arguments', () => {
  const keys = Array.from({ length: 1203 }, (_, at) => `k${at}`);
  const { text } = run(`SELECT ${keys.map((_, at) => at).join(', ')}`, keys);
  expect(JSON.parse(text)).toEqual(Object.fromEntries(keys.map((key, at) => [key, at])));
});

test('order, comments, WITH and set operations survive', () => {
  expect(run('SELECT id FROM animal ORDER BY id DESC LIMIT 2 -- the last', ['id']).text).toBe(
    '{"id":5},{"id":4}',
  );
  expect(
    run('WITH a AS (SELECT 1 AS x) SELECT x FROM a UNION ALL SELECT 2 ORDER BY 1 DESC', ['x']).text,
  ).toBe('{"x":2},{"x":1}');
});

test('rows beyond the cap are left out and reported; exactly the cap is not truncated', () => {
  const sql = 'SELECT id FROM animal ORDER BY id';
  expect(run(sql, ['id'], { maxRows: 2 })).toEqual({ text: '{"id":1},{"id":2}', count: 2, truncated: true });
  expect(run(sql, ['id'], { maxRows: 5 })).toMatchObject({ count: 5, truncated: false });
  expect(run(sql, ['id'], { maxRows: 2, offset: 4 })).toEqual({
    text: '{"id":5}',
    count: 1,
    truncated: false,
  });
  expect(run(sql, ['id'], { maxRows: 0 })).toEqual({ text: '', count: 0, truncated: true });
});

test('bytes are counted in UTF-8', () => {
  const row = '{"name":"Zoë 🐘"}';
  const bytes = Buffer.byteLength(row) + 1;
  const sql = 'SELECT name FROM animal WHERE id = 4';
  expect(run(sql, ['name'], { maxBytes: bytes })).toEqual({ text: row, count: 1, truncated: false });
  expect(run(sql, ['name'], { maxBytes: bytes - 1 })).toEqual({ text: '', count: 0, truncated: true });
});

test('a statement that gives rows slowly is left when its budget is spent', () => {
  const endless = RUNAWAY.replace('count(*)', 'i');
  const began = performance.now();
  expect(() => run(endless, ['i'], { maxRows: 1e9, maxBytes: 1e12, budgetMs: 30 })).toThrow(
    'not done after 30 ms',
  );
  expect(performance.now() - began).toBeLessThan(60_000);
});

test('what depends on the values is a QueryFailedError; a broken statement is not', () => {
  const query = { parameters: { n: -(2n ** 63n) }, caps, keep: true };
  expect(() => runJsonQuery(zoo, { ...query, sql: jsonSql('SELECT abs(:n)', ['v']) })).toThrow(
    expect.objectContaining({ name: 'QueryFailedError' }),
  );
  expect(() => runJsonQuery(zoo, { ...query, sql: jsonSql('SELECT nothing', ['v']) })).toThrow(
    expect.objectContaining({ name: 'SqliteError' }),
  );
});
