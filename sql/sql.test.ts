import { readFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { requote } from '../generator/oracle/gold-sql.ts';
import { readCatalog } from '../generator/read/catalog.ts';
import { smallDatabase } from '../tests/support/small-database.ts';
import { parseQuery, printQuery, visitQuery } from './index.ts';

const cases = readFileSync(new URL('./cases.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));

const referenceTime = '2025-06-15 12:30:00';
const file = smallDatabase();
const db = new Database(file, { readonly: true });
const catalog = readCatalog('shop', db);

const comparable = (cell: unknown) => (cell instanceof Uint8Array ? Buffer.from(cell).toString('hex') : cell);
const bind = (sql: string) => parseQuery(sql, { catalog, referenceTime });
const run = (sql: string) =>
  db
    .prepare<[], unknown[]>(sql)
    .raw()
    .all()
    .map((row) => row.map(comparable));
const original = (sql: string) => run(requote(sql, errorOf));
const errorOf = (sql: string) => {
  try {
    db.prepare(sql);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
};

describe('what is printed from the IR returns the rows of the original', () => {
  it.each(cases)('%s', (sql) => {
    expect(run(printQuery(bind(sql)))).toEqual(original(sql));
  });

  it.each(cases)('and again from its own print: %s', (sql) => {
    const printed = printQuery(bind(sql));
    expect(run(printQuery(bind(printed)))).toEqual(original(sql));
  });
});

describe('binding', () => {
  it('takes double-quoted text for a column first and for a string second', () => {
    expect(printQuery(bind('SELECT "city" FROM customer WHERE city = "city of"'))).toBe(
      `SELECT "T1"."city" FROM "customer" AS "T1" WHERE "T1"."city" = 'city of'`,
    );
  });

  it('says where each literal stands in the SQL as given', () => {
    const sql = `SELECT id FROM customer WHERE city = "London" AND id IN (1, 22) LIMIT 5`;
    const found: string[] = [];
    visitQuery(bind(sql), {
      expr: (expr) => {
        if (expr.kind === 'literal' && expr.span) found.push(sql.slice(expr.span.start, expr.span.end));
      },
    });
    expect(found).toEqual(['"London"', '1', '22', '5']);
  });

  it('pins what depends on the clock to the reference time', () => {
    const sql =
      "SELECT date('now'), CURRENT_TIMESTAMP, CURRENT_DATE, strftime('%Y'), datetime('now', '+1 day')";
    expect(run(printQuery(bind(sql)))).toEqual([
      ['2025-06-15', '2025-06-15 12:30:00', '2025-06-15', '2025', '2025-06-16 12:30:00'],
    ]);
  });

  it.each([
    ['SELECT nope FROM customer', 'SQL_NOT_BOUND', 'nope'],
    ['SELECT c.nope FROM customer c', 'SQL_NOT_BOUND', 'c.nope'],
    ['SELECT id FROM nowhere', 'SQL_NOT_BOUND', 'nowhere'],
    ['SELECT FROM WHERE', 'SQL_NOT_PARSED', null],
    ['SELECT id FROM customer WHERE (id = 1', 'SQL_NOT_PARSED', null],
    ['SELECT "city FROM customer', 'SQL_NOT_PARSED', '"city FROM customer'],
    ['DELETE FROM customer', 'SQL_UNSUPPORTED', 'delete'],
    ['SELECT 1; SELECT 2', 'SQL_UNSUPPORTED', '; SELECT 2'],
    ['SELECT id FROM customer WHERE id = ?', 'SQL_UNSUPPORTED', '?'],
    ['SELECT random()', 'NONDETERMINISTIC', 'random'],
    ["SELECT value FROM json_each('[1]')", 'SQL_UNSUPPORTED', 'json_each'],
    ["SELECT id FROM customer WHERE city MATCH 'x'", 'SQL_UNSUPPORTED', "MATCH 'x'"],
    [
      'SELECT SUM(id) OVER (ORDER BY id GROUPS 1 PRECEDING) FROM customer',
      'SQL_UNSUPPORTED',
      'GROUPS 1 PRECEDING) FROM customer',
    ],
    ['SELECT SUM(id) OVER nowhere FROM customer WINDOW w AS (ORDER BY id)', 'SQL_NOT_BOUND', 'nowhere'],
  ])('%s is %s', (sql, code, clause) => {
    expect(() => bind(sql)).toThrow(expect.objectContaining({ code, clause }));
  });

  it('gives the reason in words of the SQL as given', () => {
    expect(() => bind('SELECT "city FROM customer')).toThrow('a " that is never closed');
    expect(() => bind("SELECT 1 FROM customer, 'order'")).toThrow(/^Expected identifier, got NUMBER$/);
  });

  it('freezes what it makes', () => {
    const query = bind('SELECT id FROM customer WHERE city = "x"');
    expect(Object.isFrozen(query)).toBe(true);
    expect(query.kind === 'select' && Object.isFrozen(query.where)).toBe(true);
  });
});
