import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { smallDatabase } from '../../../tests/support/small-database.ts';
import { readCatalog } from '../../read/catalog/read-catalog.ts';
import { parseQuery, printQuery } from '../../sql/index.ts';
import { inVisitOrder } from './visit-order.ts';

const catalog = readCatalog('shop', new Database(smallDatabase(), { readonly: true }));
const turned = (sql: string) =>
  printQuery(inVisitOrder(parseQuery(sql, { catalog, referenceTime: '2025-01-01 00:00:00' })));

it('joins tables in the order of the row ids that a query sorts by', () => {
  const sql =
    'SELECT c.city FROM customer c JOIN "order" o ON o.customer_id = c.id ORDER BY c.born, o.rowid, c.rowid LIMIT 1';
  expect(turned(sql)).toContain(
    'FROM "order" AS "T2" JOIN "customer" AS "T1" ON "T2"."customer_id" = "T1"."id"',
  );
});

it.each([
  'SELECT p.title FROM product p LEFT JOIN line l ON l.sku = p.sku ORDER BY l.rowid LIMIT 1',
  'SELECT p.title FROM product p JOIN line l ON l.sku = p.sku ORDER BY p.price LIMIT 1',
])('leaves as it is: %s', (sql) => {
  expect(turned(sql)).toContain('FROM "product" AS "T1"');
});
