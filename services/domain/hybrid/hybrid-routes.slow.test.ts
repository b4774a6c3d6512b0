import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Service } from '../../../contracts/service.ts';
import { readCatalog } from '../../../generator/read/catalog.ts';
import { buildApp } from '../../index.ts';
import { temporaryFolder } from '../../testing/zoo.ts';
import { hiddenTables } from './hybrid-tools.ts';

/** A value that no statement may reveal at the share below. */
const SECRET = 'the-secret-of-the-hidden-table';

const ROWS = `
  CREATE TABLE shop (id INTEGER PRIMARY KEY, name TEXT, "order" INTEGER);
  INSERT INTO shop VALUES (1, 'Anker', 3), (2, 'Birke', 1), (3, 'Eck', 2);
  CREATE TABLE sale (shop_id INTEGER, amount REAL);
  INSERT INTO sale SELECT 1 + value % 3, value / 4.0 FROM generate_series(1, 250);
  CREATE TABLE "Odd ""Pay] \`x" (code TEXT, pin TEXT);
  INSERT INTO "Odd ""Pay] \`x" VALUES ('a', '${SECRET}');
  CREATE TABLE salary (person TEXT, amount TEXT);
  INSERT INTO salary VALUES ('Ada', '${SECRET}');
  CREATE INDEX salary_by_person ON salary (person, amount);
  CREATE VIEW shops AS SELECT name FROM shop;
  CREATE VIEW paid AS SELECT * FROM [SALARY];
  CREATE VIEW paid_twice AS SELECT * FROM paid UNION ALL SELECT * FROM "paid";
  CREATE VIEW odd AS SELECT * FROM "odd ""pay] \`X";`;

const VIEWS = ['shops', 'paid', 'paid_twice', 'odd'];

const folder = temporaryFolder();
const database = join(folder.path, 'shops.sqlite');
let service: Service;
let app: FastifyInstance;
/** Seed with which share 50 hides the two tables that hold the secret. */
let seed = 0;
beforeAll(async () => {
  const db = new Database(':memory:');
  // better-sqlite3 lacks generate_series, so rows are counted.
  db.exec(
    ROWS.replace(
      'FROM generate_series(1, 250)',
      'FROM (WITH RECURSIVE c(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM c WHERE value < 250) SELECT value FROM c)',
    ),
  );
  writeFileSync(database, db.serialize());
  const catalog = readCatalog('shops', db);
  db.close();
  service = {
    format_version: 1,
    split: 'test',
    db: 'shops',
    title: 'Shops',
    reference_time: '2024-01-01 00:00:00',
    endpoints: [],
    start_tables: [],
    catalog,
  };
  const wanted = ['Odd "Pay] `x', 'salary'].sort().join();
  const hidden = () => hiddenTables(catalog, { share: 50, seed }).filter((name) => !VIEWS.includes(name));
  while (hidden().sort().join() !== wanted) seed++;
  app = await buildApp({ domains: [{ service, database }], logger: false, limits: { timeoutMs: 1500 } });
});
afterAll(async () => {
  await app.close();
  folder.remove();
});

async function execute(sql: unknown, more: object = {}, share = `50-${seed}`) {
  const url = `/v1/test/shops/hybrid/${share}/execute_sql`;
  const answer = await app.inject({ method: 'POST', url, payload: { sql, ...more } });
  return { status: answer.statusCode, body: answer.json(), text: answer.body };
}

describe('visible tables', () => {
  test.each([
    ['SELECT name FROM shop ORDER BY "order"', [['Birke'], ['Eck'], ['Anker']]],
    [
      'SELECT S.NAME, count(*) FROM Shop s JOIN sale ON shop_id = s.id GROUP BY 1 ORDER BY 1 LIMIT 1',
      [['Anker', 83]],
    ],
    [
      'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4) SELECT sum(i) FROM n',
      [[10]],
    ],
    ["SELECT name FROM shops WHERE name LIKE 'e%'", [['Eck']]],
    ['SELECT 9007199254740993 AS big', [['9007199254740993']]],
    ["SELECT date('now')", [['2024-01-01']]],
    // A common table expression may shadow the name of a hidden table.
    ['WITH salary AS (SELECT 1 AS amount) SELECT amount FROM salary', [[1]]],
  ])('%s', async (sql, rows) => {
    const { status, body, text } = await execute(sql);
    expect(status, text).toBe(200);
    const got = body.data.map((row: object) => Object.values(row));
    if (sql.includes('9007199254740993')) expect(text).toContain('9007199254740993');
    else expect(got).toEqual(rows);
    expect(body.columns).toEqual(Object.keys(body.data[0]));
  });

  test('each page links to the next', async () => {
    const first = await execute('SELECT amount FROM sale ORDER BY amount');
    expect(first.body).toMatchObject({ row_count: 100, next_offset: 100, truncated: true });
    const last = await execute('SELECT amount FROM sale ORDER BY amount', { offset: 200, limit: 1000 });
    expect(last.body).toMatchObject({ row_count: 50, next_offset: null, truncated: false });
  });

  test('at share 0 every table is visible, at 100 none', async () => {
    expect((await execute('SELECT person FROM salary', {}, '0')).status).toBe(200);
    expect((await execute('SELECT name FROM shop', {}, '100')).body.detail).toBe('no table is called shop');
    expect((await execute('SELECT name FROM shops', {}, '100')).status).toBe(400);
    expect((await execute('SELECT 1 AS one', {}, '100')).body.data).toEqual([{ one: 1 }]);
  });
});

test('views that read a hidden table are hidden too, others are not', async () => {
  const call = async (tool: string, payload: object) => {
    const answer = await app.inject({
      method: 'POST',
      url: `/v1/test/shops/hybrid/50-${seed}/${tool}`,
      payload,
    });
    return { status: answer.statusCode, body: answer.json() };
  };
  const read = 'SELECT count(*) AS n FROM paid_twice JOIN shops ON shops.name > paid_twice.person';
  expect((await call('run_sql', { sql: read })).body.data).toEqual([{ n: 6 }]);
  expect((await call('get_paid', { person: 'Ada' })).body.row_count).toBe(1);
  expect((await call('get_odd', {})).body.row_count).toBe(1);
  expect((await call('get_shops', {})).status).toBe(404);
});

/** Every known way to read hidden data. */
const ATTACKS: readonly string[] = [
  'SELECT * FROM salary',
  'SELECT * FROM SALARY',
  'SELECT * FROM "salary"',
  'SELECT * FROM [salary]',
  'SELECT * FROM `Salary`',
  "SELECT * FROM 'salary'",
  'SELECT * FROM main.salary',
  'SELECT * FROM "main"."salary"',
  'SELECT * FROM temp.salary',
  'SELECT * FROM "Odd ""Pay] `x"',
  'SELECT * FROM `odd "pay] ``x`',
  // Views that read it, directly or through another view.
  'SELECT * FROM paid',
  'SELECT * FROM PAID_TWICE',
  'SELECT * FROM odd',
  // Common table expressions that shadow it or read it.
  'WITH x AS (SELECT * FROM salary) SELECT * FROM x',
  'WITH salary AS (SELECT * FROM salary) SELECT * FROM salary',
  'WITH RECURSIVE salary AS (SELECT * FROM salary) SELECT * FROM salary',
  'WITH salary(a, b) AS (SELECT * FROM main.salary) SELECT * FROM salary',
  'WITH RECURSIVE salary(a, b) AS (SELECT a, b FROM salary) SELECT * FROM salary',
  'WITH x AS (WITH salary AS (SELECT 1) SELECT * FROM main.salary) SELECT * FROM x',
  'SELECT * FROM (WITH salary AS (SELECT 1 AS one) SELECT one FROM salary), salary',
  // Subqueries in every position.
  'SELECT (SELECT amount FROM salary)',
  'SELECT name FROM shop WHERE EXISTS (SELECT 1 FROM salary)',
  'SELECT name FROM shop WHERE id IN (SELECT rowid FROM salary)',
  'SELECT name FROM shop WHERE id IN salary',
  'SELECT name FROM shop WHERE id IN main.salary',
  'SELECT name FROM shop ORDER BY (SELECT amount FROM salary)',
  'SELECT name FROM shop GROUP BY (SELECT amount FROM salary)',
  'SELECT name FROM shop LIMIT (SELECT count(*) FROM salary)',
  'SELECT max(name, (SELECT amount FROM salary)) FROM shop',
  'SELECT coalesce(NULL, (SELECT group_concat(amount) FROM salary))',
  'SELECT count(*) FILTER (WHERE (SELECT amount FROM salary) IS NOT NULL) FROM shop',
  'SELECT sum(id) OVER (ORDER BY (SELECT amount FROM salary)) FROM shop',
  'SELECT CASE WHEN 1 THEN (SELECT amount FROM salary) END',
  'SELECT CAST((SELECT amount FROM salary) AS TEXT)',
  'SELECT name FROM shop UNION SELECT amount FROM salary',
  'SELECT name FROM shop EXCEPT SELECT * FROM (SELECT amount FROM salary)',
  'VALUES ((SELECT amount FROM salary))',
  'SELECT * FROM shop JOIN salary ON 1',
  'SELECT * FROM shop NATURAL JOIN salary',
  'SELECT * FROM shop, (SELECT * FROM salary)',
  // The database's own schema.
  'SELECT * FROM sqlite_master',
  'SELECT * FROM sqlite_schema',
  'SELECT * FROM "SQLITE_SCHEMA"',
  'SELECT * FROM main.sqlite_schema',
  'SELECT * FROM sqlite_temp_master',
  'SELECT * FROM sqlite_stat1',
  'SELECT * FROM sqlite_sequence',
  "SELECT * FROM pragma_table_info('salary')",
  'SELECT * FROM pragma_table_list',
  'SELECT * FROM pragma_table_list()',
  "SELECT * FROM shop, pragma_index_list('salary')",
  'SELECT * FROM dbstat',
  'SELECT * FROM sqlite_dbpage',
  "SELECT * FROM bytecode('SELECT * FROM salary')",
  "SELECT * FROM json_each('[1]')",
  'EXPLAIN SELECT * FROM shop',
  'EXPLAIN QUERY PLAN SELECT * FROM shop',
  // Other statements, and several at once.
  'PRAGMA table_list',
  'PRAGMA query_only = off',
  "ATTACH DATABASE 'file:shops.sqlite' AS other",
  'SELECT 1; SELECT * FROM salary',
  "SELECT 1; ATTACH DATABASE 'x' AS y",
  'CREATE TEMP TABLE t AS SELECT * FROM salary',
  'CREATE TEMP VIEW salary2 AS SELECT * FROM salary',
  "INSERT INTO shop VALUES (9, 'x', 1)",
  'UPDATE shop SET name = (SELECT amount FROM salary) RETURNING name',
  'DELETE FROM shop RETURNING (SELECT amount FROM salary)',
  "VACUUM INTO '/tmp/copy.sqlite'",
  'BEGIN',
  // Functions with side effects or file access.
  "SELECT load_extension('x')",
  "SELECT readfile('/etc/passwd')",
  "SELECT writefile('/tmp/x', 'y')",
  "SELECT edit('x')",
  'SELECT sqlite_version()',
  'SELECT sqlite_compileoption_get(1)',
  'SELECT randomblob(1000000000)',
  'SELECT zeroblob(1000000000)',
  "SELECT printf('%1000000000d', 1)",
  "SELECT fts3_tokenizer('simple')",
  'SELECT "load_extension"(\'x\')',
  // Text that tries to break out of its position.
  'SELECT CAST(1 AS TEXT) /* */ , amount FROM salary --',
  'SELECT name AS "x"" , (SELECT amount FROM salary) AS ""y" FROM shop, salary',
  'SELECT name COLLATE "x, (SELECT amount FROM salary)" FROM shop',
  'SELECT name FROM shop INDEXED BY salary_by_person',
  'SELECT name FROM shop AS salary WHERE salary.amount IS NOT NULL',
  'SELECT salary.amount FROM shop',
  'SELECT amount FROM shop',
  'SELECT ?1',
  '',
];

describe('a hidden table cannot be read', () => {
  test.each(ATTACKS)('%s', async (sql) => {
    const { status, body, text } = await execute(sql);
    expect(text).not.toContain(SECRET);
    expect([400, 422], text).toContain(status);
    // Hidden names are suggested only to callers who already name them.
    for (const { suggestions = [] } of body.errors ?? [])
      for (const name of ['salary', 'paid', 'Odd "Pay] `x', 'pin', 'person'])
        expect(suggestions).not.toContain(name);
  });

  test('the tables and the secret exist nevertheless', async () => {
    const { text } = await execute('SELECT amount FROM salary', {}, '0');
    expect(text).toContain(SECRET);
  });

  test('a quoted type is only a type', async () => {
    const { status, body } = await execute('SELECT CAST(1 AS "TEXT), (SELECT amount FROM salary) --") AS x');
    expect([status, body.data]).toEqual([200, [{ x: '1' }]]);
  });
});

describe('limits', () => {
  test('stops a statement that never ends', async () => {
    const sql = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n';
    const { status, body } = await execute(sql);
    expect([status, body.code]).toEqual([504, 'QUERY_TIMEOUT']);
  });

  test('stops or rejects a statement that expands to too many columns', async () => {
    const from = Array.from({ length: 300 }, (_, i) => `sale AS s${i}`).join(', ');
    const { status } = await execute(`SELECT ${Array(400).fill('*').join(', ')} FROM ${from}`);
    expect([400, 422, 504]).toContain(status);
    const ctes = Array.from(
      { length: 40 },
      (_, i) => `x${i} AS (SELECT * FROM ${i ? `x${i - 1}, x${i - 1} AS b` : 'sale'})`,
    );
    expect([400, 422, 504]).toContain((await execute(`WITH ${ctes.join(', ')} SELECT 1 FROM x39`)).status);
  });

  test.each([
    [`SELECT '${'x'.repeat(20_000)}'`, 'out_of_range'],
    [`SELECT ${'('.repeat(100)}1${')'.repeat(100)}`, 'out_of_range'],
    [5, 'wrong_type'],
    ['SELECT nme FROM shop', 'not_bound'],
    ['SELECT name FROM FROM shop', 'not_parsed'],
  ] as const)('%s', async (sql, code) => {
    const { status, body } = await execute(sql);
    expect([status, body.errors[0].field, body.errors[0].code]).toEqual([400, 'sql', code]);
  });

  test('suggests names of visible tables only', async () => {
    const { body } = await execute('SELECT nme FROM shop');
    expect(body.errors[0].suggestions).toEqual(['name']);
  });

  test('rejects a URL without a share', async () => {
    expect((await execute('SELECT 1', {}, '101')).status).toBe(404);
    expect((await execute('SELECT 1', {}, 'x')).status).toBe(404);
  });
});
