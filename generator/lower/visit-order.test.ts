import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { parseQuery, printQuery } from '../../sql/index.ts';
import { smallDatabase } from '../../tests/support/small-database.ts';
import { readCatalog } from '../read/catalog.ts';
import { inLoopOrder, inVisitOrder } from './lower-sequences.ts';

const catalog = readCatalog('shop', new Database(smallDatabase(), { readonly: true }));
const parse = (sql: string) => parseQuery(sql, { catalog, referenceTime: '2025-01-01 00:00:00' });
const turned = (sql: string) => inVisitOrder(parse(sql)).map((query) => printQuery(query));

it('joins tables in the order of the row ids that a query sorts by', () => {
  const sql =
    'SELECT c.city FROM customer c JOIN "order" o ON o.customer_id = c.id ORDER BY c.born, o.rowid, o.status, c.rowid LIMIT 1';
  const joined =
    'SELECT "T1"."city" FROM "order" AS "T2" JOIN "customer" AS "T1" ON "T2"."customer_id" = "T1"."id" ORDER BY "T1"."born"';
  expect(turned(sql)).toEqual([
    `${joined} LIMIT 1`,
    `${joined}, "T2"."rowid", "T2"."status", "T1"."rowid" LIMIT 1`,
  ]);
});

it.each([
  'SELECT p.title FROM product p LEFT JOIN line l ON l.sku = p.sku ORDER BY l.rowid LIMIT 1',
  'SELECT p.title FROM product p JOIN line l ON l.sku = p.sku ORDER BY p.price LIMIT 1',
])('leaves as it is: %s', (sql) => {
  const query = parse(sql);
  expect(inVisitOrder(query)).toEqual([query]);
});

it('joins the tables of every SELECT as loops nest, but for outer joins', () => {
  const sql = `SELECT c.city FROM customer c JOIN "order" o ON o.customer_id = c.id WHERE c.id IN (
    SELECT l.order_id FROM product p JOIN line l ON l.sku = p.sku LEFT JOIN customer d ON d.id = l.order_id LIMIT 2)`;
  const text = printQuery(inLoopOrder(parse(sql), ['T4', 'T2', 'T3', 'T1']));
  expect(text).toContain('FROM "order" AS "T2" JOIN "customer" AS "T1"');
  expect(text).toContain('FROM "product" AS "T3" JOIN "line" AS "T4"');
});
