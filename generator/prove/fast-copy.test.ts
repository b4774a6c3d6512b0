import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, expect, test } from 'vitest';
import { parseQuery } from '../../sql/index.ts';
import { Oracle } from '../oracle/oracle.ts';
import { planIndexes } from '../oracle/served-copy.ts';
import { readCatalog } from '../read/catalog.ts';
import { makeFastCopy } from './fast-copy.ts';

const referenceTime = '2024-01-01 00:00:00';
const folder = mkdtempSync(join(tmpdir(), 'rookery-fast-'));
const file = join(folder, 'original.sqlite');
const oracle = new Oracle({ referenceTime, children: 1 });
afterAll(async () => {
  await oracle.close();
  rmSync(folder, { recursive: true });
});

// Most lots have one state, all others a state of their own: by the average, a state has few lots.
const original = new Database(file);
original.exec(`CREATE TABLE lot (id INTEGER PRIMARY KEY, state TEXT, weight INTEGER);
  CREATE TABLE pick (id INTEGER PRIMARY KEY, lot INTEGER, picker TEXT);
  WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200000)
    INSERT INTO lot SELECT i, CASE WHEN i % 6 THEN 'stored' ELSE 's' || i END, i % 100 FROM n;
  WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
    INSERT INTO pick SELECT i, i * 7, 'p' || (i % 5) FROM n`);
const catalog = readCatalog('store', original);
original.close();

const queriesOf = (...sqls: string[]) => sqls.map((sql) => parseQuery(sql, { catalog, referenceTime }));
const MISLED = "SELECT p.picker FROM pick AS p JOIN lot AS l ON l.id = p.lot WHERE l.state = 'stored'";
const LED = "SELECT weight FROM lot WHERE state = 's60'";

async function indexesOf(name: string, sqls: string[]): Promise<string[]> {
  const queries = queriesOf(...sqls);
  const target = join(folder, name);
  await makeFastCopy(file, target, planIndexes(queries, catalog), [], {
    queries,
    catalog,
    oracle,
    referenceTime,
  });
  const db = new Database(target, { readonly: true });
  const names = db.prepare("SELECT name FROM sqlite_master WHERE type = 'index' ORDER BY 1").pluck().all();
  db.close();
  return names as string[];
}

test('an index that makes a gold query visit many more rows is left out, the others stay', async () => {
  expect(await indexesOf('led.sqlite', [LED])).toEqual(['rookery_lot_state']);
  const both = await indexesOf('both.sqlite', [MISLED, LED]);
  expect(both).toEqual(['rookery_pick_lot']);
});
