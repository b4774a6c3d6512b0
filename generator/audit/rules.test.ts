import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Question } from '../../contracts/split.ts';
import { parseQuery } from '../../sql/index.ts';
import { Oracle } from '../oracle/oracle.ts';
import { readDomain } from '../read/read-split.ts';
import { auditGolds, RULES } from './rules.ts';

const REFERENCE_TIME = '2025-01-01 00:00:00';
const SCHEMA = `
  CREATE TABLE ferry (ferry_id INTEGER PRIMARY KEY, name TEXT, seats INTEGER, built TEXT, length TEXT, line TEXT);
  CREATE TABLE trip (trip_id INTEGER PRIMARY KEY, ferry_id INTEGER REFERENCES ferry(ferry_id), harbour TEXT, guests INTEGER, wind REAL);
  INSERT INTO ferry VALUES (1,'Aurora',120,'1999','95','north'),(2,'Borealis',80,NULL,'100','north'),(3,'Corona',80,'2010','9','South');
  INSERT INTO trip VALUES (1,1,'Kallo',100,1.5),(2,1,'Kallo',90,NULL),(3,1,'Senn',10,3),(4,2,'Kallo',79,2),(5,NULL,'Senn',7,4);
`;
const file = join(mkdtempSync(join(tmpdir(), 'rookery-audit-test-')), 'ferries.sqlite');
let oracle: Oracle;

beforeAll(() => {
  const db = new Database(file);
  db.exec(SCHEMA);
  db.close();
  oracle = new Oracle({ referenceTime: REFERENCE_TIME });
});

afterAll(() => oracle.close());

/** The names of the rules that find something. */
async function findings(
  sql: string,
  asked = 'What is asked?',
  rules = RULES.filter(({ byDefault }) => byDefault),
): Promise<string[]> {
  const { catalog } = await readDomain('ferries', file);
  const question: Question = {
    question_id: 1,
    db_id: 'ferries',
    question: asked,
    evidence: '',
    difficulty: null,
    sql,
  };
  const query = parseQuery(sql, { catalog, referenceTime: REFERENCE_TIME });
  const context = {
    catalog,
    oracle,
    file,
    neighbours: [],
    rules,
    jobs: 1,
    rowsOf: async () => (await oracle.run(file, sql)).rows,
  };
  const found = await auditGolds([{ question, query }], context);
  return [...(found.get(question) ?? [])].map(({ rule }) => rule);
}

const JOINED = 'FROM ferry AS f JOIN trip AS t ON t.ferry_id = f.ferry_id';

test.each([
  ['fan_out', `SELECT SUM(f.seats) ${JOINED} WHERE t.harbour = 'Kallo'`, 'How many seats go to Kallo?'],
  [
    'fan_out',
    `SELECT COUNT(f.ferry_id) ${JOINED} WHERE t.harbour = 'Kallo'`,
    'How many ferries go to Kallo?',
  ],
  ['bare_column', 'SELECT harbour, guests, COUNT(*) FROM trip GROUP BY harbour', undefined],
  ['limit_tie', 'SELECT name FROM ferry ORDER BY seats LIMIT 1', undefined],
  ['null_first', 'SELECT name FROM ferry ORDER BY built LIMIT 1', undefined],
  ['not_in_null', 'SELECT name FROM ferry WHERE ferry_id NOT IN (SELECT ferry_id FROM trip)', undefined],
  ['unknown_literal', "SELECT name FROM ferry WHERE line = 'west'", undefined],
  ['misspelt_literal', "SELECT name FROM ferry WHERE line = 'south'", 'Which ferries run south?'],
  ['text_as_number', 'SELECT MAX(length) FROM ferry', undefined],
  ['integer_division', 'SELECT COUNT(built) / COUNT(*) FROM ferry', undefined],
  ['case_counted', "SELECT COUNT(CASE WHEN line = 'north' THEN 1 ELSE 0 END) FROM ferry", undefined],
  ['case_counted', "SELECT AVG(CASE WHEN line = 'north' THEN 1 END) FROM ferry", undefined],
  ['repeated_rows', 'SELECT harbour FROM trip', 'Which different harbours are there?'],
])('%s finds %s', async (rule, sql, asked) => {
  expect(await findings(sql, asked)).toEqual([rule]);
});

test.each([
  [`SELECT SUM(t.guests) ${JOINED} WHERE f.line = 'north'`],
  [`SELECT COUNT(DISTINCT f.ferry_id) ${JOINED} WHERE t.harbour = 'Kallo'`],
  [`SELECT f.name, SUM(t.guests) ${JOINED} GROUP BY f.ferry_id`],
  ['SELECT name, MAX(seats) FROM ferry'],
  ['SELECT name FROM ferry ORDER BY seats DESC LIMIT 1'],
  ['SELECT name FROM ferry WHERE built IS NOT NULL ORDER BY built LIMIT 1'],
  ['SELECT name FROM ferry WHERE ferry_id NOT IN (SELECT ferry_id FROM trip WHERE ferry_id IS NOT NULL)'],
  ["SELECT name FROM ferry WHERE line = 'north'"],
  ['SELECT MAX(CAST(length AS INTEGER)) FROM ferry'],
  ['SELECT COUNT(built) * 1.0 / COUNT(*) FROM ferry'],
  ["SELECT SUM(CASE WHEN line = 'north' THEN 1 ELSE 0 END) FROM ferry"],
  ['SELECT DISTINCT harbour FROM trip'],
])('nothing is found in %s', async (sql) => {
  expect(await findings(sql, 'Which different ones?')).toEqual([]);
});

test('a date that the question writes in another way is known', async () => {
  const sql = "SELECT name FROM ferry WHERE built = '1998-07-05'";
  expect(await findings(sql, 'Which ferry was built on 1998/7/5?')).toEqual([]);
  expect(await findings(sql, 'Which ferry was built on 1998/7/6?')).toEqual(['unknown_literal']);
});

test('a key counted in place of the rows that are asked for is no finding', async () => {
  const sql = `SELECT COUNT(f.ferry_id) ${JOINED} WHERE f.name = 'Aurora'`;
  expect(await findings(sql, 'How many trips did the Aurora make?')).toEqual([]);
  expect(await findings(sql, 'How many ferries are called Aurora?')).toEqual(['fan_out']);
});

test('a condition that another one implies is idle, and one that picks rows is not', async () => {
  const idle = RULES.filter(({ name }) => name === 'idle_condition');
  const find = (where: string) => findings(`SELECT name FROM ferry WHERE ${where}`, undefined, idle);
  expect(await find("line = 'north' AND line <> 'south'")).toEqual(['idle_condition']);
  expect(await find("line = 'north'")).toEqual([]);
});
