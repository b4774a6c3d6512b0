import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { queryAnswer } from '../../../contracts/formulations/query.ts';
import { annotate } from '../../../generator/read/catalog/annotate.ts';
import { readCatalog } from '../../../generator/read/catalog/read-catalog.ts';
import { readTableDescriptions } from '../../../generator/read/catalog/table-descriptions.ts';
import { makeServedCopy } from '../../../generator/served-copy/make-served-copy.ts';
import { planSearchIndexes } from '../../../generator/served-copy/plan-search-indexes.ts';
import { describeTables } from '../../../generator/synthesize/describe-tables.ts';
import { buildApp } from '../../index.ts';
import { temporaryFolder } from '../../testing/zoo.ts';
import { collectionsOf } from './collections.ts';
import { queryToolSpec } from './tool-spec.ts';

const DESCRIPTIONS = `table,column,name,description,value_description,facets
inn,notes,,,,"Jazz on Fridays. / Live music, jazz mostly. = concerts, band
Dogs may come along. / Walkers bring their dog. = pets
Known for grilled fish. = seafood, music-free"
`;

const folder = temporaryFolder();
const original = join(folder.path, 'original.sqlite');
let app: FastifyInstance;
const described = join(folder.path, 'inns.csv');
let catalog: ReturnType<typeof readCatalog>;
beforeAll(async () => {
  const db = new Database(':memory:');
  db.exec(`CREATE TABLE inn (name TEXT, notes TEXT, beds INTEGER);
    INSERT INTO inn VALUES
      ('Lion', 'Jazz on Fridays. Dogs may come along.', 4), ('Ox', 'Live music, jazz mostly.', 6),
      ('Bear', 'Walkers bring their dog. Known for grilled fish.', 8), ('Swan', NULL, 10), ('Jazz Bar', 'A bar.', 12);`);
  writeFileSync(original, db.serialize());
  writeFileSync(described, DESCRIPTIONS);
  catalog = annotate(readCatalog('inns', db), readTableDescriptions(described, null));
  db.close();
  const searched = planSearchIndexes(catalog, original);
  const file = join(folder.path, 'served.sqlite');
  makeServedCopy(original, file, [], searched);
  const service = {
    ...({ format_version: 1, split: 'test', db: 'inns', title: 'Inns' } as const),
    reference_time: '2024-01-01 00:00:00',
    endpoints: [],
    start_tables: [],
    catalog,
    search_indexes: searched.map(({ collection }) => collection),
  };
  app = await buildApp({ domains: [{ service, database: file }], logger: false });
});
afterAll(async () => {
  await app.close();
  folder.remove();
});

async function rowsOf(args: object) {
  const url = '/v1/test/inns/query/query_database';
  const answer = await app.inject({ method: 'POST', url, payload: { collection_name: 'inn', ...args } });
  expect(answer.statusCode, answer.body).toBe(200);
  const { columns, data } = queryAnswer.parse(answer.json());
  return data.map((row) => columns.map((name) => row[name]));
}

test.each([
  ['a term that stands in no text', 'concert', ['Lion', 'Ox']],
  ['a word that only the other phrase has', 'Fridays', ['Lion', 'Ox']],
  ['each of two things', 'pet band', ['Lion']],
  ['a word of several facets, either of them', 'music', ['Lion', 'Ox', 'Bear']],
  ['what is known, whatever else is said', 'nice places with seafood', ['Bear']],
  ['its words where nothing of it is known', 'bar', ['Jazz Bar']],
  ['nothing where no text has both', 'concerts seafood', []],
])('a search finds %s', async (_, search_query, names) => {
  expect((await rowsOf({ search_query })).map(([name]) => name)).toEqual(names);
});

test('what a search finds is filtered, aggregated and grouped as anything else', async () => {
  const search_query = 'concerts';
  const beds = (metrics: string) => ({ integer_property_aggregation: { property_name: 'beds', metrics } });
  expect(await rowsOf({ search_query, ...beds('SUM') })).toEqual([[10]]);
  expect(await rowsOf({ search_query, ...beds('MODE'), groupby_property: 'name' })).toEqual([
    ['Lion', 4],
    ['Ox', 6],
  ]);
  const integer_property_filter = { property_name: 'beds', operator: '>', value: 4 };
  expect(await rowsOf({ search_query, integer_property_filter, ...beds('MAX') })).toEqual([[6]]);
});

test('the tool says that a search is one for what texts are about', () => {
  const { parameters } = queryToolSpec(collectionsOf(catalog, ['inn']));
  expect(parameters.properties.search_query?.description).toContain('about');
});

test('a split that is made of another keeps what its texts may be about', () => {
  writeFileSync(described, describeTables(catalog));
  const again = annotate(catalog, readTableDescriptions(described, null));
  expect(again.tables[0]?.columns[1]?.facets).toEqual(catalog.tables[0]?.columns[1]?.facets);
  expect(again.tables[0]?.columns[1]?.facets).toHaveLength(3);
});
