import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { sameRows } from '../../contracts/answer-rows.ts';
import type { Row } from '../../contracts/catalog.ts';
import { ToolBench } from '../../services/testing/tool-bench.ts';
import { parseQuery, printQuery } from '../../sql/index.ts';
import { runs, SEED } from '../../tests/support/random-input.ts';
import { smallDatabase } from '../../tests/support/small-database.ts';
import { readCatalog } from '../read/catalog.ts';
import { lowerSel, lowerSlot, startKeysOf } from './lower-sequences.ts';
import { RandomQueries } from './testing/random-query.ts';

const QUERIES = runs(300);

const db = new Database(smallDatabase(), { readonly: true });
const catalog = readCatalog('shop', db);
const bench = new ToolBench(db, catalog);

it(`SLOT and SEL answer ${QUERIES} random queries (seed ${SEED}) as SQLite does`, async () => {
  const queries = new RandomQueries(SEED);
  const wrong: string[] = [];
  for (let i = 0; i < QUERIES; i++) {
    const sql = queries.next();
    const query = parseQuery(sql, { catalog, referenceTime: '2025-06-15 12:30:00' });
    const gold = db.prepare(printQuery(query)).raw().all() as Row[];
    const slot = lowerSlot(query, catalog);
    const sequence = i % 2 === 0 ? slot : lowerSel(slot, startKeysOf(slot, catalog));
    const rows = await bench.replayLowered(sequence);
    if (rows === null || !sameRows(gold, rows, null)) wrong.push(sql);
  }
  expect(wrong).toEqual([]);
});
