import Database from 'better-sqlite3';
import type { Catalog } from '../../../contracts/catalog.ts';

/** A small database with difficult data: NULLs, mixed types, duplicates, ties, odd names. */
const SCHEMA = `
  CREATE TABLE person (
    id INTEGER PRIMARY KEY, name TEXT, age INTEGER, "score (%)" REAL, born TEXT, code, city_id INTEGER
  );
  INSERT INTO person VALUES
    (1, 'Ann', 30, 1.5, '1990-01-31', 'a', 1),
    (2, 'bob', NULL, 2.5, '1985-12-01', 5, 2),
    (3, 'Ann', 25, NULL, NULL, '5', 1),
    (4, NULL, 30, 2.5, '2001-07-15', 2.5, NULL),
    (5, 'Cid', 41, -3.0, '1990-02-28', NULL, 3),
    (6, 'ann', 25, 0.0, 'unknown', 'A', 2),
    (7, 'Dee', 30, 10.0, '1999-12-31', '10', 9);
  CREATE TABLE city (id INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE, size INTEGER, zip TEXT);
  INSERT INTO city VALUES (1, 'Rome', 300, '00100'), (2, 'rome', 50, '100'), (3, NULL, NULL, '7'), (4, 'Oslo', 50, '0150');
  CREATE TABLE visit (person_id INTEGER, city_id INTEGER, year INTEGER, cost REAL);
  INSERT INTO visit VALUES
    (1, 1, 2020, 10.0), (1, 2, 2021, NULL), (1, 1, 2020, 10.0), (2, 3, 2019, 7.5), (3, 4, 2021, 0.0),
    (3, NULL, NULL, 2.25), (6, 1, 2021, 99.0), (8, 2, 2022, 1.0);
  CREATE TABLE pair (k TEXT, n INTEGER, note TEXT, PRIMARY KEY (k, n)) WITHOUT ROWID;
  INSERT INTO pair VALUES ('b', 2, 'x'), ('a', 2, 'y'), ('b', 1, NULL), ('a', 1, 'x');
`;

/** The database, open in memory. */
export function smallDatabase(): Database.Database {
  const db = new Database(':memory:');
  db.exec(SCHEMA);
  return db;
}

/** A catalog with what the tools need: names, keys, row ids. */
export function catalogOf(db: Database.Database): Catalog {
  const tables = db
    .prepare(
      "SELECT name, wr FROM pragma_table_list WHERE schema = 'main' AND name NOT LIKE 'sqlite%' ORDER BY name",
    )
    .all() as { name: string; wr: number }[];
  return {
    db: 'small',
    tables: tables.map(({ name, wr }) => ({
      name,
      friendly_name: null,
      description: null,
      rows: 0,
      has_rowid: wr === 0,
      view: false,
      foreign_keys: [],
      columns: (
        db.prepare('SELECT name, type, pk FROM pragma_table_info(?)').all(name) as {
          name: string;
          type: string;
          pk: number;
        }[]
      ).map((column) => ({
        name: column.name,
        declared_type: column.type,
        type: 'string' as const,
        not_null: false,
        primary_key: column.pk,
        collation: 'BINARY',
        friendly_name: null,
        description: null,
        value_description: null,
        statistics: {
          rows: 0,
          nulls: 0,
          distinct: 0,
          min: null,
          max: null,
          storage: { integer: 0, real: 0, text: 0, blob: 0 },
        },
      })),
    })),
  };
}
