import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import type { CatalogColumn } from '../../../contracts/catalog.ts';
import { readCatalog } from '../../read/catalog/read-catalog.ts';
import { kindOf } from './column-kind.ts';

test('moments counted from 1970 are not measured: by their size, and what they are called or said to be', () => {
  const db = new Database(':memory:');
  db.exec(
    'CREATE TABLE ticket (id INTEGER PRIMARY KEY, opened_ms INTEGER, closed INTEGER, lap_ms INTEGER, debt INTEGER)',
  );
  const insert = db.prepare('INSERT INTO ticket VALUES (?, ?, ?, ?, ?)');
  for (let i = 0; i < 100; i++)
    insert.run(i, 1_700_000_000_000 + 37_000 * i, 1_700_000_000 + 37 * i, 90_000 + 7 * i, 2e11 + i);
  const [table] = readCatalog('desk', db).tables;
  db.close();
  if (!table) throw new Error('the catalog has no table');
  const kind = (name: string, more: Partial<CatalogColumn> = {}) => {
    const column = table.columns.find((each) => each.name === name);
    if (!column) throw new Error(name);
    return kindOf(table, { ...column, ...more }, { values: [column.statistics.min ?? 0] }).kind;
  };
  expect([kind('opened_ms'), kind('lap_ms'), kind('debt'), kind('closed')]).toEqual([
    'unclear',
    'number',
    'number',
    'number',
  ]);
  expect(kind('closed', { description: 'when it was closed, in seconds since 1970' })).toBe('unclear');
});
