import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { QueryError } from '../../contracts/errors.ts';
import { DEFAULT_REFERENCE_TIME, type Question } from '../../contracts/split.ts';
import { Oracle } from '../oracle/oracle.ts';
import { readDomain } from '../read/read-split.ts';
import { goldDiff } from './gold-diff.ts';
import { requireOneMeaning, requireTask, withoutEachCondition } from './one-meaning.ts';

const folder = mkdtempSync(join(tmpdir(), 'rookery-one-meaning-'));
const file = join(folder, 'pets.sqlite');
let oracle: Oracle;

beforeAll(() => {
  const db = new Database(file);
  db.exec(`
    CREATE TABLE owner (id INTEGER PRIMARY KEY, name TEXT, city TEXT);
    CREATE TABLE pet (id INTEGER PRIMARY KEY, name TEXT, owner_id INTEGER REFERENCES owner (id), weight REAL);
    CREATE TABLE log (pet_id INTEGER PRIMARY KEY REFERENCES pet (id) ON DELETE CASCADE, seen TEXT);
    INSERT INTO owner VALUES (1, 'Ann', 'Ely'), (2, 'Bob', 'Ely'), (3, 'Cy', 'Bath'), (4, 'Ann', 'York');
    INSERT INTO pet VALUES (1, 'Rex', 2, 5.0), (2, 'Tom', 2, 5.0), (3, 'Ivy', 3, 9.0);
    INSERT INTO log VALUES (3, 'mon');
    CREATE TABLE stay (pet_id INTEGER, day TEXT, PRIMARY KEY (pet_id, day));
    CREATE TABLE tag (code TEXT PRIMARY KEY, pet_id INTEGER REFERENCES pet (id));
    CREATE TABLE badge (no INTEGER PRIMARY KEY, pet_id INTEGER);
    CREATE TABLE note (text TEXT);`);
  db.close();
  oracle = new Oracle({ referenceTime: DEFAULT_REFERENCE_TIME, limitMs: 5_000 });
});

afterAll(async () => {
  await oracle.close();
  rmSync(folder, { recursive: true, force: true });
});

const drawn = { kind: 'change' } as const;
const refuse = { refuse: true } as const;
test.each<[sql: string, facts: Partial<Question>, code: string | null]>([
  ["UPDATE pet SET weight = 6 WHERE name = 'Rex'", drawn, null],
  ["UPDATE pet SET weight = 6 WHERE name = 'Rex' AND owner_id = 2", drawn, 'IDLE_CLAUSE'],
  ["UPDATE pet SET weight = 6 WHERE name = 'Rex' AND owner_id = 2", {}, null],
  [
    "UPDATE pet SET weight = 6 WHERE name = 'Rex' AND EXISTS (SELECT 1 FROM log WHERE seen = 'mon')",
    drawn,
    'IDLE_CLAUSE',
  ],
  [
    "UPDATE pet SET owner_id = (SELECT id FROM owner WHERE name = 'Ann') WHERE name = 'Rex'",
    {},
    'REFERENCE_NOT_UNIQUE',
  ],
  [
    "UPDATE pet SET owner_id = (SELECT id FROM owner WHERE name = 'Eve') WHERE name = 'Rex'",
    {},
    'REFERENCE_NOT_UNIQUE',
  ],
  [
    "UPDATE pet SET owner_id = COALESCE((SELECT id FROM owner WHERE name = 'Eve'), 1) WHERE name = 'Rex'",
    {},
    null,
  ],
  [
    "UPDATE pet SET owner_id = (SELECT id FROM owner WHERE name = 'Ann' AND city = 'Ely') WHERE name = 'Rex'",
    drawn,
    null,
  ],
  ['DELETE FROM pet WHERE id = (SELECT id FROM pet ORDER BY weight LIMIT 1)', {}, 'CHANGES_LEFT_OPEN'],
  ['DELETE FROM pet WHERE id = (SELECT id FROM pet ORDER BY weight DESC LIMIT 1)', {}, null],
  ["INSERT INTO pet (name, owner_id) SELECT name, id FROM owner WHERE city = 'Ely'", {}, null],
  // A row is identified by its key, not by its rowid.
  ["INSERT INTO stay (pet_id, day) SELECT id, 'tue' FROM pet", {}, null],
  ["INSERT INTO tag (code, pet_id) SELECT 'T' || name, id FROM pet", {}, null],
  ['INSERT INTO note (text) SELECT name FROM pet', {}, null],
  // A key that the SQL computes was not made by the server.
  ['INSERT INTO badge (no, pet_id) SELECT row_number() OVER (), id FROM pet', {}, 'CHANGES_LEFT_OPEN'],
  ["UPDATE pet SET weight = 5 WHERE name = 'Rex'", {}, 'NOTHING_CHANGED'],
  ["DELETE FROM owner WHERE name = 'Bob'", {}, 'SQL_NOT_EXECUTABLE'],
  ["DELETE FROM owner WHERE name = 'Bob'", refuse, null],
  [
    "UPDATE pet SET weight = 5 WHERE name = 'Rex' AND owner_id = 2",
    { ...refuse, kind: 'conditional' },
    'NOTHING_CHANGED',
  ],
  [
    "DELETE FROM pet WHERE name = 'Ivy' AND NOT EXISTS (SELECT 1 FROM log WHERE pet_id = 3)",
    { ...refuse, kind: 'conditional' },
    null,
  ],
  ["DELETE FROM pet WHERE name = 'Ivy'", refuse, 'NOT_REFUSED'],
  ["DELETE FROM pet WHERE name = 'Ivy'; SELECT COUNT(*) FROM pet", {}, null],
  ["DELETE FROM pet WHERE name = 'Ivy'; SELECT COUNT(*) FROM owner", {}, 'ANSWER_UNCHANGED'],
])('%s %j: %s', async (sql, facts, code) => {
  const { catalog } = await readDomain('pets', file);
  const judged = (async () => {
    const made = await oracle.writes(file, sql);
    requireTask({ ...facts, sql }, made);
    await requireOneMeaning({ ...facts, sql }, made, { oracle, file, catalog });
    return null;
  })().catch((error) => {
    if (error instanceof QueryError) return error.code;
    throw error;
  });
  expect(await judged).toBe(code);
});

test('what follows by itself is among the changes, and every run begins anew', async () => {
  for (let time = 0; time < 2; time++) {
    const { changes } = await oracle.writes(file, "DELETE FROM pet WHERE name = 'Ivy'");
    expect(changes.map(({ table, after }) => [table, after])).toEqual([
      ['log', null],
      ['pet', null],
    ]);
  }
});

test('new keys are left to the server, unless the SQL names them', async () => {
  const { catalog } = await readDomain('pets', file);
  const diff = async (sql: string) => goldDiff((await oracle.writes(file, sql)).changes, sql, catalog);
  const references = [
    { table: 'log', column: 'pet_id' },
    { table: 'tag', column: 'pet_id' },
  ];
  expect(await diff("INSERT INTO pet (name) VALUES ('Bo')")).toMatchObject([{ generated: references }]);
  for (const sql of [
    "INSERT INTO pet (id, name) VALUES (9, 'Bo')",
    "INSERT INTO pet VALUES (9, 'Bo', 1, 2)",
    "UPDATE pet SET id = 9 WHERE name = 'Rex'",
    "INSERT INTO stay (pet_id, day) VALUES (1, 'tue')",
  ])
    for (const change of await diff(sql)) expect(change, sql).not.toHaveProperty('generated');
});

test('each condition is left out once: of subqueries, in brackets, and between AND of BETWEEN', () => {
  const sql =
    "UPDATE pet SET weight = 1 WHERE id BETWEEN 1 AND 2 AND (name = 'Rex' OR name = 'a AND b') AND owner_id IN (SELECT id FROM owner WHERE city = 'Ely')";
  expect(withoutEachCondition(sql).map(({ condition }) => condition)).toEqual([
    'id BETWEEN 1 AND 2',
    "name = 'Rex'",
    "name = 'a AND b'",
    "(name = 'Rex' OR name = 'a AND b')",
    "owner_id IN (SELECT id FROM owner WHERE city = 'Ely')",
    "city = 'Ely'",
  ]);
});
