import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, expect, test } from 'vitest';
import { Gazetteer, placeSources, readPlaces } from '../../services/base/scalars/gazetteer.ts';
import { betterSqlite3 } from '../../services/base/sqlite/better-sqlite3.ts';
import { readDomain } from '../read/read-split.ts';
import { readColumns } from './columns.ts';

const folder = mkdtempSync(join(tmpdir(), 'rookery-columns-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('columns are for APIs by what they hold', async () => {
  const file = join(folder, 'stock.sqlite');
  const db = new Database(file);
  db.exec(`CREATE TABLE shop (shop_id INTEGER PRIMARY KEY, owner TEXT, town TEXT, country TEXT, opened TEXT, staff INTEGER, open INTEGER,
      area REAL, gate_code INTEGER, gate TEXT, only_one TEXT, built INTEGER, severity INTEGER);
    CREATE TABLE item (item_id INTEGER, shop_id INTEGER REFERENCES shop (shop_id), label TEXT)`);
  const insert = db.prepare('INSERT INTO shop VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const rows = [
    ['Ada Brook', 'Acton', 'England', '2001-02-03'],
    ['Per Lund', 'Ribe', 'Denmark', '2002-02-03'],
    ['Mei Tan', 'Regina', 'Canada', '2003-02-03'],
    ['Ada Brook', 'Leeds', 'England', '2004-02-03'],
    ['Jo Reed', 'Turku', 'Finland', '2005-02-03'],
    ['Lia Moss', 'Lyon', 'France', '2006-02-03'],
    ['Ike Holm', 'Bergen', 'Norway', '2007-02-03'],
  ];
  for (const [i, row] of rows.entries())
    insert.run(i + 1, ...row, 11 * i + 3, i % 2, i + 0.5, 100 + i, `K${i}`, 'same', 1950 + i, 1 + (i % 5));
  db.exec(`INSERT INTO item VALUES (1, 1, 'Brush'), (2, 2, 'Rope'), (3, 2, 'Lantern')`);
  db.close();
  const { catalog } = await readDomain('stock', file);
  const connection = betterSqlite3.open(file);
  const places = new Gazetteer(readPlaces(connection, placeSources(catalog)));
  const found = readColumns(catalog, connection, places).map(({ table, column, classes }) => [
    `${table.name}.${column.name}`,
    [...classes.classes].join(' '),
    classes.parts.join(' '),
  ]);
  connection.close();
  expect(found).toEqual([
    ['shop.owner', 'lexical', ''],
    ['shop.town', 'lexical geographic', 'country'],
    ['shop.country', 'lexical', ''],
    ['shop.staff', 'numeric', ''],
    ['item.label', 'lexical', ''],
  ]);
});

test('countries are in no country, whatever they are called', async () => {
  const file = join(folder, 'makers.sqlite');
  const db = new Database(file);
  db.exec(`CREATE TABLE maker (id INTEGER PRIMARY KEY, country TEXT, seat TEXT);
    INSERT INTO maker VALUES (1, 'usa', 'Detroit'), (2, 'UK', 'Birmingham'), (3, 'norway', 'Oslo')`);
  db.close();
  const { catalog } = await readDomain('makers', file);
  const connection = betterSqlite3.open(file);
  const found = readColumns(catalog, connection, new Gazetteer([])).map(({ column, classes }) => [
    column.name,
    ...classes.classes,
  ]);
  connection.close();
  expect(found).toEqual([['seat', 'lexical', 'geographic']]);
});
