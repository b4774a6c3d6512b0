import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { UserError } from '../../contracts/errors.ts';
import { parseQuery } from '../../sql/index.ts';
import { Oracle } from '../oracle/oracle.ts';
import { readDomain, readSplit } from '../read/read-split.ts';
import { KIND_NAMES, STYLES } from './draw-query.ts';
import { findDatabases, type SynthesisDomain } from './find-databases.ts';
import { mixDatabase, readProperties } from './mix-database.ts';
import { synthesizeSplit } from './synthesize.ts';
import { synthesizeQuestions } from './synthesize-questions.ts';

const REFERENCE_TIME = '2025-01-01 00:00:00';
const OPTIONS = { questions: 25, seed: '7', like: 'coverage', referenceTime: REFERENCE_TIME } as const;

const folder = mkdtempSync(join(tmpdir(), 'rookery-synthesize-'));
let oracle: Oracle;

beforeAll(() => {
  oracle = new Oracle({ referenceTime: REFERENCE_TIME, limitMs: 5_000 });
});

afterAll(() => oracle.close());

/** A database file of these statements, each of which may be given per row number. */
function database(name: string, ...statements: readonly string[]): string {
  const file = join(folder, `${name}.sqlite`);
  const db = new Database(file);
  for (const sql of statements) db.exec(sql);
  db.close();
  return file;
}

/** A row for each number up to `count`, of expressions in `i`. */
function fill(table: string, count: number, ...cells: readonly string[]): string {
  return `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
    INSERT INTO ${table} SELECT ${cells.join(', ')} FROM n`;
}

const STOPS = [
  'CREATE TABLE line (line_id INTEGER, name TEXT, opened TEXT)',
  fill('line', 12, 'i', `'Line ' || i`, `date('1990-01-01', '+' || (i * 517) || ' days')`),
  'CREATE TABLE stop (stop_id INTEGER, line_id INTEGER, title TEXT, zone TEXT, riders INTEGER, payload TEXT)',
  fill(
    'stop',
    240,
    'i',
    '1 + i % 11',
    `'Stop ' || char(65 + i % 26) || i`,
    `substr('ABCD', 1 + i % 4, 1)`,
    '(i * 7919) % 5003',
    `'{"a":' || i || '}'`,
  ),
];

describe('questions for a database without keys', () => {
  const file = database('stops', ...STOPS);
  const synthesize = async (more = {}) =>
    synthesizeQuestions(await readDomain('stops', file), oracle, { ...OPTIONS, ...more });

  it('are the same for the same seed, and others for another', async () => {
    const [first, again, other] = [await synthesize(), await synthesize(), await synthesize({ seed: '8' })];
    expect(first.questions).toHaveLength(25);
    expect(again).toEqual(first);
    expect(other.questions.map(({ sql }) => sql)).not.toEqual(first.questions.map(({ sql }) => sql));
  });

  it('join tables by what names and values show', async () => {
    const { questions } = await synthesize({ questions: 40 });
    expect(questions.filter(({ sql }) => /line_id = T2\.line_id/.test(sql)).length).toBeGreaterThan(0);
  });

  it('leave JSON out, and say so', async () => {
    const { questions, leftOut } = await synthesize();
    expect(leftOut).toContainEqual({ table: 'stop', column: 'payload', reason: 'holds JSON' });
    expect(questions.filter(({ sql }) => sql.includes('payload'))).toEqual([]);
  });

  it('find something, and say every value that their SQL holds', async () => {
    const { questions } = await synthesize({ questions: 40 });
    const { catalog } = await readDomain('stops', file);
    for (const { sql, question } of questions) {
      expect((await oracle.run(file, sql)).rows.length, sql).toBeGreaterThan(0);
      expect(() => parseQuery(sql, { catalog, referenceTime: REFERENCE_TIME })).not.toThrow();
      for (const [, text = ''] of sql.matchAll(/= '([^']+)'/g)) expect(question, sql).toContain(text);
    }
  });

  it('need each of their conditions', async () => {
    const { questions } = await synthesize({ questions: 40 });
    const filtered = questions.filter(({ sql }) => /^SELECT COUNT\(\*\) .* WHERE [^()]*$/.test(sql));
    expect(filtered.length).toBeGreaterThan(0);
    for (const { sql } of filtered) {
      const all = await oracle.run(file, sql.replace(/ WHERE .*/, ''));
      expect((await oracle.run(file, sql)).rows, sql).not.toEqual(all.rows);
    }
  });
});

test('a legend of codes becomes evidence', async () => {
  const described = join(folder, 'descriptions');
  const file = database(
    'parcels',
    'CREATE TABLE parcel (id INTEGER PRIMARY KEY, receiver TEXT, state TEXT, grams INTEGER)',
    fill('parcel', 60, 'i', `'Receiver ' || i`, `substr('LTD', 1 + i % 3, 1)`, '(i * 911) % 4001'),
  );
  mkdirSync(described, { recursive: true });
  writeFileSync(
    join(described, 'parcels.csv'),
    'table,column,name,description,value_description\nparcel,state,state,,"L = lost, T = on its way, D = delivered"\n',
  );
  const out = join(folder, 'parcel-split');
  await synthesizeSplit(file, { ...OPTIONS, out, timeoutMs: 5_000 });
  const { questions } = await readSplit(out);
  expect(questions.map(({ evidence }) => evidence)).toContain("state = 'L' stands for lost");
  expect(readFileSync(join(out, 'questions.jsonl'), 'utf8')).toContain('"origin":"synthesized"');
});

test('a database with one small table gives as many questions as it holds', async () => {
  const file = database(
    'lone',
    'CREATE TABLE tree (id INTEGER PRIMARY KEY, species TEXT, height REAL)',
    fill('tree', 9, 'i', `substr('OAB', 1 + i % 3, 1)`, 'i * 1.7'),
  );
  const { questions } = await synthesizeQuestions(await readDomain('lone', file), oracle, {
    ...OPTIONS,
    questions: 1000,
  });
  expect(questions.length).toBeGreaterThan(0);
  expect(questions.length).toBeLessThan(1000);
});

test('a database without rows is refused by name, and nothing is written', async () => {
  const file = database('bare', 'CREATE TABLE tree (id INTEGER PRIMARY KEY, species TEXT)');
  const out = join(folder, 'bare-split');
  const made = synthesizeSplit(file, { ...OPTIONS, out, timeoutMs: 5_000 });
  await expect(made).rejects.toThrow(UserError);
  await expect(made).rejects.toMatchObject({
    code: 'NOTHING_TO_ASK',
    message: expect.stringContaining('needs rows'),
  });
  await expect(readSplit(out)).rejects.toMatchObject({ code: 'SPLIT_NOT_FOUND' });
});

test('a database of 500 tables is asked about', async () => {
  const tables = Array.from({ length: 500 }, (_, i) => [
    `CREATE TABLE sensor_${i} (id INTEGER PRIMARY KEY, place TEXT, reading REAL)`,
    fill(`sensor_${i}`, 20, 'i', `substr('NSEW', 1 + i % 4, 1)`, `i * ${i + 1} * 0.37`),
  ]);
  const file = database('many', 'BEGIN', ...tables.flat(), 'COMMIT');
  const { questions } = await synthesizeQuestions(await readDomain('many', file), oracle, OPTIONS);
  expect(questions).toHaveLength(25);
});

test('what people would not ask is left out: the way back of a reference, sums of rates, telephone numbers, odd bounds', async () => {
  const file = database(
    'club',
    'PRAGMA foreign_keys = OFF',
    'CREATE TABLE team (team_id INTEGER PRIMARY KEY REFERENCES player (team_id), name TEXT, phone TEXT)',
    fill('team', 8, 'i', `'Team ' || char(64 + i) || 'x'`, `'555-010' || i`),
    `CREATE TABLE player (player_id INTEGER PRIMARY KEY, team_id INTEGER REFERENCES team, name TEXT, win_rate REAL, wages INTEGER,
       q7 TEXT)`,
    fill(
      'player',
      160,
      'i',
      '1 + i % 8',
      `'Player ' || char(65 + i % 26) || i`,
      '(i * 37 % 100) / 100.0',
      '1000 + (i * 7919) % 9001',
      `'a' || i % 5`,
    ),
  );
  const { questions, leftOut } = await synthesizeQuestions(await readDomain('club', file), oracle, {
    ...OPTIONS,
    questions: 40,
  });
  const sql = questions.map((one) => one.sql).join('\n');
  expect(sql).toContain('FROM player AS T1 INNER JOIN team');
  expect(sql).not.toMatch(
    /FROM team AS T1 (INNER|LEFT) JOIN player AS T2 ON T1.team_id|SUM\(\S*win_rate|phone|q7/,
  );
  for (const [, bound] of sql.matchAll(/wages [<>]=? (\d+)/g)) expect(Number(bound) % 500, bound).toBe(0);
  expect(leftOut.map(({ column }) => column)).toEqual(expect.arrayContaining(['phone', 'q7']));
});

test('every kind of question has a weight in every style', () => {
  for (const style of Object.values(STYLES))
    expect(Object.keys(style.weights).sort()).toEqual([...KIND_NAMES].sort());
});

describe('a large file', () => {
  const file = database(
    'large',
    'CREATE TABLE depot (depot_id INTEGER PRIMARY KEY, name TEXT, town TEXT)',
    fill('depot', 40, 'i', `'Depot ' || i`, `substr('ABCDE', 1 + i % 5, 1) || 'ville'`),
    'CREATE TABLE parcel (parcel_id INTEGER PRIMARY KEY, depot_id INTEGER REFERENCES depot, grams INTEGER, sent TEXT)',
    fill(
      'parcel',
      300_000,
      'i',
      '1 + i % 40',
      '(i * 7919) % 9001',
      `date('2020-01-01', '+' || (i % 900) || ' days')`,
    ),
  );

  it('is read by a sample, and what is asked holds on all of it', async () => {
    const [domain] = await findDatabases(file, { largeBytes: 1000 });
    expect(domain?.tried).not.toBe(domain?.file);
    const rows = domain?.catalog.tables.map(({ name, rows }) => [name, rows]);
    expect(rows).toEqual([
      ['depot', 40],
      ['parcel', expect.closeTo(200_000, -4)],
    ]);
    const { questions } = await synthesizeQuestions(domain as SynthesisDomain, oracle, {
      ...OPTIONS,
      questions: 8,
    });
    expect(questions).toHaveLength(8);
    for (const { sql } of questions) expect((await oracle.run(file, sql)).rows.length).toBeGreaterThan(0);
    expect(questions.some(({ sql }) => sql.includes('parcel'))).toBe(true);
  });
});

it('a view without an end is given up at the limit and named while it is read and afterwards', async () => {
  const endless =
    'CREATE VIEW endless AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n';
  const file = database('unending', ...STOPS, endless);
  const steps: string[] = [];
  const made = await synthesizeSplit(file, {
    ...OPTIONS,
    out: join(folder, 'unending-split'),
    timeoutMs: 500,
    onProgress: ({ stage, label }) => steps.push(`${stage} ${label}`),
  });
  expect(made).toMatchObject([{ db: 'unending', unread_views: ['endless'] }]);
  expect(steps.slice(0, 3)).toEqual([
    'read unending',
    'read unending endless',
    expect.stringMatching(/^read unending \w+$/),
  ]);
  expect(steps).toContain('ask unending');
});

it('kinds are drawn as often as their weights say', async () => {
  const file = database('weighed', ...STOPS);
  const weights = Object.fromEntries(KIND_NAMES.map((name) => [name, name === 'percentage' ? 1 : 0]));
  const { questions } = await synthesizeQuestions(await readDomain('weighed', file), oracle, {
    ...OPTIONS,
    questions: 6,
    weights,
  });
  expect(questions.length).toBeGreaterThan(3);
  for (const { question } of questions) expect(question).toMatch(/percentage/);
});

test('a mix takes more tables from other databases, and computes more properties from those of a table', async () => {
  const file = database(
    'few',
    'CREATE TABLE shop (shop_id INTEGER PRIMARY KEY, name TEXT, price REAL)',
    "INSERT INTO shop VALUES (1, 'Ash Tree', 2), (2, 'Elm', 2), (3, NULL, 4), (4, 'The Old Oak', NULL), (5, 'Yew', 10)",
  );
  const stalls = database(
    'more',
    'CREATE TABLE stall (owner TEXT, rent INTEGER)',
    fill('stall', 9, `substr('o a bcd efghi', 1, i + 3)`, 'i * i'),
  );
  const shops = database('same', 'CREATE TABLE SHOP (name TEXT)', "INSERT INTO SHOP VALUES ('A'), ('B')");
  const found = await Promise.all([file, stalls, shops].map((each) => findDatabases(each)));
  const [domain, ...others] = found.flat();
  const properties = readProperties('2t3n2b');
  if (!domain || !properties) throw new Error('nothing found');
  const { file: made, catalog } = mixDatabase(domain, { collections: 2, properties }, '7', others);
  expect(catalog.tables.map(({ name }) => name)).toEqual(['shop', 'stall']);
  const db = new Database(made, { readonly: true });
  const shop = db.prepare('SELECT * FROM shop').raw();
  expect(shop.columns().map(({ name }) => name)).toEqual([
    'shop_id',
    'name',
    'price',
    'name_length',
    'price_level',
    'price_above_average',
    'name_is_long',
  ]);
  expect(shop.all()).toEqual([
    [1, 'Ash Tree', 2, 8, 'middle', 0, 1],
    [2, 'Elm', 2, 3, 'middle', 0, 0],
    [3, null, 4, null, 'high', 0, null],
    [4, 'The Old Oak', null, 11, null, null, 1],
    [5, 'Yew', 10, 3, 'high', 1, 0],
  ]);
  db.close();
  expect(catalog.tables[0]?.columns.at(-1)).toMatchObject({
    friendly_name: 'long name',
    description: 'Whether the name has more characters than all have on average.',
    statistics: { distinct: 2, nulls: 1 },
  });
  expect(() => mixDatabase(domain, { collections: 3, properties }, '7', others)).toThrow(/have 2 tables/);
});

test('a mix keeps so many tables, and of each so many properties of each type', async () => {
  const cells = (i: string) => [
    `'n' || ${i}`,
    `'text ' || (${i} % 7)`,
    i,
    `${i} % 5`,
    `${i} % 2`,
    `${i} % 3 > 0`,
  ];
  const columns =
    'name TEXT COLLATE NOCASE, kind TEXT NOT NULL, size INTEGER, price REAL, open INTEGER, new INTEGER';
  const file = database(
    'mixed',
    ...['shop', 'stall', 'kiosk'].flatMap((table) => [
      `CREATE TABLE ${table} (${columns})`,
      fill(table, 40, ...cells('i')),
    ]),
    'CREATE TABLE bare (n INTEGER)',
    'CREATE VIEW seen AS SELECT name FROM shop',
  );
  const [domain] = await findDatabases(file);
  const wanted = readProperties('1t1n1b');
  if (!domain || !wanted) throw new Error('nothing found');
  const mix = (collections: number) => mixDatabase(domain, { collections, properties: wanted }, '7');
  const { catalog, file: made } = mix(2);
  const read = await readDomain('mixed', made, 5_000, () => {});
  expect(read.catalog).toEqual(catalog);
  expect(catalog.tables).toHaveLength(2);
  for (const table of catalog.tables)
    expect(table.columns.map(({ name }) => name)).toEqual(['name', 'size', 'open']);
  expect(mix(2).catalog).toEqual(catalog);
  expect(() => mix(4)).toThrow(/mixed and the others have 3 tables with these properties/);
  expect(['2t1n1b', '3n', '', '1x', '1n1t'].map(readProperties)).toEqual([
    { text: 2, integer: 1, boolean: 1 },
    { text: 0, integer: 3, boolean: 0 },
    null,
    null,
    null,
  ]);
});
