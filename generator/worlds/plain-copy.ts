import { chmodSync, constants, copyFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { quoteIdentifier } from '../../sql/index.ts';
import { dropSearchIndexes } from '../served-copy/search-indexes.ts';

/**
 * Copies a farm's served database without what serving added: indexes and statistics. Gold SQL then visits rows as it
 * does in the split's own file. Statistics that the split itself had are lost.
 */
export function makePlainCopy(served: string, target: string): void {
  copyFileSync(served, target, constants.COPYFILE_FICLONE);
  chmodSync(target, 0o600);
  const db = new Database(target, { fileMustExist: true });
  try {
    db.pragma('journal_mode = MEMORY');
    db.pragma('synchronous = OFF');
    const added = db.prepare(
      "SELECT name FROM sqlite_master WHERE type = 'index' AND name LIKE 'rookery\\_%' ESCAPE '\\' AND sql IS NOT NULL",
    );
    for (const name of added.pluck().all() as string[]) db.exec(`DROP INDEX ${quoteIdentifier(name)}`);
    dropSearchIndexes(db);
    db.exec('DROP TABLE IF EXISTS sqlite_stat1');
    db.pragma('journal_mode = DELETE');
  } finally {
    db.close();
  }
}
