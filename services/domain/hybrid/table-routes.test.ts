import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import Database from 'better-sqlite3';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TABLE_API_STYLES, type TableApiStyle, tableAnswer } from '../../../contracts/hybrid.ts';
import type { Service } from '../../../contracts/service.ts';
import { readCatalog } from '../../../generator/read/catalog.ts';
import { namedProfile } from '../../agents/faults.ts';
import { givenTasks } from '../../agents/task-book.ts';
import { agentPlugin, buildApp } from '../../index.ts';
import { temporaryFolder } from '../../testing/zoo.ts';
import { tablesOpenapi } from './table-routes.ts';

const ROWS = `
  CREATE TABLE Museum (
    Museum_ID INTEGER PRIMARY KEY, Name TEXT, Staff INTEGER, Area REAL, "limit" TEXT, "Percent (%)" REAL
  );
  INSERT INTO Museum VALUES
    (1, 'Plaza', 60, 12.5, 'a', 1.0), (2, 'Quay', 25, NULL, 'b', 2.0), (3, 'Mill', 25, 7, NULL, 3.0),
    (4, 'Ärmel', NULL, 90.25, 'b', 4.0), (5, '', 9007199254740993, 0, 'c', 5.0);
  CREATE TABLE visit (museum INTEGER, visitor TEXT, PRIMARY KEY (visitor, museum)) WITHOUT ROWID;
  CREATE TABLE day (n INTEGER);
  WITH RECURSIVE c(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM c WHERE n < 2499) INSERT INTO day SELECT n % 7 FROM c;
  INSERT INTO visit SELECT n % 5, 'v' || n FROM (SELECT rowid AS n FROM day LIMIT 20);
  CREATE VIEW big AS SELECT Name FROM Museum WHERE Staff > 30;`;

const folder = temporaryFolder();
const apps = new Map<TableApiStyle, FastifyInstance>();
let plain: Database.Database;
let service: Service;
beforeAll(async () => {
  plain = new Database(':memory:');
  plain.exec(ROWS);
  const database = join(folder.path, 'museums.sqlite');
  writeFileSync(database, plain.serialize());
  service = {
    format_version: 1,
    split: 'test',
    db: 'museums',
    title: 'Museums',
    reference_time: '2024-01-01 00:00:00',
    endpoints: [],
    start_tables: [],
    catalog: readCatalog('museums', plain),
  };
  for (const tableApi of TABLE_API_STYLES)
    apps.set(tableApi, await buildApp({ domains: [{ service, database }], logger: false, tableApi }));
});
afterAll(async () => {
  for (const app of apps.values()) await app.close();
  plain.close();
  folder.remove();
});

async function get(style: TableApiStyle, path: string) {
  const answer = await (apps.get(style) as FastifyInstance).inject(`/v1/test/museums/tables${path}`);
  return { status: answer.statusCode, headers: answer.headers, body: answer.json(), text: answer.body };
}

async function send(style: TableApiStyle, table: string, payload: object) {
  const url = `/v1/test/museums/tables/${table}`;
  const answer = await (apps.get(style) as FastifyInstance).inject({ method: 'POST', url, payload });
  return { status: answer.statusCode, body: answer.json(), text: answer.body };
}

/** Each call with equivalent SQL written by hand. */
const CASES: readonly (readonly [TableApiStyle, string, object, string])[] = [
  ['paper', 'museum', { name: 'Plaza' }, "SELECT * FROM Museum WHERE Name = 'Plaza'"],
  ['paper', 'museum', { staff: 25, limit_2: 'b' }, 'SELECT * FROM Museum WHERE Museum_ID = 2'],
  ['paper', 'day', {}, 'SELECT * FROM day'],
  ['plain', 'Museum', { Staff: 25 }, 'SELECT * FROM Museum WHERE Staff = 25'],
  ['plain', 'Museum', { Name: '' }, "SELECT * FROM Museum WHERE Name = ''"],
  ['plain', 'Museum', { Percent: 2 }, 'SELECT * FROM Museum WHERE "Percent (%)" = 2'],
  ['plain', 'day', { limit: 3, offset: 2498 }, 'SELECT * FROM day LIMIT 3 OFFSET 2498'],
  ['plain', 'visit', { limit: 5 }, 'SELECT * FROM visit ORDER BY visitor, museum LIMIT 5'],
  ['rich', 'Museum', { Staff__gt: 25 }, 'SELECT * FROM Museum WHERE Staff > 25'],
  ['rich', 'Museum', { Staff__ge: 25, Area__lt: 10 }, 'SELECT * FROM Museum WHERE Museum_ID IN (3, 5)'],
  ['rich', 'Museum', { Area__le: 12.5 }, 'SELECT * FROM Museum WHERE Area <= 12.5'],
  ['rich', 'Museum', { Name__ne: 'Mill' }, "SELECT * FROM Museum WHERE Name <> 'Mill'"],
  ['rich', 'Museum', { Name__like: '%l%' }, "SELECT * FROM Museum WHERE Name LIKE '%l%'"],
  ['rich', 'Museum', { Museum_ID__in: [1, 4, 9] }, 'SELECT * FROM Museum WHERE Museum_ID IN (1, 4, 9)'],
  ['rich', 'Museum', { Museum_ID__in: [] }, 'SELECT * FROM Museum WHERE 0'],
  ['rich', 'Museum', { Staff__is_null: true }, 'SELECT * FROM Museum WHERE Staff IS NULL'],
  ['rich', 'Museum', { limit_2__is_null: false }, 'SELECT * FROM Museum WHERE "limit" IS NOT NULL'],
  ['rich', 'Museum', { select: ['Name', 'Staff'] }, 'SELECT Name, Staff FROM Museum'],
  ['rich', 'day', { select: ['n'], distinct: true }, 'SELECT DISTINCT n FROM day ORDER BY n'],
  ['rich', 'Museum', { order_by: ['Staff', '-Area'] }, 'SELECT * FROM Museum ORDER BY Staff, Area DESC'],
  ['rich', 'Museum', { aggregate: 'count' }, 'SELECT COUNT(*) FROM Museum'],
  ['rich', 'Museum', { aggregate: 'count', aggregate_column: 'Staff' }, 'SELECT COUNT(Staff) FROM Museum'],
  ['rich', 'day', { aggregate: 'sum', aggregate_column: 'n' }, 'SELECT SUM(n) FROM day'],
  ['rich', 'Museum', { aggregate: 'avg', aggregate_column: 'Area' }, 'SELECT AVG(Area) FROM Museum'],
  ['rich', 'Museum', { aggregate: 'max', aggregate_column: 'Name' }, 'SELECT MAX(Name) FROM Museum'],
  ['rich', 'Museum', { group_by: ['limit_2'] }, 'SELECT "limit" FROM Museum GROUP BY 1 ORDER BY 1'],
  [
    'rich',
    'day',
    { group_by: ['n'], aggregate: 'count', order_by: ['-count', 'n'], limit: 2 },
    'SELECT n, COUNT(*) FROM day GROUP BY n ORDER BY 2 DESC, 1 LIMIT 2',
  ],
  ['rich', 'big', {}, 'SELECT * FROM big ORDER BY 1'],
];

describe('a call gives the rows of its SQL', () => {
  test.each(CASES)('%s %s %j', async (style, table, args, sql) => {
    const { status, body, text } = await send(style, table, args);
    expect(status, text).toBe(200);
    const { data, row_count } = tableAnswer.parse(body);
    const expected = plain.prepare(sql).safeIntegers().raw().all() as unknown[][];
    const shown = expected.slice(0, style === 'paper' ? undefined : 100);
    expect(row_count).toBe(shown.length);
    const plainly = (value: unknown) => (value === null ? null : String(value));
    // Long integers keep all their digits.
    if (!text.includes('9007199254740993'))
      expect(data.map((row) => Object.values(row).map(plainly))).toEqual(
        shown.map((row) => row.map(plainly)),
      );
  });

  test('takes arguments in the URL or the body, with lists as repeated parameters', async () => {
    const { body } = await get('rich', '/Museum?Museum_ID__in=1&Museum_ID__in=3&order_by=-Name&select=Name');
    expect(body.data).toEqual([{ Name: 'Plaza' }, { Name: 'Mill' }]);
  });

  test('keeps all digits of integers', async () => {
    const { text } = await get('plain', '/Museum?Staff=9007199254740993');
    expect(text).toContain('"Staff":9007199254740993');
  });
});

describe('pages', () => {
  test('have every row once, in table order, and link to the next page', async () => {
    const seen: number[] = [];
    let path: string | null = '/day?limit=1000';
    while (path !== null) {
      const { body, headers } = await get('plain', path);
      expect(body.total).toBe(2500);
      seen.push(...body.data.map(({ n }: { n: number }) => n));
      const next = /<(?:.*\/tables)(.*)>; rel="next"/.exec(String(headers.link))?.[1] ?? null;
      expect(next === null).toBe(body.next_offset === null);
      expect(body.truncated).toBe(next !== null);
      path = next;
    }
    expect(seen).toEqual(plain.prepare('SELECT n FROM day ORDER BY rowid').pluck().all());
  });

  test('do not exist in the style of the paper', async () => {
    const { status, body } = await get('paper', '/day?limit=5');
    expect([status, body.errors[0].code]).toEqual([400, 'unknown_parameter']);
    expect((await get('paper', '/day')).body).toMatchObject({
      row_count: 2500,
      total: 2500,
      next_offset: null,
    });
  });

  test('beyond the last are empty', async () => {
    const { body } = await get('plain', '/day?offset=9999');
    expect(body).toEqual({ data: [], row_count: 0, total: 2500, next_offset: null, truncated: false });
  });
});

describe('an invalid call reports the field and the nearest names', () => {
  test.each([
    ['plain', { Nane: 'x' }, 'Nane', 'unknown_parameter', 'Name'],
    ['plain', { Staff__gt: 1 }, 'Staff__gt', 'unknown_parameter', 'Staff'],
    ['plain', { Staff: 'many' }, 'Staff', 'wrong_type', undefined],
    ['plain', { Staff: 1.5 }, 'Staff', 'wrong_type', undefined],
    ['plain', { Staff: true }, 'Staff', 'wrong_type', undefined],
    ['plain', { Name: 5 }, 'Name', 'wrong_type', undefined],
    ['plain', { Name: ['a', 'b'] }, 'Name', 'repeated', undefined],
    ['plain', { limit: 1001 }, 'limit', 'out_of_range', undefined],
    ['plain', { offset: -1 }, 'offset', 'out_of_range', undefined],
    ['rich', { select: ['Nam'] }, 'select', 'unknown_column', 'Name'],
    ['rich', { order_by: ['-Staf'] }, 'order_by', 'unknown_column', 'Staff'],
    ['rich', { aggregate: 'median' }, 'aggregate', 'not_one_of', undefined],
    ['rich', { aggregate: 'sum' }, 'aggregate_column', 'missing', undefined],
    ['rich', { aggregate_column: 'Staff' }, 'aggregate', 'missing', undefined],
    ['rich', { group_by: ['Staff'], select: ['Name'] }, 'select', 'unknown_parameter', undefined],
    ['rich', { Staff__is_null: 'perhaps' }, 'Staff__is_null', 'wrong_type', undefined],
    ['rich', { Name__like: 5 }, 'Name__like', 'wrong_type', undefined],
  ] as const)('%s %j', async (style, args, field, code, suggestion) => {
    const { status, body } = await send(style, 'Museum', args);
    expect([status, body.code]).toEqual([400, 'INVALID_PARAMETERS']);
    expect(body.errors[0]).toMatchObject({ field, code });
    if (suggestion) expect(body.errors[0].suggestions).toContain(suggestion);
  });

  test.each([
    ['limit', [{ toString: 1 }]],
    ['offset', { toString: null }],
    ['order_by', [{ toString: 1 }]],
  ])('rejects an object as %s', async (field, given) => {
    const { status, body } = await send('rich', 'day', { [field]: given });
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toContain(field);
  });

  test('rejects a list that is too long', async () => {
    const { body } = await send('rich', 'Museum', { Museum_ID__in: Array(1001).fill(1) });
    expect(body.errors[0]).toMatchObject({ field: 'Museum_ID__in', code: 'out_of_range' });
  });

  test('rejects an unknown table', async () => {
    const { status, body } = await get('rich', '/Musem');
    expect([status, body.code, body.errors[0].suggestions]).toEqual([404, 'UNKNOWN_ENDPOINT', ['Museum']]);
    expect((await get('rich', '/sqlite_schema')).status).toBe(404);
  });

  test('rejects arguments in two places', async () => {
    const url = '/v1/test/museums/tables/Museum?Staff=25';
    const answer = await (apps.get('rich') as FastifyInstance).inject({ method: 'POST', url, payload: {} });
    expect(answer.statusCode).toBe(400);
  });
});

describe('the document', () => {
  test.each(TABLE_API_STYLES)(
    "of style %s is valid OpenAPI, and matches the service's answers",
    async (style) => {
      const document = tablesOpenapi(service, style);
      expect(await new Validator().validate(structuredClone(document))).toMatchObject({ valid: true });
      expect((await get(style, '')).body).toEqual(JSON.parse(JSON.stringify(document)));
    },
  );

  test('has every parameter of the paper, in lower case, all optional', () => {
    const { paths } = tablesOpenapi(service, 'paper');
    const { parameters } = paths['/v1/test/museums/tables/museum']?.get ?? { parameters: [] };
    expect(parameters.map(({ name, required }) => [name, required])).toEqual(
      ['museum_id', 'name', 'staff', 'area', 'limit_2', 'percent'].map((name) => [name, false]),
    );
  });
});

test('injected faults apply to calls of tables, and in an exam only the harness may call them', async () => {
  const database = join(folder.path, 'museums.sqlite');
  const harnessKey = 'the-key-of-whoever-gives-the-exam';
  const tasks = givenTasks([]);
  const build = (more: object) =>
    buildApp({
      domains: [{ service, database }],
      logger: false,
      plugins: [agentPlugin({ tasks, farmHash: 'f'.repeat(64), harnessKey, ...more })],
    });
  const flaky = await build({ faults: namedProfile('chaos') });
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, i) => flaky.inject(`/v1/test/museums/tables/day?offset=${i}`)),
  );
  expect(new Set(answers.map(({ statusCode }) => statusCode)).size).toBeGreaterThan(1);
  await flaky.close();
  const exam = await build({ exam: true });
  expect((await exam.inject('/v1/test/museums/tables/day')).statusCode).toBe(403);
  const headers = { 'x-harness-key': harnessKey };
  expect((await exam.inject({ url: '/v1/test/museums/tables/day', headers })).statusCode).toBe(200);
  await exam.close();
});
