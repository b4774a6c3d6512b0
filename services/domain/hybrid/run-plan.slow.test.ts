import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseExactJson } from '../../../contracts/exact-json.ts';
import type { FaultProfile } from '../../../contracts/faults.ts';
import {
  type PlanAnswer,
  planAnswer,
  SHARES,
  TABLE_API_STYLES,
  type TableApiStyle,
} from '../../../contracts/hybrid.ts';
import { readCatalog } from '../../../generator/read/catalog.ts';
import { namedProfile } from '../../agents/faults.ts';
import { givenTasks } from '../../agents/task-book.ts';
import { seededNumber } from '../../base/seeded-order.ts';
import { agentPlugin, buildApp, type DomainOptions } from '../../index.ts';
import { temporaryFolder } from '../../testing/zoo.ts';
import { readPage, toSqlValue } from './call-options.ts';

const ROWS = `
  CREATE TABLE team (id INTEGER PRIMARY KEY, name TEXT, city TEXT COLLATE NOCASE, budget REAL);
  CREATE TABLE player (id INTEGER PRIMARY KEY, team_id INTEGER, name TEXT, age INTEGER, note TEXT, rank);
  CREATE TABLE game (home INTEGER, away INTEGER, day TEXT, goals INTEGER, PRIMARY KEY (home, away, day)) WITHOUT ROWID;
  CREATE TABLE "odd name" ("a b" TEXT, "limit" INTEGER, big INTEGER, data BLOB);
  CREATE VIEW roster AS SELECT p.name, t.name AS team, t.city, p.age * 2 AS twice FROM player AS p JOIN team AS t ON p.team_id = t.id;
  CREATE VIEW young AS SELECT name, team FROM roster WHERE twice < 43;
  INSERT INTO team VALUES (1, 'Anker', 'Bray', 10.5), (2, 'Birke', 'bray', 3), (3, 'Eck', NULL, NULL), (4, 'Nobody', 'Oslo', 0.0);
  INSERT INTO player VALUES
    (1, 1, 'Roman Bragin', 21, NULL, '1'), (2, 1, 'Ada Long', 21, 'x', 1), (3, 2, 'Bo', 34, 'y', 1.5), (4, 2, 'Cy', NULL, 'x', NULL),
    (5, 3, 'Di Short', 13, '', 'a'), (6, NULL, 'Ed', 55, 'x', '12'), (7, 9, 'Flo', 8, '12', 12);
  INSERT INTO game VALUES (1, 2, '2024-01-01', 3), (2, 1, '2024-01-08', 0), (1, 3, '2024-02-01', 5), (3, 1, '2024-02-02', NULL);
  INSERT INTO "odd name" VALUES ('x', 1, 9007199254740993, x'00ff'), ('y', 2, -9223372036854775808, NULL), (NULL, NULL, 0, x'');`;

/** Statements of many shapes. Every plan must give the same rows, in any order where the statement has no ORDER BY. */
const STATEMENTS: readonly string[] = [
  'SELECT * FROM team',
  'SELECT count(*) FROM player',
  "SELECT name FROM player WHERE note = 'x' AND age > 20",
  'SELECT name FROM player WHERE team_id = 1 OR team_id = 2',
  "SELECT name FROM player WHERE team_id = 1 OR note = 'x'",
  'SELECT name FROM player WHERE age IN (21, 34, 21)',
  'SELECT name FROM player WHERE age BETWEEN 20 AND 40',
  'SELECT name FROM player WHERE NOT age = 21',
  'SELECT name FROM player WHERE age IS NULL OR note IS NULL',
  "SELECT name FROM player WHERE rank = '1'",
  'SELECT name FROM player WHERE rank = 1',
  "SELECT name FROM player WHERE age = '21'",
  'SELECT name FROM player WHERE note = 12',
  "SELECT name FROM team WHERE city = 'BRAY'",
  "SELECT name FROM team WHERE city = 'Bray' OR city = 'bray'",
  "SELECT name FROM player WHERE name LIKE 'b%'",
  'SELECT name FROM team WHERE budget = 3 OR budget = 3.0 OR budget = 10.5',
  'SELECT p.name, t.name FROM player AS p JOIN team AS t ON p.team_id = t.id',
  "SELECT p.name, t.name FROM player AS p JOIN team AS t ON p.team_id = t.id WHERE t.name = 'Anker'",
  "SELECT p.name FROM player AS p, team AS t WHERE t.id = p.team_id AND p.note = 'x'",
  'SELECT t.name, count(p.id) FROM team AS t LEFT JOIN player AS p ON p.team_id = t.id GROUP BY t.id',
  'SELECT t.name FROM team AS t LEFT JOIN player AS p ON p.team_id = t.id WHERE p.id IS NULL',
  'SELECT t.name, p.name FROM team AS t LEFT JOIN player AS p ON p.team_id = t.id AND p.age = 21',
  'SELECT t.name, p.name FROM team AS t LEFT JOIN player AS p ON p.team_id = t.id WHERE p.age = 21',
  'SELECT t.name, p.name FROM player AS p RIGHT JOIN team AS t ON p.team_id = t.id AND t.id = 1',
  'SELECT t.name, p.name FROM player AS p FULL JOIN team AS t ON p.team_id = t.id',
  'SELECT a.name, b.name FROM player AS a JOIN player AS b ON a.age = b.age AND a.id < b.id',
  'SELECT h.name, a.name, g.goals FROM game AS g JOIN team AS h ON g.home = h.id JOIN team AS a ON g.away = a.id WHERE g.goals > 1',
  "SELECT g.day FROM game AS g JOIN team AS t ON g.home = t.id JOIN player AS p ON p.team_id = t.id WHERE p.name = 'Bo'",
  'SELECT name FROM team WHERE id IN (SELECT home FROM game WHERE goals = 3)',
  'SELECT name FROM team WHERE id NOT IN (SELECT home FROM game)',
  'SELECT name FROM team AS t WHERE EXISTS (SELECT 1 FROM player AS p WHERE p.team_id = t.id AND p.age = 21)',
  'SELECT name FROM team AS t WHERE NOT EXISTS (SELECT 1 FROM player AS p WHERE p.team_id = t.id)',
  'SELECT name, (SELECT max(age) FROM player WHERE team_id = team.id) FROM team',
  'SELECT name FROM player WHERE age > (SELECT avg(age) FROM player)',
  'SELECT name FROM player WHERE age = (SELECT max(age) FROM player WHERE team_id IN (SELECT id FROM team WHERE budget > 1))',
  'WITH old AS (SELECT * FROM player WHERE age > 20) SELECT t.name, o.name FROM team AS t JOIN old AS o ON o.team_id = t.id',
  'SELECT x.team_id, t.name FROM (SELECT team_id, count(*) AS n FROM player GROUP BY team_id) AS x JOIN team AS t ON t.id = x.team_id WHERE x.n > 1',
  'SELECT name FROM team UNION SELECT name FROM player WHERE age = 21',
  "SELECT name FROM player EXCEPT SELECT p.name FROM player AS p JOIN team AS t ON t.id = p.team_id WHERE t.city = 'bray'",
  'SELECT team_id, sum(age) OVER (PARTITION BY team_id) FROM player',
  'SELECT name FROM player ORDER BY age DESC, name LIMIT 3',
  'SELECT * FROM "odd name" WHERE "limit" = 1',
  'SELECT "a b", big, typeof(data) FROM "odd name" WHERE big = 9007199254740993',
  'SELECT o.big FROM "odd name" AS o JOIN team AS t ON t.id = o."limit"',
  'SELECT p.name FROM player AS p JOIN "odd name" AS o ON p.note = o."a b"',
  'SELECT p.name FROM player AS p JOIN player AS q ON p.note = q.age',
  'SELECT p.name FROM player AS p JOIN player AS q ON p.rank = q.rank WHERE q.id = 2',
  'SELECT p.name FROM team AS a JOIN team AS b ON a.city = b.city JOIN player AS p ON p.team_id = b.id WHERE a.id = 1',
  "SELECT name, twice FROM roster WHERE city = 'BRAY'",
  "SELECT y.name, t.budget FROM young AS y JOIN team AS t ON t.name = y.team WHERE t.city = 'bray'",
  'SELECT r.name FROM roster AS r JOIN player AS p ON p.age * 2 = r.twice WHERE p.id = 3',
  'SELECT typeof(budget), budget FROM team',
  'SELECT 1 WHERE EXISTS (SELECT * FROM team)',
  // Scalar APIs as functions and as virtual tables.
  'SELECT name FROM player WHERE is_prime(count_syllables(name))',
  'SELECT p.name, s.count FROM player AS p JOIN count_syllables AS s ON s.string = p.name WHERE s.count = 4',
  'SELECT p.name FROM is_fibonacci AS f JOIN player AS p ON f.number = p.age WHERE f.truth = 1',
  "SELECT p.name, c.count FROM player AS p JOIN count_characters AS c ON c.string = p.name AND c.kind = 'vowels'",
  'SELECT t.name, is_divisible(sum(p.age), 2) FROM team AS t JOIN player AS p ON p.team_id = t.id GROUP BY t.id',
  'SELECT name FROM team ORDER BY count_characters(name) DESC, name LIMIT 2',
  'SELECT p.name FROM player AS p WHERE EXISTS (SELECT 1 FROM is_prime AS i WHERE i.number = p.age AND i.truth = 1)',
  "SELECT s.string, s.count FROM count_syllables AS s WHERE s.string = 'table' OR s.string = 'cakes'",
];

const folder = temporaryFolder();
const apps = new Map<TableApiStyle, FastifyInstance>();
let plain: Database.Database;
let domain: DomainOptions;
beforeAll(async () => {
  plain = new Database(':memory:');
  plain.exec(ROWS);
  const database = join(folder.path, 'teams.sqlite');
  writeFileSync(database, plain.serialize());
  const service = {
    format_version: 1,
    split: 'test',
    db: 'teams',
    title: 'Teams',
    reference_time: '2024-01-01 00:00:00',
    endpoints: [],
    start_tables: [],
    catalog: readCatalog('teams', plain),
  } as const;
  domain = { service: { ...service, endpoints: [], start_tables: [] }, database };
  for (const tableApi of TABLE_API_STYLES)
    apps.set(
      tableApi,
      await buildApp({
        domains: [{ service: { ...service, endpoints: [], start_tables: [] }, database }],
        logger: false,
        tableApi,
      }),
    );
});
afterAll(async () => {
  for (const app of apps.values()) await app.close();
  plain.close();
  folder.remove();
});

async function run(style: TableApiStyle, payload: object) {
  const app = apps.get(style) as FastifyInstance;
  const answer = await app.inject({ method: 'POST', url: '/v1/test/teams/sql', payload });
  return { status: answer.statusCode, text: answer.body, body: parseExactJson(answer.body) };
}

async function answerOf(style: TableApiStyle, payload: object): Promise<PlanAnswer> {
  const { status, text, body } = await run(style, payload);
  expect(status, `${JSON.stringify(payload)}: ${text}`).toBe(200);
  return planAnswer.parse(body);
}

/** Rows as a multiset, unless the statement orders them; compared as text, so that 1 and 1.0 differ. */
async function rowsOf(style: TableApiStyle, payload: { sql: string }): Promise<string> {
  const { status, text } = await run(style, payload);
  expect(status, `${JSON.stringify(payload)}: ${text}`).toBe(200);
  const data = text.slice(text.indexOf('"data":[') + 8, text.indexOf('],"row_count"'));
  const rows = data.split(/(?<=\}),(?=\{)/);
  return (payload.sql.includes('ORDER BY') ? rows : rows.sort()).join('\n');
}

describe('both executors give the rows of SQLite, whatever is hidden', () => {
  test.each(STATEMENTS)('%s', async (sql) => {
    const inSqlite = await rowsOf('rich', { sql, executor: 'functions' } as { sql: string });
    if (!/is_|count_/.test(sql)) {
      const expected = plain.prepare(sql).raw().all();
      expect((await answerOf('rich', { sql })).row_count).toBe(expected.length);
    }
    for (const style of TABLE_API_STYLES)
      for (const share of style === 'rich' ? SHARES : [40, 100])
        expect(await rowsOf(style, { sql, share } as { sql: string }), `${style} ${share}`).toBe(inSqlite);
  });
});

/** A seeded number below `below` for one statement and purpose. */
const draw = (seed: number, purpose: string, below: number) =>
  Math.floor(seededNumber(seed, purpose) * below);

/** A random statement of joins and conditions. */
function drawnStatement(seed: number): string {
  const joins = [
    'player AS p JOIN team AS t ON p.team_id = t.id',
    'player AS p LEFT JOIN team AS t ON p.team_id = t.id',
    'team AS t LEFT JOIN player AS p ON p.team_id = t.id AND p.age > 20',
    'game AS g JOIN team AS t ON t.id = g.home JOIN player AS p ON p.team_id = g.away',
    'team AS t CROSS JOIN player AS p',
    'player AS p FULL JOIN team AS t ON p.team_id = t.id',
  ];
  const conditions = [
    'p.age = 21',
    'p.age > 13',
    "p.note = 'x'",
    "t.city = 'bray'",
    "t.name IN ('Anker', 'Eck')",
    'p.id IS NULL',
    't.budget < 5',
    "p.name LIKE '%o%'",
    'p.age = t.id',
    "p.rank = '1'",
    'p.team_id IN (SELECT home FROM game WHERE goals > 2)',
    'EXISTS (SELECT 1 FROM game WHERE home = t.id)',
    'NOT p.age = 34',
  ];
  const pick = <T>(purpose: string, items: readonly T[]) => items[draw(seed, purpose, items.length)] as T;
  const term = (name: string): string => {
    const a = pick(`${name} a`, conditions);
    const b = pick(`${name} b`, conditions);
    return pick(`${name} shape`, [
      a,
      `(${a} OR ${b})`,
      `${a} AND ${b}`,
      `((${a} AND ${b}) OR ${pick(`${name} c`, conditions)})`,
    ]);
  };
  const select = pick('select', [
    't.name, p.name',
    'DISTINCT t.id',
    'count(*), max(p.age)',
    't.city, p.rank',
  ]);
  return `SELECT ${select} FROM ${pick('from', joins)} WHERE ${term('one')}${draw(seed, 'two', 2) ? ` AND ${term('two')}` : ''}`;
}

test('random statements agree too, at random shares and seeds', async () => {
  for (let seed = 0; seed < 40; seed++) {
    const sql = drawnStatement(seed);
    const style = TABLE_API_STYLES[draw(seed, 'style', 3)] as TableApiStyle;
    const hidden = { share: draw(seed, 'share', 101), seed: draw(seed, 'seed', 50) };
    const expected = await rowsOf(style, { sql, executor: 'functions' } as { sql: string });
    expect((await answerOf(style, { sql })).row_count, sql).toBe(plain.prepare(sql).all().length);
    expect(
      await rowsOf(style, { sql, ...hidden } as { sql: string }),
      `${sql} ${JSON.stringify(hidden)}`,
    ).toBe(expected);
  }
});

describe('a plan', () => {
  test("pushes the statement's conditions to the API", async () => {
    const { plan } = await answerOf('plain', { sql: 'SELECT name FROM player WHERE id = 2', share: 100 });
    expect(plan).toEqual([
      { api: 'tables/player', alias: 'player', by: 'values', calls: 1, pages: 1, keys: 0, rows: 1 },
    ]);
  });

  test('makes each request once, and fetches rows read twice only once', async () => {
    const sql = 'SELECT a.name FROM team AS a JOIN team AS b ON a.budget <> b.budget';
    const { calls, rows_moved } = await answerOf('plain', { sql, share: 100 });
    expect([calls, rows_moved]).toEqual([1, 4]);
  });

  test('requests the keys of fetched rows', async () => {
    const values = Array.from({ length: 3000 }, (_, i) => `(${i}, ${i % 900})`).join(',');
    const database = join(folder.path, 'large.sqlite');
    const db = new Database(':memory:');
    db.exec(`CREATE TABLE small (k INTEGER); INSERT INTO small VALUES (1), (2), (2), (NULL);
      CREATE TABLE large (id INTEGER PRIMARY KEY, k INTEGER); INSERT INTO large VALUES ${values};`);
    writeFileSync(database, db.serialize());
    const service = {
      format_version: 1 as const,
      split: 'test',
      db: 'teams',
      title: 'Large',
      reference_time: '2024-01-01 00:00:00',
      endpoints: [],
      start_tables: [],
      catalog: readCatalog('teams', db),
    };
    const expected = db.prepare('SELECT count(*) FROM small JOIN large ON small.k = large.k').pluck().get();
    db.close();
    for (const [tableApi, calls] of [
      ['plain', 2],
      ['rich', 1],
    ] as const) {
      const app = await buildApp({ domains: [{ service, database }], logger: false, tableApi });
      const sql = 'SELECT count(*) AS n FROM small JOIN large ON small.k = large.k';
      const payload = { sql, share: 100 };
      const body = planAnswer.parse(
        (await app.inject({ method: 'POST', url: '/v1/test/teams/sql', payload })).json(),
      );
      expect(body.data).toEqual([{ n: expected }]);
      expect(body.plan.at(-1)).toMatchObject({ api: 'tables/large', by: 'keys', keys: 2, calls, rows: 8 });
      const whole = { sql: 'SELECT sum(id) AS n FROM large', share: 100 };
      const all = planAnswer.parse(
        (await app.inject({ method: 'POST', url: '/v1/test/teams/sql', payload: whole })).json(),
      );
      expect(all.plan).toMatchObject([{ by: 'all', calls: 3, rows: 3000 }]);
      await app.close();
    }
  });

  test('requests several ranges, and counts a row in two of them once', async () => {
    const values = Array.from({ length: 3000 }, (_, i) => `(${i}, ${(i * 7) % 3000})`).join(',');
    const database = join(folder.path, 'ranges.sqlite');
    const db = new Database(':memory:');
    db.exec(`CREATE TABLE keyed (id INTEGER PRIMARY KEY, v INTEGER); INSERT INTO keyed VALUES ${values};
      CREATE TABLE keyless (id INTEGER, v INTEGER); INSERT INTO keyless VALUES ${values};`);
    writeFileSync(database, db.serialize());
    const catalog = readCatalog('teams', db);
    const service = { ...domain.service, catalog };
    const app = await buildApp({ domains: [{ service, database }], logger: false, tableApi: 'rich' });
    const ask = async (sql: string) => {
      const payload = { sql, share: 100 };
      return planAnswer.parse(
        (await app.inject({ method: 'POST', url: '/v1/test/teams/sql', payload })).json(),
      );
    };
    for (const condition of [
      'id < 300 OR v < 300',
      'v < 100 OR v < 300',
      'v < 9 OR v < 9 OR (id > 5 AND id < 9)',
    ]) {
      const sql = `SELECT count(*) AS n, sum(v) AS v FROM keyed WHERE ${condition}`;
      const expected = db.prepare(sql).get();
      const { data, plan } = await ask(sql);
      expect(data).toEqual([expected]);
      expect(plan).toMatchObject([{ by: 'values', calls: 2 }]);
      expect(plan[0]?.rows, sql).toBeLessThan(700);
      const keyless = await ask(sql.replace('keyed', 'keyless'));
      expect(keyless.data).toEqual([expected]);
      expect(keyless.plan).toMatchObject([{ by: 'all', rows: 3000 }]);
    }
    db.close();
    await app.close();
  });

  test('requests the values of a scalar API in batches, each once', async () => {
    const sql = 'SELECT is_prime(count_syllables(note)) AS x FROM player WHERE note IS NOT NULL';
    const { plan } = await answerOf('rich', { sql });
    expect(plan).toMatchObject([
      { api: 'scalars/count_syllables', by: 'inputs', calls: 1, keys: 4 },
      { api: 'scalars/is_prime', by: 'inputs', calls: 1, keys: 2 },
    ]);
  });

  test('reports how many place names are ambiguous', async () => {
    const sql = "SELECT get_country_of_place(p) FROM (SELECT 'London' AS p UNION SELECT 'Oslo')";
    const { data, plan } = await answerOf('rich', { sql });
    expect(data.flatMap((row) => Object.values(row)).sort()).toEqual(['Norway', 'United Kingdom']);
    expect(plan).toMatchObject([{ api: 'scalars/get_country_of_place', rows: 2, ambiguous: 1 }]);
  });
});

test('retries transient failures', async () => {
  const plugin = agentPlugin({
    tasks: givenTasks([]),
    farmHash: 'f'.repeat(64),
    harnessKey: 'the-key-of-whoever-gives-the-exam',
    faults: namedProfile('flaky') as FaultProfile,
  });
  const app = await buildApp({ domains: [domain], logger: false, plugins: [plugin] });
  const statuses: number[] = [];
  for (const sql of STATEMENTS.slice(0, 20)) {
    const answer = await app.inject({
      method: 'POST',
      url: '/v1/test/teams/sql',
      payload: { sql, share: 100 },
    });
    statuses.push(answer.statusCode);
    const rows = (text: string) => text.slice(text.indexOf('"data":['), text.indexOf('"executor"'));
    const { text } = await run('rich', { sql, share: 100 });
    if (answer.statusCode === 200) expect(rows(answer.body)).toBe(rows(text));
  }
  await app.close();
  // The statement itself meets faults too, and is not retried.
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(10);
});

describe('statements that cannot run', () => {
  test.each([
    [{ sql: 'SELECT * FROM is_prime' }, 422, 'UNBOUND_API_INPUT'],
    [{ sql: 'SELECT * FROM is_prime', executor: 'functions' }, 422, 'UNBOUND_API_INPUT'],
    [{ sql: 'SELECT nme FROM player', share: 100 }, 400, 'INVALID_PARAMETERS'],
    [{ sql: 'SELECT rowid FROM player', share: 100 }, 400, 'INVALID_PARAMETERS'],
    [{ sql: 'SELECT * FROM sqlite_schema', share: 40 }, 400, 'INVALID_PARAMETERS'],
    [{ sql: 'SELECT is_prim(1)' }, 400, 'INVALID_PARAMETERS'],
    [{ sql: 'SELECT 1', share: 101 }, 400, 'INVALID_PARAMETERS'],
    [{ sql: 'SELECT 1', executor: 'magic' }, 400, 'INVALID_PARAMETERS'],
    [{}, 400, 'INVALID_PARAMETERS'],
    [{ sql: 'SELECT abs(-9223372036854775808)', share: 100 }, 422, 'QUERY_FAILED'],
  ] as const)('%j is %i %s', async (payload, status, code) => {
    const answer = await run('rich', payload);
    expect([answer.status, (answer.body as { code: string }).code]).toEqual([status, code]);
  });
});

test.each(['8646911284551353000', '-8646911284551353000', '9007199254740993', '9223372036854775807', '7'])(
  'the integer %s keeps its digits',
  (digits) => {
    const text = `{"data":[{"id":${digits}}],"next_offset":null,"truncated":false}`;
    expect(toSqlValue(readPage(text).rows[0]?.id)).toBe(BigInt(digits));
  },
);
