import type Database from 'better-sqlite3';
import { quoteIdentifier } from '../../../sql/print.ts';

/** A table or view that can be queried, and the columns that `SELECT *` gives. */
export interface ListedTable {
  readonly name: string;
  readonly view: boolean;
  readonly has_rowid: boolean;
  /** Its CREATE statement. */
  readonly sql: string;
  readonly columns: readonly ListedColumn[];
}

export interface ListedColumn {
  readonly name: string;
  readonly declared_type: string;
  readonly not_null: boolean;
  /** 1-based position in the primary key, or 0. */
  readonly primary_key: number;
}

/**
 * The tables and views of a database in order of creation. Left out are SQLite's own, and those SQLite cannot query: a
 * view on a dropped table, a virtual table whose module is not built in.
 */
export function listTables(connection: Database.Database): ListedTable[] {
  const kinds = new Map(
    (connection.pragma('main.table_list') as TableListRow[]).map((row) => [row.name, row]),
  );
  return connection
    .prepare<[], { name: string; sql: string }>(
      `SELECT name, sql FROM sqlite_schema
       WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid`,
    )
    .all()
    .flatMap(({ name, sql }) => {
      const kind = kinds.get(name);
      if (kind === undefined || kind.type === 'shadow' || !canBeQueried(connection, name)) return [];
      const view = kind.type === 'view';
      return [{ name, view, has_rowid: !view && kind.wr === 0, sql, columns: listColumns(connection, name) }];
    });
}

function listColumns(connection: Database.Database, table: string): ListedColumn[] {
  return connection
    .prepare<[string], TableInfoRow>('SELECT * FROM pragma_table_xinfo(?) ORDER BY cid')
    .all(table)
    .filter((row) => row.hidden !== HIDDEN_OF_VIRTUAL_TABLE)
    .map((row) => ({
      name: row.name,
      declared_type: row.type.replace(/\s*generated always$/i, ''),
      not_null: row.notnull === 1,
      primary_key: row.pk,
    }));
}

function canBeQueried(connection: Database.Database, table: string): boolean {
  try {
    connection.prepare(`SELECT * FROM ${quoteIdentifier(table)}`);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'SQLITE_ERROR') return false;
    throw error;
  }
}

const HIDDEN_OF_VIRTUAL_TABLE = 1;

interface TableListRow {
  readonly name: string;
  readonly type: 'table' | 'view' | 'shadow' | 'virtual';
  /** 1 for WITHOUT ROWID. */
  readonly wr: number;
}

interface TableInfoRow {
  readonly name: string;
  readonly type: string;
  readonly notnull: number;
  readonly pk: number;
  readonly hidden: number;
}
