import { join } from 'node:path';
import Database from 'better-sqlite3';
import { LosslessNumber } from 'lossless-json';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FieldError } from '../../../contracts/api.ts';
import { addressOf } from '../../../contracts/formulation.ts';
import { rest } from '../../../contracts/formulations.ts';
import { listSql } from '../../../contracts/service.ts';
import type { HttpProblem } from '../../base/http/problem.ts';
import { endpoint, makeZoo, parameter, temporaryFolder, zooService } from '../../testing/zoo.ts';
import { buildApp } from '../app.ts';
import { type BoundParameters, bindParameters, type QueryString, spellOutLists } from './parameters.ts';

const parameters = [
  parameter('count', 'integer'),
  parameter('ratio', 'number'),
  parameter('superhero_name', 'string'),
  parameter('ids', 'integer', { array: true }),
  parameter('weights', 'number', { array: true }),
  parameter('names', 'string', { array: true }),
];
const given = { count: '1', ratio: '1', superhero_name: '', ids: '1', weights: '1', names: 'x' };

const bind = (more: QueryString) => bindParameters(parameters, { ...given, ...more }).values;

function errorsOf(query: QueryString): readonly FieldError[] {
  try {
    bindParameters(parameters, query);
  } catch (problem) {
    return (problem as HttpProblem).errors;
  }
  return [];
}

test('binds each type with its SQLite type', () => {
  expect(bind({})).toEqual({
    count: 1n,
    ratio: 1,
    superhero_name: '',
    ids: '[1]',
    weights: '[1.0]',
    names: '["x"]',
  });
});

test.each([
  ['0', 0n],
  ['-7', -7n],
  ['007', 7n],
  ['5.0', 5n],
  ['9223372036854775807', 2n ** 63n - 1n],
  ['-9223372036854775808', -(2n ** 63n)],
])('integer %s', (text, value) => {
  expect(bind({ count: text }).count).toBe(value);
});

test.each(['', ' 1', '1.5', '1e3', '0x10', '1_000', 'NaN', '१', 'null', '--1', '5.'])(
  'not an integer: "%s"',
  (text) => {
    expect(errorsOf({ ...given, count: text })).toEqual([
      { field: 'count', code: 'wrong_type', message: 'count must be an integer' },
    ]);
  },
);

test.each(['9223372036854775808', '-9223372036854775809', '1'.repeat(40)])('out of range: %s', (text) => {
  expect(errorsOf({ ...given, count: text })).toMatchObject([{ field: 'count', code: 'out_of_range' }]);
});

test.each([
  ['1e3', 1000],
  ['-.5', -0.5],
  ['5.', 5],
  ['1E-2', 0.01],
])('number %s', (text, value) => {
  expect(bind({ ratio: text }).ratio).toBe(value);
});

test.each(['', 'abc', '1,5', 'Infinity', '0x1', '1e', '.', '1 '])('not a number: "%s"', (text) => {
  expect(errorsOf({ ...given, ratio: text })).toMatchObject([{ field: 'ratio', code: 'wrong_type' }]);
});

test('a number too large for a double is out of range', () => {
  expect(errorsOf({ ...given, ratio: '1e400' })).toMatchObject([{ field: 'ratio', code: 'out_of_range' }]);
});

test('arrays keep order, type and every digit', () => {
  const values = bind({
    ids: ['9007199254740993', '-1'],
    weights: ['2', '1e21', '0.5'],
    names: ['a"b', '', 'é'],
  });
  expect(values).toMatchObject({
    ids: '[9007199254740993,-1]',
    weights: '[2.0,1.0e+21,0.5]',
    names: '["a\\"b","","é"]',
  });
});

test('one wrong element makes the array wrong', () => {
  expect(errorsOf({ ...given, ids: ['1', 'x'] })).toMatchObject([{ field: 'ids', code: 'wrong_type' }]);
});

test('reports every error at once, one entry per field', () => {
  expect(
    errorsOf({ count: ['1', '2'], ratio: 'x', superhero_nam: 'a', ids: '1', weights: '1', names: 'x' }),
  ).toEqual([
    { field: 'count', code: 'repeated', message: 'count is given 2 times' },
    { field: 'ratio', code: 'wrong_type', message: 'ratio must be a number' },
    { field: 'superhero_name', code: 'missing', message: 'superhero_name is missing' },
    {
      field: 'superhero_nam',
      code: 'unknown_parameter',
      message: 'there is no parameter superhero_nam; did you mean superhero_name?',
      suggestions: ['superhero_name'],
    },
  ]);
});

test('neither compares nor fully echoes a very long unknown name', () => {
  const [error] = errorsOf({ ...given, ['x'.repeat(10_000)]: '1' });
  expect(error?.field.length).toBeLessThan(70);
  expect(error?.suggestions).toBeUndefined();
});

const echo = endpoint(
  'echo_by_name_and_weight',
  'SELECT :name AS name, :weight AS weight, :most AS most',
  ['name', 'weight', 'most'],
  {
    path: '/v1/test/zoo/animals/{name}/{weight}/echo_by_name_and_weight',
    parameters: [
      parameter('name', 'string', { in: 'path' }),
      parameter('weight', 'integer', { in: 'path' }),
      parameter('most', 'number'),
    ],
  },
);
const service = zooService([echo]);
const folder = temporaryFolder();
const database = join(folder.path, 'zoo.sqlite');
let app: Awaited<ReturnType<typeof buildApp>>;
beforeAll(async () => {
  makeZoo(database);
  app = await buildApp({ domains: [{ service, database }], logger: false });
});
afterAll(async () => {
  await app.close();
  folder.remove();
});

const ask = async (url: string) => {
  const answer = await app.inject(url);
  return { status: answer.statusCode, body: answer.body };
};
const call = (args: Record<string, unknown>) =>
  addressOf(rest.requestOf(service, { name: echo.operation_id, arguments: args }));

describe('an endpoint with parameters in its path', () => {
  test.each(['Ada', 'a/b', '../b', '...', ' ', 'a?b=c#d', '100%', '%2F', '+', 'Zoë 🐘', 'x'.repeat(900)])(
    'gets the text %s unchanged',
    async (name) => {
      const address = call({ name, weight: 12, most: 1.5 });
      expect(address).toContain(`/animals/${encodeURIComponent(name)}/12/`);
      const { body } = await ask(address);
      expect(JSON.parse(body).data).toEqual([{ name, weight: 12, most: 1.5 }]);
    },
  );

  test('gets every digit of an integer', async () => {
    const address = call({ name: 'a', weight: new LosslessNumber('-9223372036854775808'), most: 0 });
    expect(address).toContain('/a/-9223372036854775808/');
    expect((await ask(address)).body).toContain('"weight":-9223372036854775808');
  });

  test.each(['', '.', '..', 'x'.repeat(1100)])(
    'gets "%s", which a path cannot hold, in the query',
    async (name) => {
      const address = call({ name, weight: 12, most: 1 });
      expect(address).toMatch(/^\/v1\/test\/zoo\/echo_by_name_and_weight\?/);
      expect(JSON.parse((await ask(address)).body).data).toEqual([{ name, weight: 12, most: 1 }]);
    },
  );

  test('reports invalid values in path and query', async () => {
    expect(await ask('/v1/test/zoo/animals/Ada/heavy/echo_by_name_and_weight?most=1')).toMatchObject({
      status: 400,
      body: expect.stringContaining('weight must be an integer'),
    });
    expect(await ask('/v1/test/zoo/animals/Ada/1/echo_by_name_and_weight?most=1&name=Bob')).toMatchObject({
      status: 400,
      body: expect.stringContaining('name is given 2 times'),
    });
    expect(await ask(call({ name: ['Ada', 'Bob'], weight: 1, most: 1 }))).toMatchObject({
      status: 400,
      body: expect.stringContaining('name is given 2 times'),
    });
    expect(await ask(call({ weight: 1, most: 1 }))).toMatchObject({
      status: 400,
      body: expect.stringContaining('name is missing'),
    });
  });

  test.each([
    ['/v1/test/zoo/beasts/Ada/1/echo_by_name_and_weight?most=1', 'UNKNOWN_ROUTE'],
    ['/v1/test/zoo/animals/Ada/echo_by_name_and_weight?most=1', 'UNKNOWN_ROUTE'],
    ['/v1/test/zoo/animals/Ada/1/echo?most=1', 'UNKNOWN_ENDPOINT'],
  ])('has no other URL: %s', async (url, code) => {
    expect(await ask(url)).toMatchObject({ status: 404, body: expect.stringContaining(code) });
  });
});

const db = new Database(':memory:');
db.exec(`CREATE TABLE part (id INTEGER PRIMARY KEY, code TEXT, weight REAL);
  WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
    INSERT INTO part SELECT i, 'c' || (i % 50), i / 4.0 FROM n;
  CREATE INDEX part_code ON part (code);`);

const SQL = `SELECT id FROM part WHERE code IN (${listSql('codes')}) AND weight NOT IN (${listSql('weights')}) AND id > :least`;

function bound(codes: string[], weights: number[]): BoundParameters {
  const written = weights.map((each) => (Number.isInteger(each) ? `${each}.0` : String(each)));
  return {
    values: { codes: JSON.stringify(codes), weights: `[${written.join()}]`, least: 5n },
    lists: { codes, weights },
  };
}

const codes = (count: number) => Array.from({ length: count }, (_, i) => `c${i}`);

test.each([1, 2, 8, 9, 31, 500, 513])('a list of %i values gives the same rows as its JSON form', (count) => {
  const given = bound(codes(count), [2, 2.5]);
  const { sql, parameters } = spellOutLists(SQL, given);
  expect(db.prepare(sql).all(parameters)).toEqual(db.prepare(SQL).all(given.values));
});

test('lists of many lengths share a few statements', () => {
  const statements = new Set(
    Array.from({ length: 600 }, (_, i) => spellOutLists(SQL, bound(codes(i + 1), [1])).sql),
  );
  expect(statements.size).toBe(8 + 6 + 1);
});

test('SQLite plans a list of two values as it plans two literals', () => {
  const { sql, parameters } = spellOutLists(SQL, bound(['c1', 'c2'], [2]));
  const planOf = (text: string, values: Record<string, unknown>) =>
    db
      .prepare(`EXPLAIN QUERY PLAN ${text}`)
      .all(values)
      .map((step) => (step as { detail: string }).detail);
  expect(planOf(sql, parameters)).toEqual(
    planOf("SELECT id FROM part WHERE code IN ('c1', 'c2') AND weight NOT IN (2.0) AND id > 5", {}),
  );
});
