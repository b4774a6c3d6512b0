import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Catalog } from '../../contracts/catalog.ts';
import { parseQuery, printQuery } from '../../sql/index.ts';
import { readDomain } from '../read/read-split.ts';
import { applyChanges, type Change } from './changes.ts';
import { killMutants } from './kill-mutants.ts';
import { mutantsOf } from './mutants.ts';
import { MutantKiller } from './neighbours.ts';
import { ScratchDatabase } from './scratch-database.ts';

const folder = mkdtempSync(join(tmpdir(), 'rookery-sharpen-'));
const file = join(folder, 'choir.sqlite');
let catalog: Catalog;
beforeAll(async () => {
  const db = new Database(file);
  db.exec(`
    CREATE TABLE singer (singer_id INTEGER PRIMARY KEY, name TEXT, country TEXT, age INTEGER);
    CREATE TABLE song (song_id INTEGER PRIMARY KEY, singer_id INTEGER REFERENCES singer, sales INTEGER);
    INSERT INTO singer VALUES (1, 'Ada', 'Peru', 41), (2, 'Bo', 'Peru', 35), (3, 'Cy', 'Chad', 52), (4, 'Di', 'Chad', 29);
    INSERT INTO song VALUES (1, 1, 10), (2, 1, 20), (3, 2, 50), (4, 3, 70), (5, 3, 80), (6, 4, 90);
  `);
  db.close();
  ({ catalog } = await readDomain('choir', file));
});
afterAll(() => rmSync(folder, { recursive: true }));

const GOLDS = [
  'SELECT DISTINCT country FROM singer WHERE age > 20',
  'SELECT name FROM singer WHERE age > (SELECT avg(age) FROM singer)',
];

function sharpened(plan: readonly Change[] = []): readonly Change[] {
  const scratch = join(folder, 'scratch.sqlite');
  copyFileSync(file, scratch);
  const draft = new ScratchDatabase(scratch, catalog);
  const queries = GOLDS.map((sql) => parseQuery(sql, { catalog, referenceTime: '2025-01-01 00:00:00' }));
  try {
    return killMutants(draft, queries, [plan], { catalog, seed: 'test' });
  } finally {
    draft.close();
  }
}

/** The kinds of mutants of a query that give its answer on a database. */
function unseen(database: string, sql: string): string[] {
  const query = parseQuery(sql, { catalog, referenceTime: '2025-01-01 00:00:00' });
  const db = new Database(database, { readonly: true });
  const answer = (text: string) => JSON.stringify(db.prepare(text).raw(true).all().map(String).sort());
  try {
    const gold = answer(printQuery(query));
    return mutantsOf(query, catalog).flatMap((each) =>
      answer(printQuery(each.query)) === gold ? [each.kind] : [],
    );
  } finally {
    db.close();
  }
}

test('wrong queries that answer as the right one does no longer do so after the changes', () => {
  const target = join(folder, 'neighbour.sqlite');
  copyFileSync(file, target);
  applyChanges(target, sharpened());
  for (const sql of GOLDS) {
    expect(unseen(file, sql)).toContain('comparison');
    expect(unseen(target, sql)).not.toContain('comparison');
    expect(unseen(target, sql)).not.toContain('dropped condition');
  }
});

test('the same input gives the same changes, which come after those that were planned', () => {
  expect(sharpened()).toEqual(sharpened());
  const [table] = sharpened().map((change) => change.table);
  if (!table) throw new Error('nothing was changed');
  const plan: Change[] = [{ kind: 'delete', table, row: { [`${table.name}_id`]: 4n } }];
  expect(sharpened(plan)).not.toContainEqual(plan[0]);
});

test.runIf(process.platform === 'linux')(
  'a mutant that takes all memory leaves the neighbours as they are',
  async () => {
    const killer = new MutantKiller(1, 256);
    // A mutant of `n < 3` doubles the text until there is no memory left.
    const sql = `WITH RECURSIVE d(n, s) AS (SELECT 1, name || country FROM singer UNION ALL
    SELECT n + 1, s || s FROM d WHERE n < 3) SELECT s FROM d`;
    const queries = [parseQuery(sql, { catalog, referenceTime: '2025-01-01 00:00:00' })];
    const scratch = join(folder, 'growing.sqlite');
    try {
      expect(
        await killer.killMutants({ file, scratch, catalog, seed: 'test', queries, plans: [[]] }),
      ).toEqual([]);
      expect(existsSync(scratch)).toBe(false);
    } finally {
      await killer.close();
    }
  },
);
