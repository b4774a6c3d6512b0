import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import type { CatalogColumn } from '../../contracts/catalog.ts';
import { readCatalog } from '../read/catalog.ts';
import { isCode, kindOf, numberUse } from './profile.ts';

test('moments counted from 1970 are not measured: by their size, and what they are called or said to be', () => {
  const db = new Database(':memory:');
  db.exec(
    'CREATE TABLE ticket (id INTEGER PRIMARY KEY, opened_ms INTEGER, closed INTEGER, lap_ms INTEGER, debt INTEGER)',
  );
  const insert = db.prepare('INSERT INTO ticket VALUES (?, ?, ?, ?, ?)');
  for (let i = 0; i < 100; i++)
    insert.run(
      i,
      1_700_000_000_000 + 37_000 * i,
      1_700_000_000 + 37 * (i % 90),
      90_000 + 7 * i,
      2e10 * (i + 3),
    );
  const [table] = readCatalog('desk', db).tables;
  db.close();
  if (!table) throw new Error('the catalog has no table');
  const kind = (name: string, more: Partial<CatalogColumn> = {}) => {
    const column = table.columns.find((each) => each.name === name);
    if (!column) throw new Error(name);
    return kindOf(table, { ...column, ...more }, { values: [column.statistics.min ?? 0] }).kind;
  };
  expect([kind('opened_ms'), kind('lap_ms'), kind('debt')]).toEqual(['unclear', 'number', 'number']);
  expect(kind('closed')).toBe('number');
  expect(kind('closed', { description: 'when it was closed, in seconds since 1970' })).toBe('unclear');
});

test('what stands for something is never added up: by its name, its legend, its digits, the moments it counts', () => {
  const db = new Database(':memory:');
  db.exec(
    `CREATE TABLE firm (id INTEGER PRIMARY KEY, phone INTEGER, contact INTEGER, taxClass INTEGER, mark INTEGER, founded INTEGER,
       day INTEGER, seen_jd REAL, number_of_desks INTEGER, staff INTEGER, income INTEGER)`,
  );
  const insert = db.prepare('INSERT INTO firm VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  for (let i = 0; i < 60; i++) {
    const day = 20240101 + (i % 28);
    insert.run(
      i,
      5550000 + i,
      4_915_100_000 + 37 * i,
      i % 5,
      i % 3,
      1900 + i,
      day,
      2_460_000.5 + i,
      i * 3,
      i * i,
      90 ** 3 * i,
    );
  }
  const [table] = readCatalog('firms', db).tables;
  const uses = table?.columns.map((column) => {
    const values = db.prepare(`SELECT DISTINCT "${column.name}" FROM firm`).pluck().all() as number[];
    const legend = column.name === 'mark' ? { value_description: '0 = none, 1: some, 2 = all' } : {};
    return [column.name, numberUse(table, { ...column, ...legend }, { values })];
  });
  db.close();
  expect(Object.fromEntries(uses ?? [])).toEqual({
    id: 'code',
    phone: 'code',
    contact: 'code',
    taxClass: 'code',
    mark: 'code',
    founded: 'year',
    day: 'code',
    seen_jd: 'code',
    number_of_desks: 'quantity',
    staff: 'quantity',
    income: 'quantity',
  });
});

test.each([
  ['postnr', true],
  ['Personnummer', true],
  ['Postleitzahl', true],
  ['plz', true],
  ['numéro_client', true],
  ['teléfono', true],
  ['codigo_postal', true],
  ['rang', true],
  ['week', true],
  ['anzahl_kinder', false],
  ['nombre_enfants', false],
  ['weeks', false],
  ['belopp', false],
])('%s stands for something: %s', (name, stands) => {
  expect(isCode(name)).toBe(stands);
});
