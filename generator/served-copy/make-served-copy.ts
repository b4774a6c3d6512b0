import { chmodSync, constants, copyFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { quoteIdentifier } from '../../sql/index.ts';
import type { Index } from './plan-indexes.ts';
import type { SearchIndex } from './plan-search-indexes.ts';
import { createSearchIndexes } from './search-indexes.ts';

/**
 * Makes the file a service reads from the original: the same pages, so the same rows under the same row ids (VACUUM
 * would renumber some), plus indexes, of words too, and statistics; read-only, no journal beside it. The same input gives the same
 * bytes. The original must be at rest: see `readablePath`. Optimisations are left out where SQLite refuses them: an
 * index on a virtual table, or by a collation that only the program that wrote the file has.
 */
export function makeServedCopy(
  original: string,
  target: string,
  indexes: readonly Index[],
  searched: readonly SearchIndex[] = [],
  analyzed = true,
): void {
  copyFileSync(original, target, constants.COPYFILE_FICLONE);
  chmodSync(target, 0o600);
  const db = new Database(target, { fileMustExist: true });
  try {
    db.pragma('journal_mode = MEMORY');
    db.pragma('synchronous = OFF');
    db.transaction(() => {
      const names = new Set(db.prepare('SELECT lower(name) FROM sqlite_master').pluck().all() as string[]);
      for (const index of indexes) {
        if (!isIndexed(db, index)) unlessRefused(() => createIndex(db, index, names));
      }
    })();
    const tables = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY rowid").pluck();
    for (const table of analyzed ? (tables.all() as string[]) : []) {
      if (!table.startsWith('sqlite_')) unlessRefused(() => db.exec(`ANALYZE ${quoteIdentifier(table)}`));
    }
    // With sqlite_stat4 every execution with bound values is planned again; sqlite_stat1 is enough.
    db.exec('DROP TABLE IF EXISTS sqlite_stat4');
    db.transaction(() => createSearchIndexes(db, searched))();
    db.pragma('journal_mode = DELETE');
  } finally {
    db.close();
  }
  chmodSync(target, 0o444);
}

function unlessRefused(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof Database.SqliteError) || !error.code.startsWith('SQLITE_ERROR')) throw error;
  }
}

/** What the name of an index begins with; a number follows where two would have the same. */
export function indexName({ table, columns }: Index): string {
  return ['rookery', table, ...columns].join('_').replace(/[^A-Za-z0-9_]/g, '_');
}

function createIndex(db: Database.Database, index: Index, taken: Set<string>): void {
  const { table, columns } = index;
  const plain = indexName(index);
  let name = plain;
  for (let n = 2; taken.has(name.toLowerCase()); n++) name = `${plain}_${n}`;
  taken.add(name.toLowerCase());
  const list = columns.map(quoteIdentifier).join(', ');
  db.exec(`CREATE INDEX ${quoteIdentifier(name)} ON ${quoteIdentifier(table)} (${list})`);
}

/** Whether an index of the original already begins with these columns. */
function isIndexed(db: Database.Database, { table, columns }: Index): boolean {
  const names = db.prepare('SELECT name FROM pragma_index_list(?) WHERE partial = 0').pluck().all(table);
  const parts = db.prepare('SELECT name FROM pragma_index_info(?) ORDER BY seqno').pluck();
  return names.some((name) => {
    const indexed = parts.all(name);
    return columns.every((column, i) => indexed[i] === column);
  });
}
