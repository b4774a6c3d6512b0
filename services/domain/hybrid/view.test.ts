import { Validator } from '@seriousme/openapi-schema-validator';
import Database from 'better-sqlite3';
import { afterAll, expect, test } from 'vitest';
import { readCatalog } from '../../../generator/read/catalog.ts';
import { outputsOf, SCALAR_APIS } from '../../base/scalars/scalars.ts';
import { hiddenTables } from './hybrid-tools.ts';
import { domainView } from './view.ts';

const TABLES = `
  CREATE TABLE "Order" (id INTEGER PRIMARY KEY, "limit" varchar(20) NOT NULL, "a ""b""" REAL);
  CREATE TABLE line ("order" INTEGER REFERENCES "Order"(id), n INTEGER, PRIMARY KEY (n, "order"));
  CREATE TABLE shop (name TEXT);`;
const db = new Database(':memory:');
db.exec(TABLES);
afterAll(() => db.close());
const catalog = readCatalog('shop', db);
const service = {
  format_version: 1 as const,
  split: 'test',
  db: 'shop',
  title: 'Shop',
  reference_time: '2024-01-01 00:00:00',
  endpoints: [],
  start_tables: [],
  catalog,
};
const share = { share: 50, seed: 3 };
const hidden = hiddenTables(catalog, share);

test('as SQL, tables of the database and of APIs are alike, with the same columns and keys', () => {
  const made = new Database(':memory:');
  made.exec(domainView(service, share, 'rich', 'sql'));
  const shape = (of: Database.Database, table: string) =>
    ['table_info', 'foreign_key_list'].map((pragma) =>
      of.prepare(`SELECT * FROM pragma_${pragma}(?)`).all(table),
    );
  for (const { name } of catalog.tables) expect(shape(made, name)).toEqual(shape(db, name));
  for (const api of SCALAR_APIS) {
    const columns = made.prepare('SELECT name FROM pragma_table_info(?)').pluck().all(api.name);
    expect(columns).toEqual([...api.inputs, ...outputsOf(api)].map((each) => each.name));
  }
  made.close();
});

test('as text, each table says where it is, what its API calls its columns, and what must be given', () => {
  const lines = domainView(service, { share: 100, seed: 0 }, 'rich', 'text').split('\n');
  expect(lines).toContain(
    'Order: POST /v1/test/shop/tables/Order; id, limit (API: limit_2), a "b" (API: a_b)',
  );
  expect(lines).toContain(
    'count_characters: POST /v1/test/shop/scalars/count_characters; string (input), kind, count',
  );
  expect(domainView(service, { share: 0, seed: 0 }, 'rich', 'text')).toContain(
    'line: database; order, n; order → Order(id)',
  );
});

test('as OpenAPI, only the tables behind APIs have paths, beside the scalar APIs', async () => {
  const document = JSON.parse(domainView(service, share, 'paper', 'openapi'));
  expect(Object.keys(document.paths).sort()).toEqual(
    [
      ...hidden.map((name) => `/v1/test/shop/tables/${name.toLowerCase()}`),
      ...SCALAR_APIS.map(({ name }) => `/v1/test/shop/scalars/${name}`),
    ].sort(),
  );
  expect(hidden.length).toBe(2);
  expect(await new Validator().validate(document)).toMatchObject({ valid: true });
});
