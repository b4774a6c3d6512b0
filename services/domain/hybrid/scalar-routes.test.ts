import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import Database from 'better-sqlite3';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Service } from '../../../contracts/service.ts';
import { readCatalog } from '../../../generator/read/catalog.ts';
import { placeSources } from '../../base/scalars/gazetteer.ts';
import { runInWorkspace } from '../../base/scalars/workspace.ts';
import { buildApp } from '../../index.ts';
import { temporaryFolder } from '../../testing/zoo.ts';
import { scalarsOpenapi } from './scalar-routes.ts';

const ROWS = `
  CREATE TABLE depot (id INTEGER PRIMARY KEY, name TEXT, city TEXT, country TEXT, lat REAL, lng REAL, zip INTEGER);
  INSERT INTO depot VALUES
    (1, 'Mill Depot', 'Acton', 'England', 51.5, -0.25, 12345), (2, 'Quay Depot', 'Bray', 'Ireland', 53.2, -6.1, NULL),
    (3, 'Field Depot', 'Acton', 'England', 51.6, -0.3, 77), (4, 'Lost Depot', NULL, NULL, NULL, NULL, NULL);
  CREATE TABLE customer (name TEXT, city TEXT, country TEXT, points INTEGER);
  INSERT INTO customer VALUES ('Ada Long', 'Acton', 'England', 8), ('Bo Short', 'Oslo', 'Norway', 9), (NULL, 'Bray', NULL, 13);`;

const folder = temporaryFolder();
const database = join(folder.path, 'depots.sqlite');
let service: Service;
let app: FastifyInstance;
beforeAll(async () => {
  const db = new Database(':memory:');
  db.exec(ROWS);
  writeFileSync(database, db.serialize());
  service = {
    format_version: 1,
    split: 'test',
    db: 'depots',
    title: 'Depots',
    reference_time: '2024-01-01 00:00:00',
    endpoints: [],
    start_tables: [],
    catalog: readCatalog('depots', db),
  };
  db.close();
  app = await buildApp({ domains: [{ service, database }], logger: false });
});
afterAll(async () => {
  await app.close();
  folder.remove();
});

const ROOT = '/v1/test/depots/scalars';
const get = async (path: string) => {
  const answer = await app.inject(`${ROOT}/${path}`);
  return { status: answer.statusCode, body: answer.json() };
};
const post = async (path: string, payload: object) => {
  const answer = await app.inject({ method: 'POST', url: `${ROOT}/${path}`, payload });
  return { status: answer.statusCode, body: answer.json() };
};

describe('over HTTP', () => {
  test.each([
    ['is_fibonacci?number=8', { number: 8, truth: true }],
    ['is_fibonacci?number=8.9', { number: 8.9, truth: true }],
    ['is_divisible?number=6&divisor=0', { number: 6, divisor: 0, truth: null }],
    ['count_syllables?string=Roman%20Bragin', { string: 'Roman Bragin', count: 4 }],
    ['count_characters?string=Anna&kind=vowels', { string: 'Anna', kind: 'vowels', count: 2 }],
    [
      'list_words?string=Roman%20Bragin',
      {
        string: 'Roman Bragin',
        words: [
          { position: 1, word: 'Roman' },
          { position: 2, word: 'Bragin' },
        ],
      },
    ],
    ['list_prime_factors?number=12', { number: 12, factors: [2, 3] }],
    ['list_prime_factors?number=1', { number: 1, factors: [] }],
    ['get_country_of_place?place=mill%20depot', { place: 'mill depot', country: 'England' }],
    ['get_country_of_place?place=Acton', { place: 'Acton', country: 'England' }],
    [
      'get_country_of_place?place=London',
      { place: 'London', ambiguous_place: true, country: 'United Kingdom' },
    ],
    ['get_postal_code_of_place?place=Mill%20Depot', { place: 'Mill Depot', postal_code: '12345' }],
    ['get_latitude_of_place?place=Quay%20Depot', { place: 'Quay Depot', latitude: 53.2 }],
    ['get_latitude_of_place?place=Acton', { place: 'Acton', latitude: null }],
    [
      'get_address_of_place?place=Mill%20Depot,%20England',
      { place: 'Mill Depot, England', address: '12345 Acton, England' },
    ],
  ] as const)('%s', async (path, expected) => {
    expect(await get(path)).toEqual({ status: 200, body: expected });
    const [api = '', query = ''] = path.split('?');
    const { status, body } = await post(api, Object.fromEntries(new URLSearchParams(query)));
    expect([status, body]).toEqual([200, expected]);
  });

  test('a batch answers in order, and each item without a value gives the reason', async () => {
    const { body } = await post('get_country_of_place/batch', [{ place: 'Oslo' }, { place: 'Atlantis' }, {}]);
    expect(body).toEqual([
      { place: 'Oslo', country: 'Norway' },
      {
        place: 'Atlantis',
        country: null,
        error: { code: 'UNKNOWN_PLACE', detail: 'no place is called Atlantis' },
      },
      { country: null, error: { code: 'INVALID_PARAMETERS', detail: 'place is missing' } },
    ]);
    expect((await post('is_prime/batch', Array(1001).fill({ number: 1 }))).status).toBe(400);
    expect((await post('is_prime/batch', { number: 1 })).status).toBe(400);
  });

  test.each([
    ['get_country_of_place?place=Atlantis', 404, 'UNKNOWN_PLACE', 'no_place'],
    // Towns where customers live are places; the customers are not.
    ['get_country_of_place?place=Ada%20Long', 404, 'UNKNOWN_PLACE', 'no_place'],
    ['is_prime?number=seven', 400, 'INVALID_PARAMETERS', 'wrong_type'],
    ['is_prime', 400, 'INVALID_PARAMETERS', 'missing'],
    ['is_prime?numbr=7', 400, 'INVALID_PARAMETERS', 'unknown_parameter'],
    ['count_characters?string=a&kind=letters', 400, 'INVALID_PARAMETERS', 'not_one_of'],
    ['list_prime_factors?number=1000000001', 400, 'INVALID_PARAMETERS', 'out_of_range'],
    ['is_prim?number=7', 404, 'UNKNOWN_ENDPOINT', 'unknown_endpoint'],
  ] as const)('%s is %i', async (path, status, code, entry) => {
    const answer = await get(path);
    expect([answer.status, answer.body.code, answer.body.errors[0].code]).toEqual([status, code, entry]);
  });

  test('the document is valid OpenAPI and names every API', async () => {
    const document = scalarsOpenapi(service);
    expect(await new Validator().validate(structuredClone(document))).toMatchObject({ valid: true });
    expect((await app.inject(ROOT)).json()).toEqual(JSON.parse(JSON.stringify(document)));
    for (const path of Object.keys(document.paths).filter((each) => !each.endsWith('/batch')))
      expect((await app.inject(path)).statusCode).toBe(400);
  });
});

describe('in SQLite', () => {
  const rows = (sql: string): readonly (readonly unknown[])[] => {
    const caps = { maxRows: 1000, maxBytes: 1e6 };
    const scalars = { places: placeSources(service.catalog) };
    const reply = runInWorkspace({
      kind: 'run',
      database,
      statement: { sql, columns: [] },
      tables: [],
      scalars,
      caps,
      raw: true,
    });
    if (reply.kind !== 'values') throw new Error(`there are no values: ${reply.kind}`);
    return reply.values;
  };

  test('as functions', () => {
    expect(rows('SELECT name FROM customer WHERE is_fibonacci(points) ORDER BY points')).toEqual([
      ['Ada Long'],
      [null],
    ]);
    expect(rows('SELECT is_prime(count_syllables(name)) FROM customer ORDER BY points')).toEqual([
      [1n],
      [1n],
      [null],
    ]);
    expect(rows("SELECT get_country_of_place('Quay Depot'), get_country_of_place('Atlantis')")).toEqual([
      ['Ireland', null],
    ]);
  });

  test('as virtual tables, joined in any order', () => {
    const joined = [
      'customer AS c JOIN count_syllables AS s ON s.string = c.name JOIN is_prime AS p ON p.number = s.count',
      'is_prime AS p JOIN count_syllables AS s ON p.number = s.count JOIN customer AS c ON s.string = c.name',
    ];
    for (const from of joined)
      expect(rows(`SELECT c.name, s.count, p.truth FROM ${from} WHERE p.truth = 1 ORDER BY c.name`)).toEqual([
        ['Ada Long', 3n, 1n],
        ['Bo Short', 2n, 1n],
      ]);
    expect(
      rows(
        'SELECT c.points, g.country FROM customer AS c LEFT JOIN get_country_of_place AS g ON g.place = c.name',
      ).length,
    ).toBe(3);
  });

  test('lists as rows of virtual tables', () => {
    expect(
      rows(
        'SELECT c.name, w.word FROM customer AS c JOIN list_words AS w ON w.string = c.name WHERE w.position = 2 ORDER BY 1',
      ),
    ).toEqual([
      ['Ada Long', 'Long'],
      ['Bo Short', 'Short'],
    ]);
    const nines = 'SELECT 1 FROM list_prime_factors AS f WHERE f.number = points AND f.factor = 3';
    expect(rows(`SELECT points FROM customer WHERE EXISTS (${nines})`)).toEqual([[9n]]);
    expect(
      rows(
        'SELECT points FROM customer WHERE points IN (SELECT number FROM list_prime_factors WHERE number = 8)',
      ),
    ).toEqual([[8n]]);
    expect(() => rows("SELECT list_words('a b')")).toThrow('no such function');
  });

  test('refuses virtual tables whose inputs nothing constrains', () => {
    expect(() => rows('SELECT * FROM is_prime')).toThrow('is_prime is read without number');
  });
});
