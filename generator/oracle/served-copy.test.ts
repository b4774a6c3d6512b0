import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, expect, test } from 'vitest';
import { parseQuery } from '../../sql/index.ts';
import { listTables, readCatalog } from '../read/catalog.ts';
import { makeServedCopy, planIndexes, planSearchIndexes } from './served-copy.ts';

const folder = mkdtempSync(join(tmpdir(), 'rookery-served-'));
const file = join(folder, 'original.sqlite');
afterAll(() => rmSync(folder, { recursive: true }));

const original = new Database(file);
original.exec(`CREATE TABLE person (id INTEGER PRIMARY KEY, city TEXT, born TEXT, email TEXT UNIQUE, height REAL);
  CREATE TABLE visit (person INTEGER, "at place" TEXT);
  CREATE TABLE tiny (x INTEGER);
  CREATE INDEX rookery_visit_person ON tiny (x);
  WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
    INSERT INTO person SELECT i, 'c' || (i % 7), '19' || (i % 90), 'e' || i, i / 3.0 FROM n;
  INSERT INTO visit SELECT id, city FROM person;
  DELETE FROM visit WHERE rowid % 3 = 0;
  INSERT INTO tiny VALUES (1);
  ANALYZE`);
const catalog = readCatalog('x', original);
original.close();
const plan = (...sqls: string[]) =>
  planIndexes(
    sqls.map((sql) => parseQuery(sql, { catalog, referenceTime: '2024-01-01 00:00:00' })),
    catalog,
  ).map(({ table, columns }) => `${table}.${columns.join()}`);

test('indexes are for columns that rows are looked up by', () => {
  expect(
    plan(
      "SELECT p.height FROM person p JOIN visit v ON v.person = p.id WHERE p.city = 'c1' OR NOT p.born > '1950'",
      'SELECT max(height) FROM person',
      'SELECT x FROM tiny WHERE x = 1',
      'SELECT id FROM person WHERE id IN (SELECT person FROM visit WHERE "at place" LIKE \'c%\')',
      "SELECT born FROM person WHERE email <> 'x' AND id = 3",
    ),
  ).toEqual(['person.city', 'person.born', 'person.height', 'visit.person', 'visit.at place']);
});

test('a large table has none for a column of a few values, unless most rows have none of them', () => {
  const grown = {
    ...catalog,
    tables: catalog.tables.map((table) => ({
      ...table,
      columns: table.columns.map((column) => ({
        ...column,
        statistics: {
          ...column.statistics,
          rows: 20_000,
          nulls: column.name === 'height' ? 19_500 : 0,
          distinct: column.name === 'born' ? 90 : 5,
        },
      })),
    })),
  };
  const sql = "SELECT id FROM person WHERE city = 'c1' AND born = '1901' AND height = 2";
  const query = parseQuery(sql, { catalog, referenceTime: '2024-01-01 00:00:00' });
  expect(planIndexes([query], grown).map(({ columns }) => columns[0])).toEqual(['born', 'height']);
});

const indexes = [
  { table: 'person', columns: ['city'] },
  { table: 'person', columns: ['email'] },
  { table: 'visit', columns: ['person'] },
  { table: 'visit', columns: ['at place'] },
];

test('the copy has the same rows under the same row ids, the indexes, and statistics of the lasting kind', () => {
  const target = join(folder, 'served.sqlite');
  makeServedCopy(file, target, indexes);
  const db = new Database(target, { readonly: true });
  db.exec(`ATTACH '${file}' AS original`);
  const count = (sql: string) => db.prepare(sql).pluck().get();
  expect(
    count('SELECT count(*) FROM (SELECT rowid, * FROM visit EXCEPT SELECT rowid, * FROM original.visit)'),
  ).toBe(0);
  expect(count('SELECT count(*) FROM visit')).toBe(134);
  const names = db.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'index' AND name LIKE 'rookery%' ORDER BY 1",
  );
  expect(names.pluck().all()).toEqual([
    'rookery_person_city',
    'rookery_visit_at_place',
    'rookery_visit_person',
    'rookery_visit_person_2',
  ]);
  expect(count('SELECT count(*) FROM sqlite_stat1')).toBeGreaterThan(3);
  expect(count("SELECT count(*) FROM sqlite_master WHERE name = 'sqlite_stat4'")).toBe(0);
  expect(db.pragma('journal_mode', { simple: true })).toBe('delete');
  db.close();
  expect(statSync(target).mode & 0o222).toBe(0);
  expect(readdirSync(folder).filter((name) => /-(wal|shm|journal)$/.test(name))).toEqual([]);
});

test('the same input gives the same bytes', () => {
  const [a, b] = [join(folder, 'a.sqlite'), join(folder, 'b.sqlite')];
  makeServedCopy(file, a, indexes);
  makeServedCopy(file, b, indexes);
  expect(readFileSync(a).equals(readFileSync(b))).toBe(true);
});

test('what SQLite refuses to index is served without an index', () => {
  const [from, target] = [join(folder, 'odd.sqlite'), join(folder, 'odd-served.sqlite')];
  const odd = new Database(from);
  odd.exec(`CREATE VIRTUAL TABLE note USING fts5 (body);
    CREATE TABLE word (text TEXT COLLATE NOCASE);
    CREATE TABLE plain (x INTEGER);
    INSERT INTO plain VALUES (1), (2);`);
  odd.unsafeMode();
  odd.exec(`PRAGMA writable_schema = ON;
    UPDATE sqlite_master SET sql = replace(sql, 'NOCASE', 'LOCALIZED') WHERE name = 'word'`);
  odd.close();
  const wanted = ['note.body', 'word.text', 'plain.x'].map((name) => name.split('.') as [string, string]);
  makeServedCopy(
    from,
    target,
    wanted.map(([table, column]) => ({ table, columns: [column] })),
  );
  const db = new Database(target, { readonly: true });
  const names = db.prepare("SELECT tbl_name FROM sqlite_master WHERE name LIKE 'rookery%'").pluck().all();
  expect(names).toEqual(['plain']);
  db.close();
});

test('words of a virtual table are not indexed once more', () => {
  const notes = join(folder, 'notes.sqlite');
  const db = new Database(notes);
  db.exec(`CREATE VIRTUAL TABLE note USING fts5(title, body); INSERT INTO note VALUES ('a', 'b');
    CREATE TABLE memo (body TEXT); INSERT INTO memo VALUES ('c')`);
  const searched = planSearchIndexes(readCatalog('notes', db), notes);
  db.close();
  expect(searched.map(({ collection }) => collection)).toEqual(['memo']);
  makeServedCopy(notes, join(folder, 'notes-served.sqlite'), [], searched);
});

test('a served copy is a database like any other: without its indexes for search, and served again', () => {
  const searched = [{ collection: 'person', columns: ['city'], rows: null, facets: [] }];
  const [once, twice] = ['once', 'twice'].map((name) => join(folder, `${name}.sqlite`)) as [string, string];
  makeServedCopy(file, once, [], searched);
  const tables = (of: string) => {
    const db = new Database(of, { readonly: true });
    const names = listTables(db).map(({ name }) => name);
    db.close();
    return names;
  };
  expect(tables(once)).toEqual(tables(file));
  makeServedCopy(once, twice, [], searched);
  expect(tables(twice)).toEqual(tables(file));
});
