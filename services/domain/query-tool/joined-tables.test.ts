import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Catalog } from '../../../contracts/catalog.ts';
import { queryAnswer } from '../../../contracts/formulations/query.ts';
import { readCatalog } from '../../../generator/read/catalog/read-catalog.ts';
import { makeServedCopy } from '../../../generator/served-copy/make-served-copy.ts';
import { planSearchIndexes } from '../../../generator/served-copy/plan-search-indexes.ts';
import { buildApp } from '../../index.ts';
import { temporaryFolder } from '../../testing/zoo.ts';
import { collectionsOf } from './collections.ts';

const ROWS = `
  CREATE TABLE guest (id INTEGER PRIMARY KEY, name TEXT, "is regular" TEXT);
  INSERT INTO guest VALUES (1, 'Ada', 'Y'), (2, 'Bo', 'N'), (3, 'Cy', 'Y');
  CREATE TABLE stay (
    id INTEGER PRIMARY KEY, guest INTEGER REFERENCES guest, nights INTEGER, notes TEXT
  );
  INSERT INTO stay VALUES
    (1, 1, 2, 'Late arrival'), (2, 1, 5, 'Vegan breakfast'), (3, 2, 2, 'Arrived early, late checkout'),
    (4, NULL, 9, 'Late booking'), (5, 3, 2, NULL);`;
const STAYS = '"stay" JOIN "guest" ON "stay"."guest" = "guest"."id"';
const NAME = 'stay_with_guest';

const folder = temporaryFolder();
let plain: Database.Database;
let catalog: Catalog;
let app: FastifyInstance;
beforeAll(async () => {
  plain = new Database(':memory:');
  plain.exec(ROWS);
  const original = join(folder.path, 'original.sqlite');
  const file = join(folder.path, 'served.sqlite');
  writeFileSync(original, plain.serialize());
  catalog = readCatalog('hotel', plain);
  const searched = planSearchIndexes(catalog, original);
  makeServedCopy(original, file, [], searched);
  const search_indexes = searched.map(({ collection }) => collection);
  const facts = { format_version: 1, split: 'test', db: 'hotel', title: 'Hotel' } as const;
  const service = {
    ...facts,
    reference_time: '2024-01-01 00:00:00',
    endpoints: [],
    start_tables: [],
    catalog,
    search_indexes,
  };
  app = await buildApp({ domains: [{ service, database: file }], logger: false });
});
afterAll(async () => {
  await app.close();
  plain.close();
  folder.remove();
});

async function rowsOf(args: object) {
  const url = '/v1/test/hotel/query/query_database';
  const answer = await app.inject({ method: 'POST', url, payload: { collection_name: NAME, ...args } });
  expect(answer.statusCode, answer.body).toBe(200);
  const { columns, data } = queryAnswer.parse(answer.json());
  return data.map((row) => columns.map((name) => row[name]));
}

const filter = (property_name: string, operator: string, value: unknown) => ({
  property_name,
  operator,
  value,
});
const metric = (property_name: string, metrics: string) => ({ property_name, metrics });

test('tables are offered joined where none has a text, a number and a boolean of its own', () => {
  const names = (tables: Catalog['tables']) => collectionsOf({ ...catalog, tables }).map(({ name }) => name);
  expect(names(catalog.tables)).toEqual(['guest', 'stay', NAME]);
  const [guest, stay] = catalog.tables as [Catalog['tables'][number], Catalog['tables'][number]];
  const score = { ...stay.columns[2], name: 'score' } as (typeof stay.columns)[number];
  expect(names([{ ...guest, columns: [...guest.columns, score] }, stay])).toEqual(['guest', 'stay']);
  const others = guest.columns.filter(({ name }) => name !== 'is regular');
  expect(names([{ ...guest, columns: others }, stay])).toEqual(['guest', 'stay']);
  const taken = { ...stay, name: NAME, foreign_keys: [] };
  expect(names([...catalog.tables, taken])).toEqual(['guest', 'stay', NAME, `${NAME}_2`]);
});

test('a key that may name several rows joins nothing', () => {
  const [guest, stay] = catalog.tables as [Catalog['tables'][number], Catalog['tables'][number]];
  const [id, ...others] = guest.columns as [(typeof guest.columns)[number]];
  const twice = { ...id, primary_key: 0, statistics: { ...id.statistics, distinct: 2 } };
  const tables = [{ ...guest, columns: [twice, ...others] }, stay];
  expect(collectionsOf({ ...catalog, tables }).map(({ name }) => name)).toEqual(['guest', 'stay']);
});

test.each<[object, string]>([
  [{}, `SELECT "stay".*, "guest".* FROM ${STAYS} ORDER BY "stay".id`],
  [{ groupby_property: 'guest_is_regular' }, `SELECT "is regular", COUNT(*) FROM ${STAYS} GROUP BY 1`],
  [
    {
      boolean_property_filter: filter('guest_is_regular', '=', true),
      integer_property_aggregation: metric('stay_nights', 'SUM'),
    },
    `SELECT SUM(nights) FROM ${STAYS} WHERE "is regular" = 'Y'`,
  ],
  [
    {
      text_property_filter: filter('guest_name', 'LIKE', 'a'),
      integer_property_aggregation: metric('stay_nights', 'MAX'),
    },
    `SELECT MAX(nights) FROM ${STAYS} WHERE name LIKE '%a%'`,
  ],
  [
    { groupby_property: 'guest_name', integer_property_aggregation: metric('stay_nights', 'MODE') },
    "SELECT * FROM (VALUES ('Ada', 2), ('Bo', 2), ('Cy', 2))",
  ],
  [{ boolean_property_aggregation: metric('guest_is_regular', 'TOTAL_TRUE') }, 'SELECT 3'],
  [{ search_query: 'late', integer_property_aggregation: metric('stay_nights', 'COUNT') }, 'SELECT 2'],
  [{ search_query: 'Ada breakfast' }, `SELECT "stay".*, "guest".* FROM ${STAYS} WHERE "stay".id = 2`],
])('%j', async (args, sql) => {
  expect(await rowsOf(args)).toEqual(plain.prepare(sql).raw().all());
});
