import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Catalog } from '../../../contracts/catalog.ts';
import { queryAnswer } from '../../../contracts/formulations.ts';
import { AGGREGATE_METRICS } from '../../../contracts/query-tool.ts';
import type { Service } from '../../../contracts/service.ts';
import { makeServedCopy, planSearchIndexes } from '../../../generator/oracle/served-copy.ts';
import { readCatalog } from '../../../generator/read/catalog.ts';
import { annotate, readTableDescriptions } from '../../../generator/read/descriptions.ts';
import { describeTables } from '../../../generator/synthesize/find-databases.ts';
import { buildApp } from '../../index.ts';
import { temporaryFolder } from '../../testing/zoo.ts';
import { collectionsOf } from './collections.ts';
import { queryToolSpec } from './query-tool.ts';

const ROWS = `
  CREATE TABLE cafe (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, notes TEXT, rating REAL, seats INTEGER, open_now INTEGER, terrace TEXT
  );
  INSERT INTO cafe VALUES
    (1, 'Anker', 'Strong coffee, quiet tables for reading', 4.5, 20, 1, 'Y'),
    (2, 'Birke', 'Cakes and coffees in the old mill', 4.0, 20, 0, 'N'),
    (3, 'Birke', 'Readers meet here; tea only', NULL, 12, 1, 'Y'),
    (4, 'Zur Mühle', NULL, 3.5, 40, 1, 'N'),
    (5, 'Eck', 'A bar', 4.5, NULL, 0, NULL);
  CREATE TABLE "odd ""name" (k TEXT PRIMARY KEY, n INTEGER) WITHOUT ROWID;
  INSERT INTO "odd ""name" VALUES ('a', 1), ('b', 2), ('c', 2);
  CREATE TABLE sample (id INTEGER PRIMARY KEY, ppm NUMERIC, batch, cell TEXT);
  INSERT INTO sample VALUES
    (1, 4, 12, '4'), (2, 7.5, '12', '7'), (3, '<5', 'A12', NULL), (4, 9, 'B', '12'), (5, 12, 12.0, '012'), (6, NULL, 'C', 'x');
  CREATE TABLE bill (cents INTEGER);
  INSERT INTO bill VALUES (100), (300), (700), (900);`;
/** Added after generation, as a neighbour would. */
const TEXT_AMONG_NUMBERS = "INSERT INTO bill VALUES ('unpaid');";

const folder = temporaryFolder();
const file = join(folder.path, 'cafes.sqlite');
let plain: Database.Database;
let service: Service;
let app: FastifyInstance;
beforeAll(async () => {
  plain = new Database(':memory:');
  plain.exec(ROWS);
  const original = join(folder.path, 'original.sqlite');
  const catalog = readCatalog('cafes', plain);
  plain.exec(TEXT_AMONG_NUMBERS);
  writeFileSync(original, plain.serialize());
  const searched = planSearchIndexes(catalog, original);
  makeServedCopy(original, file, [], searched);
  service = {
    format_version: 1,
    split: 'test',
    db: 'cafes',
    title: 'Cafes',
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
  plain.close();
  folder.remove();
});

async function send(args: object, tool = 'query_database') {
  const url = `/v1/test/cafes/query/${tool}`;
  const answer = await app.inject({ method: 'POST', url, payload: args });
  return { status: answer.statusCode, body: answer.json() };
}

async function rowsOf(args: object) {
  const { status, body } = await send({ collection_name: 'cafe', ...args });
  expect(status, JSON.stringify(body)).toBe(200);
  const { columns, data, row_count, truncated } = queryAnswer.parse(body);
  expect([row_count, truncated]).toEqual([data.length, false]);
  return data.map((row) => columns.map((name) => row[name]));
}

const integer = (property_name: string, metrics: string) => ({
  integer_property_aggregation: { property_name, metrics },
});
const text = (property_name: string, metrics: string, top_occurrences_limit?: number) => ({
  text_property_aggregation: { property_name, metrics, top_occurrences_limit },
});
const boolean = (property_name: string, metrics: string) => ({
  boolean_property_aggregation: { property_name, metrics },
});
const where = (type: string, property_name: string, operator: string, value: unknown) => ({
  [`${type}_property_filter`]: { property_name, operator, value },
});

/** Each call with equivalent SQL written by hand. */
const CASES: readonly (readonly [object, string])[] = [
  [{}, 'SELECT * FROM cafe ORDER BY id'],
  [where('integer', 'seats', '=', 20), 'SELECT * FROM cafe WHERE seats = 20'],
  [where('integer', 'rating', '<', 4.5), 'SELECT * FROM cafe WHERE rating < 4.5'],
  [where('integer', 'rating', '>', 4), 'SELECT * FROM cafe WHERE rating > 4'],
  [where('integer', 'seats', '<=', 20), 'SELECT * FROM cafe WHERE seats <= 20'],
  [where('integer', 'seats', '>=', 20), 'SELECT * FROM cafe WHERE seats >= 20'],
  [where('text', 'name', '=', 'Birke'), "SELECT * FROM cafe WHERE name = 'Birke'"],
  [where('text', 'notes', 'LIKE', 'coffee'), "SELECT * FROM cafe WHERE notes LIKE '%coffee%'"],
  [where('text', 'name', 'LIKE', 'z*'), "SELECT * FROM cafe WHERE name LIKE 'z%'"],
  [where('text', 'name', 'LIKE', '%k_'), "SELECT * FROM cafe WHERE name LIKE '%k_'"],
  [where('boolean', 'open_now', '=', true), 'SELECT * FROM cafe WHERE open_now = 1'],
  [where('boolean', 'terrace', '!=', true), "SELECT * FROM cafe WHERE terrace <> 'Y'"],
  [integer('seats', 'COUNT'), 'SELECT COUNT(seats) FROM cafe'],
  [integer('seats', 'TYPE'), "SELECT 'number'"],
  [integer('seats', 'MIN'), 'SELECT MIN(seats) FROM cafe'],
  [integer('rating', 'MAX'), 'SELECT MAX(rating) FROM cafe'],
  [integer('seats', 'MEAN'), 'SELECT AVG(seats) FROM cafe'],
  [integer('seats', 'SUM'), 'SELECT SUM(seats) FROM cafe'],
  [integer('seats', 'MEDIAN'), 'SELECT median(seats) FROM cafe'],
  [{ collection_name: 'bill', ...integer('cents', 'MEAN') }, 'SELECT 400.0'],
  [{ collection_name: 'bill', ...integer('cents', 'MEDIAN') }, 'SELECT 300'],
  [integer('seats', 'MODE'), 'SELECT 20'],
  [{ ...integer('seats', 'MODE'), ...where('boolean', 'open_now', '=', true) }, 'SELECT 12'],
  [{ ...integer('rating', 'MODE'), groupby_property: 'open_now' }, 'VALUES (0, 4.0), (1, 3.5)'],
  [text('notes', 'COUNT'), 'SELECT COUNT(notes) FROM cafe'],
  [text('notes', 'TYPE'), "SELECT 'text'"],
  [text('name', 'TOP_OCCURRENCES', 2), "VALUES ('Birke', 2), ('Anker', 1)"],
  [
    { ...text('name', 'TOP_OCCURRENCES', 1), groupby_property: 'open_now' },
    "VALUES (0, 'Birke', 1), (1, 'Anker', 1)",
  ],
  [boolean('terrace', 'COUNT'), 'SELECT COUNT(terrace) FROM cafe'],
  [boolean('terrace', 'TYPE'), "SELECT 'boolean'"],
  [boolean('open_now', 'TOTAL_TRUE'), 'SELECT 3'],
  [boolean('open_now', 'TOTAL_FALSE'), 'SELECT 2'],
  [boolean('terrace', 'PERCENTAGE_TRUE'), 'SELECT 0.5'],
  [boolean('open_now', 'PERCENTAGE_FALSE'), 'SELECT 0.4'],
  [{ groupby_property: 'seats' }, 'SELECT seats, COUNT(*) FROM cafe GROUP BY seats ORDER BY seats'],
  [
    { ...integer('seats', 'SUM'), ...text('notes', 'COUNT'), groupby_property: 'name' },
    'SELECT name, SUM(seats), COUNT(notes) FROM cafe GROUP BY name ORDER BY name',
  ],
  [{ collection_name: 'odd "name', groupby_property: 'n' }, 'VALUES (1, 1), (2, 2)'],
  [{ search_query: 'the coffees' }, 'SELECT * FROM cafe WHERE id IN (1, 2) ORDER BY id = 1'],
  [{ search_query: 'muhle' }, 'SELECT * FROM cafe WHERE id = 4'],
  [{ search_query: 'quiet coffee' }, 'SELECT * FROM cafe WHERE id = 1'],
  [{ search_query: 'coffee zebra', ...integer('seats', 'SUM') }, 'SELECT 40'],
  [
    { search_query: 'reader', ...where('integer', 'seats', '<', 15), groupby_property: 'name' },
    "VALUES ('Birke', 1)",
  ],
  // Numbers and texts in one column, compared, sorted and summed as in SQLite.
  ...[
    [where('text', 'ppm', '=', '9'), "SELECT * FROM sample WHERE ppm = '9'"],
    [where('text', 'ppm', '=', '9.0'), 'SELECT * FROM sample WHERE id = 4'],
    [where('text', 'ppm', '=', '<5'), 'SELECT * FROM sample WHERE id = 3'],
    [where('text', 'ppm', 'LIKE', '<*'), 'SELECT * FROM sample WHERE id = 3'],
    [where('integer', 'ppm', '=', 7.5), 'SELECT * FROM sample WHERE id = 2'],
    [where('integer', 'ppm', '>=', 9), 'SELECT * FROM sample WHERE ppm >= 9'],
    [where('integer', 'ppm', '<', 9), 'SELECT * FROM sample WHERE id IN (1, 2)'],
    [integer('ppm', 'SUM'), 'SELECT SUM(ppm) FROM sample'],
    [text('ppm', 'TOP_OCCURRENCES', 1), 'VALUES (4, 1)'],
    [integer('ppm', 'TYPE'), "SELECT 'number, some are text'"],
    [where('text', 'batch', '=', '12'), 'SELECT * FROM sample WHERE id IN (1, 2, 5)'],
    [where('text', 'batch', '=', 'A12'), 'SELECT * FROM sample WHERE id = 3'],
    [where('integer', 'batch', '=', 12), 'SELECT * FROM sample WHERE id IN (1, 5)'],
    [where('text', 'cell', '=', '12'), 'SELECT * FROM sample WHERE id = 4'],
  ].map(([args, sql]) => [{ collection_name: 'sample', ...(args as object) }, sql as string] as const),
];

describe('a call gives the rows of its SQL', () => {
  test.each(CASES)('%j: %s', async (args, sql) => {
    const expected = plain.prepare(sql).raw().all() as unknown[][];
    const sorted = (rows: readonly unknown[]) => rows.map((row) => JSON.stringify(row));
    const rows = await rowsOf(args);
    const ranked = Object.keys(args).join() === 'search_query';
    expect(ranked ? sorted(rows).sort() : sorted(rows)).toEqual(
      ranked ? sorted(expected).sort() : sorted(expected),
    );
  });

  test('for every metric', () => {
    const seen = CASES.flatMap(([args]) =>
      Object.entries(args).flatMap(([name, value]) =>
        name.endsWith('aggregation') ? `${name.split('_')[0]} ${value.metrics}` : [],
      ),
    );
    const all = Object.entries(AGGREGATE_METRICS).flatMap(([type, names]) =>
      names.map((name) => `${type} ${name}`),
    );
    expect(new Set(seen)).toEqual(new Set(all));
  });

  test('a search has a stable order', async () => {
    const first = await rowsOf({ search_query: 'coffee' });
    expect(await rowsOf({ search_query: 'coffee' })).toEqual(first);
    expect(first).toHaveLength(2);
  });
});

describe('an invalid call reports the field and the nearest names', () => {
  test.each([
    [{}, 'collection_name', 'missing', undefined],
    [{ collection_name: 'caffe' }, 'collection_name', 'not_one_of', 'cafe'],
    [{ collection_name: 'cafe', groupby_property: 'seat' }, 'groupby_property', 'unknown_column', 'seats'],
    [
      { collection_name: 'cafe', ...where('integer', 'name', '=', 1) },
      'integer_property_filter.property_name',
      'wrong_type',
      undefined,
    ],
    [
      { collection_name: 'sample', ...where('integer', 'cell', '=', 12) },
      'integer_property_filter.property_name',
      'wrong_type',
      undefined,
    ],
    [
      { collection_name: 'cafe', ...where('integer', 'seats', '!=', 1) },
      'integer_property_filter.operator',
      'not_one_of',
      undefined,
    ],
    [
      { collection_name: 'cafe', ...where('integer', 'seats', '=', 'many') },
      'integer_property_filter.value',
      'wrong_type',
      undefined,
    ],
    [
      { collection_name: 'cafe', ...integer('seats', 'AVERAGE') },
      'integer_property_aggregation.metrics',
      'not_one_of',
      undefined,
    ],
    [{ collection_name: 'cafe', serch_query: 'x' }, 'serch_query', 'unknown_parameter', 'search_query'],
    [{ collection_name: 'cafe', search_query: 'the of' }, 'search_query', 'wrong_type', undefined],
    [{ collection_name: 'odd "name', search_query: 'a' }, 'search_query', 'unknown_parameter', undefined],
    [
      { collection_name: 'cafe', ...text('name', 'TOP_OCCURRENCES'), ...integer('seats', 'SUM') },
      'text_property_aggregation.metrics',
      'not_one_of',
      undefined,
    ],
  ] as const)('%j', async (args, field, code, suggestion) => {
    const { status, body } = await send(args);
    expect([status, body.code]).toEqual([400, 'INVALID_PARAMETERS']);
    expect(body.errors[0]).toMatchObject({ field, code });
    if (suggestion) expect(body.errors[0].suggestions).toContain(suggestion);
  });

  test('there is no other tool', async () => {
    const { status, body } = await send({ collection_name: 'cafe' }, 'query_databases');
    expect([status, body.code, body.errors[0].suggestions]).toEqual([
      404,
      'UNKNOWN_TOOL',
      ['query_database'],
    ]);
  });
});

describe('the definition of the tool', () => {
  test('lists collections and properties in the description if they fit', () => {
    const { description, parameters } = queryToolSpec(collectionsOf(service.catalog, ['cafe']));
    expect(description.length).toBeLessThanOrEqual(1024);
    expect(description).toContain('Collection Name: cafe\nProperties:\n- id: (type: number)');
    expect(description).toContain('- terrace: (type: boolean)');
    expect(parameters.properties.collection_name?.enum).toEqual(['cafe', 'odd "name', 'sample', 'bill']);
    const sample = queryToolSpec(collectionsOf(service.catalog)).description;
    expect(sample).toContain('- ppm: (type: number, some are text)\n- batch: (type: text, some are numbers)');
    expect(sample).toContain('- cell: (type: text)');
    expect(parameters.properties).toHaveProperty('search_query');
  });

  test('otherwise lists them with the argument', () => {
    const [cafe] = service.catalog.tables;
    const tables = Array.from({ length: 20 }, (_, i) => ({ ...cafe, name: `cafe_${i}` }));
    const catalog = { ...service.catalog, tables: tables as typeof service.catalog.tables };
    const { description, parameters } = queryToolSpec(collectionsOf(catalog));
    expect(description.length).toBeLessThanOrEqual(1024);
    expect(parameters.properties.collection_name?.description).toContain('Collection Name: cafe_19');
    expect(parameters.properties).not.toHaveProperty('search_query');
  });
});

const DESCRIPTIONS = `table,column,name,description,value_description,facets
inn,notes,,,,"Jazz on Fridays. / Live music, jazz mostly. = concerts, band
Dogs may come along. / Walkers bring their dog. = pets
Known for grilled fish. = seafood, music-free"
`;

const searchAboutFolder = temporaryFolder();
const original = join(searchAboutFolder.path, 'original.sqlite');
let searchAboutApp: FastifyInstance;
const described = join(searchAboutFolder.path, 'inns.csv');
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
  const file = join(searchAboutFolder.path, 'served.sqlite');
  makeServedCopy(original, file, [], searched);
  const service = {
    ...({ format_version: 1, split: 'test', db: 'inns', title: 'Inns' } as const),
    reference_time: '2024-01-01 00:00:00',
    endpoints: [],
    start_tables: [],
    catalog,
    search_indexes: searched.map(({ collection }) => collection),
  };
  searchAboutApp = await buildApp({ domains: [{ service, database: file }], logger: false });
});
afterAll(async () => {
  await searchAboutApp.close();
  searchAboutFolder.remove();
});

async function searchAboutRowsOf(args: object) {
  const url = '/v1/test/inns/query/query_database';
  const answer = await searchAboutApp.inject({
    method: 'POST',
    url,
    payload: { collection_name: 'inn', ...args },
  });
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
  expect((await searchAboutRowsOf({ search_query })).map(([name]) => name)).toEqual(names);
});

test('search results can be filtered, aggregated and grouped', async () => {
  const search_query = 'concerts';
  const beds = (metrics: string) => ({ integer_property_aggregation: { property_name: 'beds', metrics } });
  expect(await searchAboutRowsOf({ search_query, ...beds('SUM') })).toEqual([[10]]);
  expect(await searchAboutRowsOf({ search_query, ...beds('MODE'), groupby_property: 'name' })).toEqual([
    ['Lion', 4],
    ['Ox', 6],
  ]);
  const integer_property_filter = { property_name: 'beds', operator: '>', value: 4 };
  expect(await searchAboutRowsOf({ search_query, integer_property_filter, ...beds('MAX') })).toEqual([[6]]);
});

test('the tool description states that search goes by topic', () => {
  const { parameters } = queryToolSpec(collectionsOf(catalog, ['inn']));
  expect(parameters.properties.search_query?.description).toContain('about');
});

test('a derived split keeps the topics of its texts', () => {
  writeFileSync(described, describeTables(catalog));
  const again = annotate(catalog, readTableDescriptions(described, null));
  expect(again.tables[0]?.columns[1]?.facets).toEqual(catalog.tables[0]?.columns[1]?.facets);
  expect(again.tables[0]?.columns[1]?.facets).toHaveLength(3);
});

const JOINED_TABLES_ROWS = `
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

const joinedTablesFolder = temporaryFolder();
let joinedTablesPlain: Database.Database;
let joinedTablesCatalog: Catalog;
let joinedTablesApp: FastifyInstance;
beforeAll(async () => {
  joinedTablesPlain = new Database(':memory:');
  joinedTablesPlain.exec(JOINED_TABLES_ROWS);
  const original = join(joinedTablesFolder.path, 'original.sqlite');
  const file = join(joinedTablesFolder.path, 'served.sqlite');
  writeFileSync(original, joinedTablesPlain.serialize());
  joinedTablesCatalog = readCatalog('hotel', joinedTablesPlain);
  const searched = planSearchIndexes(joinedTablesCatalog, original);
  makeServedCopy(original, file, [], searched);
  const search_indexes = searched.map(({ collection }) => collection);
  const facts = { format_version: 1, split: 'test', db: 'hotel', title: 'Hotel' } as const;
  const service = {
    ...facts,
    reference_time: '2024-01-01 00:00:00',
    endpoints: [],
    start_tables: [],
    catalog: joinedTablesCatalog,
    search_indexes,
  };
  joinedTablesApp = await buildApp({ domains: [{ service, database: file }], logger: false });
});
afterAll(async () => {
  await joinedTablesApp.close();
  joinedTablesPlain.close();
  joinedTablesFolder.remove();
});

async function joinedTablesRowsOf(args: object) {
  const url = '/v1/test/hotel/query/query_database';
  const answer = await joinedTablesApp.inject({
    method: 'POST',
    url,
    payload: { collection_name: NAME, ...args },
  });
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

test('offers joins if no table has a text, a number and a boolean', () => {
  const names = (tables: Catalog['tables']) =>
    collectionsOf({ ...joinedTablesCatalog, tables }).map(({ name }) => name);
  expect(names(joinedTablesCatalog.tables)).toEqual(['guest', 'stay', NAME]);
  const [guest, stay] = joinedTablesCatalog.tables as [Catalog['tables'][number], Catalog['tables'][number]];
  const score = { ...stay.columns[2], name: 'score' } as (typeof stay.columns)[number];
  expect(names([{ ...guest, columns: [...guest.columns, score] }, stay])).toEqual(['guest', 'stay']);
  const others = guest.columns.filter(({ name }) => name !== 'is regular');
  expect(names([{ ...guest, columns: others }, stay])).toEqual(['guest', 'stay']);
  const taken = { ...stay, name: NAME, foreign_keys: [] };
  expect(names([...joinedTablesCatalog.tables, taken])).toEqual(['guest', 'stay', NAME, `${NAME}_2`]);
});

test('does not join along an ambiguous key', () => {
  const [guest, stay] = joinedTablesCatalog.tables as [Catalog['tables'][number], Catalog['tables'][number]];
  const [id, ...others] = guest.columns as [(typeof guest.columns)[number]];
  const twice = { ...id, primary_key: 0, statistics: { ...id.statistics, distinct: 2 } };
  const tables = [{ ...guest, columns: [twice, ...others] }, stay];
  expect(collectionsOf({ ...joinedTablesCatalog, tables }).map(({ name }) => name)).toEqual([
    'guest',
    'stay',
  ]);
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
  expect(await joinedTablesRowsOf(args)).toEqual(joinedTablesPlain.prepare(sql).raw().all());
});
