import type Database from 'better-sqlite3';
import { type ColumnAffinity, declaredAffinity } from '../../../contracts/column-affinity.ts';
import type { GivenColumn, GivenTable } from './messages.ts';

/** Makes a temporary table of rows, which hides a table of the database that has its name. */
export function createTable(db: Database.Database, { name, columns, rows }: GivenTable): void {
  db.exec(`CREATE TEMP TABLE ${quoted(name)} (${columns.map(columnOf).join(', ')})`);
  const holes = columns.map(() => '?').join(', ');
  const insert = db.prepare(`INSERT INTO temp.${quoted(name)} VALUES (${holes})`);
  db.transaction(() => {
    for (const row of rows) insert.run(row as unknown[]);
  })();
}

function columnOf({ name, declaredType, collation, isRowid }: GivenColumn): string {
  if (isRowid) return `${quoted(name)} INTEGER PRIMARY KEY`;
  const collate = collation === 'BINARY' ? '' : ` COLLATE ${quoted(collation)}`;
  return `${quoted(name)} ${TYPES[declaredAffinity(declaredType)]}${collate}`;
}

/** The declared type matters by its affinity alone. */
const TYPES: Readonly<Record<ColumnAffinity, string>> = {
  text: 'TEXT',
  numeric: 'NUMERIC',
  integer: 'INT',
  real: 'REAL',
  blob: 'BLOB',
};

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
