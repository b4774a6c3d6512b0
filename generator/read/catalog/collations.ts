import Database from 'better-sqlite3';
import { quoteIdentifier } from '../../../sql/print.ts';
import type { ListedTable } from './list-tables.ts';

/**
 * The declared collations of a table's columns, upper case, by column; columns that are missing are BINARY.
 *
 * No pragma gives a column's collation, but `index_xinfo` gives that of an indexed one. So SQLite itself reads the
 * CREATE statement in an empty database in memory, where every column gets an index. A statement that cannot be run
 * there (a collation or function of the application that wrote the file) leaves BINARY: SQLite could not compare such
 * columns here anyway. A view has none of its own.
 */
export function readCollations(table: ListedTable): ReadonlyMap<string, string> {
  const collations = new Map<string, string>();
  if (table.view || !/\bcollate\b/i.test(table.sql)) return collations;
  const memory = new Database(':memory:');
  try {
    memory.exec(table.sql);
    for (const { name } of table.columns) {
      memory.exec(`CREATE INDEX probe ON ${quoteIdentifier(table.name)} (${quoteIdentifier(name)})`);
      const [indexed] = memory.pragma('index_xinfo(probe)') as { coll: string }[];
      if (indexed !== undefined) collations.set(name, indexed.coll.toUpperCase());
      memory.exec('DROP INDEX probe');
    }
  } catch (error) {
    if (!(error instanceof Database.SqliteError)) throw error;
  } finally {
    memory.close();
  }
  return collations;
}
