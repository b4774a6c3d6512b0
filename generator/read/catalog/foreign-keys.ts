import type Database from 'better-sqlite3';
import type { ForeignKey } from '../../../contracts/catalog.ts';
import type { ListedTable } from './list-tables.ts';

/**
 * The foreign keys of a table in order of declaration, names spelled as the tables spell them. A key without target
 * columns points at the target's primary key. Keys whose target does not exist are left out: SQLite accepts them when a
 * table is created, and real databases have them.
 */
export function readForeignKeys(
  connection: Database.Database,
  table: ListedTable,
  tables: readonly ListedTable[],
): ForeignKey[] {
  if (table.view) return [];
  const rows = connection
    .prepare<[string], ForeignKeyRow>('SELECT * FROM pragma_foreign_key_list(?) ORDER BY id DESC, seq')
    .all(table.name);
  const ids = [...new Set(rows.map((row) => row.id))];
  return ids.flatMap((id) => {
    const parts = rows.filter((row) => row.id === id);
    const target = tables.find((one) => sameName(one.name, parts[0]?.table ?? ''));
    if (target === undefined) return [];
    const columns = resolve(
      table,
      parts.map((part) => part.from),
    );
    const targetColumns = parts.every((part) => part.to === null)
      ? primaryKey(target)
      : resolve(
          target,
          parts.map((part) => part.to ?? ''),
        );
    if (columns === null || targetColumns?.length !== columns.length) return [];
    return [{ columns, references_table: target.name, references_columns: targetColumns }];
  });
}

function primaryKey(table: ListedTable): string[] {
  return table.columns
    .filter((column) => column.primary_key > 0)
    .sort((a, b) => a.primary_key - b.primary_key)
    .map((column) => column.name);
}

function resolve(table: ListedTable, names: readonly string[]): string[] | null {
  const found = names.flatMap((name) => {
    const column = table.columns.find((one) => sameName(one.name, name));
    return column === undefined ? [] : [column.name];
  });
  return found.length === names.length ? found : null;
}

/** SQLite folds the case of ASCII letters only; for real names the difference does not matter. */
function sameName(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

interface ForeignKeyRow {
  readonly id: number;
  readonly seq: number;
  readonly table: string;
  readonly from: string;
  /** null when the key names no target columns. */
  readonly to: string | null;
}
