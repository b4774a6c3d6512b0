import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { queryAnswer } from '../../../contracts/formulations/query.ts';
import { AGGREGATE_METRICS } from '../../../contracts/query-tool.ts';
import type { Service } from '../../../contracts/service.ts';
import { readCatalog } from '../../../generator/read/catalog/read-catalog.ts';
import { makeServedCopy } from '../../../generator/served-copy/make-served-copy.ts';
import { planSearchIndexes } from '../../../generator/served-copy/plan-search-indexes.ts';
import { buildApp } from '../../index.ts';
import { temporaryFolder } from '../../testing/zoo.ts';
import { collectionsOf } from './collections.ts';
import { queryToolSpec } from './tool-spec.ts';

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
/** Not known when the farm was generated, as on a neighbour. */
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

/** Each call beside SQL that was written by hand. */
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
  // Numbers and texts in one column: as SQLite compares, sorts and adds them.
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

describe('a call of the tool answers the rows of SQL', () => {
  test.each(CASES)('%j: %s', async (args, sql) => {
    const expected = plain.prepare(sql).raw().all() as unknown[][];
    const sorted = (rows: readonly unknown[]) => rows.map((row) => JSON.stringify(row));
    const rows = await rowsOf(args);
    const ranked = Object.keys(args).join() === 'search_query';
    expect(ranked ? sorted(rows).sort() : sorted(rows)).toEqual(
      ranked ? sorted(expected).sort() : sorted(expected),
    );
  });

  test('of every metric there is', () => {
    const seen = CASES.flatMap(([args]) =>
      Object.entries(args).flatMap(([name, value]) =>
        name.endsWith('aggregation') ? `${name.split('_')[0]} ${value.metrics}` : [],
      ),
    );
    const all = Object.entries(AGGREGATE_METRICS).flatMap(([type, names]) => names.map((name) => `${type} ${name}`));
    expect(new Set(seen)).toEqual(new Set(all));
  });

  test('the same search has the same order each time', async () => {
    const first = await rowsOf({ search_query: 'coffee' });
    expect(await rowsOf({ search_query: 'coffee' })).toEqual(first);
    expect(first).toHaveLength(2);
  });
});

describe('a call that cannot be carried out names the field and the nearest names', () => {
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
  test('tells collections and properties in its description where they fit', () => {
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

  test('tells them with the argument where they do not', () => {
    const [cafe] = service.catalog.tables;
    const tables = Array.from({ length: 20 }, (_, i) => ({ ...cafe, name: `cafe_${i}` }));
    const catalog = { ...service.catalog, tables: tables as typeof service.catalog.tables };
    const { description, parameters } = queryToolSpec(collectionsOf(catalog));
    expect(description.length).toBeLessThanOrEqual(1024);
    expect(parameters.properties.collection_name?.description).toContain('Collection Name: cafe_19');
    expect(parameters.properties).not.toHaveProperty('search_query');
  });
});
