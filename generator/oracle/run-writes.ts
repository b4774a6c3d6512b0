import Database from 'better-sqlite3';
import { QueryError } from '../../contracts/errors.ts';
import { type SqlValue, TIME_KEYWORDS } from '../../services/base/sqlite/driver.ts';
import { type RowChange, type RowValues, rowKey, sameRow } from '../../services/base/sqlite/private-copy.ts';
import { quoteIdentifier, quoteText, tokenize } from '../../sql/index.ts';
import { editText, pinTime, requote } from './gold-sql.ts';

/** A database in memory is compared as a whole. */
export const MOST_BYTES = 64 * 1024 * 1024;

/**
 * Runs statements as one transaction on a copy of a database in memory, by SQLite itself, and compares all rows before
 * and after. Throws QueryError SQL_NOT_EXECUTABLE.
 */
export function runWrites(image: Buffer, statements: readonly string[], referenceTime: string): RowChange[] {
  const db = new Database(pinDefaults(image, referenceTime));
  try {
    db.pragma(`foreign_keys = ${hasSoundKeys(db) ? 'on' : 'off'}`);
    const tables = tablesOf(db);
    const before = tables.map((table) => rowsOf(db, table));
    db.transaction(() => {
      for (const statement of statements) runOne(db, pinTime(statement, referenceTime).sql);
    })();
    return tables.flatMap((table, at) => compare(table, before[at] as Rows, rowsOf(db, table)));
  } catch (error) {
    if (error instanceof Database.SqliteError) throw new QueryError('SQL_NOT_EXECUTABLE', error.message);
    if (error instanceof TypeError || error instanceof RangeError)
      throw new QueryError('SQL_NOT_EXECUTABLE', error.message);
    throw error;
  } finally {
    db.close();
  }
}

function runOne(db: Database.Database, sql: string): void {
  const errorOf = (text: string) => {
    try {
      db.prepare(text);
      return null;
    } catch (error) {
      return (error as Error).message;
    }
  };
  const statement = db.prepare(requote(sql, errorOf));
  if (statement.reader) statement.all();
  else statement.run();
}

/** Columns that are given the current time by default get the farm's. */
function pinDefaults(image: Buffer, reference: string): Buffer {
  const db = new Database(image);
  const schema = db.prepare("SELECT rowid, sql FROM sqlite_schema WHERE type = 'table' AND sql IS NOT NULL");
  const edits = schema.raw().all() as [number, string][];
  try {
    db.unsafeMode(true);
    db.pragma('writable_schema = on');
    for (const [rowid, sql] of edits) {
      const pinned = editText(
        sql,
        tokenize(sql).flatMap(({ upper, start, end }) => {
          const timeAt = TIME_KEYWORDS.get(upper);
          return timeAt ? [{ start, end, text: quoteText(timeAt(reference)) }] : [];
        }),
      );
      if (pinned !== sql) db.prepare('UPDATE sqlite_schema SET sql = ? WHERE rowid = ?').run(pinned, rowid);
    }
    return db.serialize();
  } finally {
    db.close();
  }
}

/** As services do: a foreign key that refers to nothing unique switches them off, since it fails every write. */
function hasSoundKeys(db: Database.Database): boolean {
  try {
    db.pragma('foreign_key_check');
    return true;
  } catch {
    return false;
  }
}

interface ComparedTable {
  readonly name: string;
  readonly columns: readonly string[];
  readonly id: readonly string[];
}
type Rows = ReadonlyMap<string, { readonly id: readonly SqlValue[]; readonly row: RowValues }>;

function tablesOf(db: Database.Database): ComparedTable[] {
  const tables = db
    .prepare(
      "SELECT name, wr FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name",
    )
    .all() as { name: string; wr: number }[];
  return tables.map(({ name, wr }) => {
    const info = db.prepare('SELECT name, pk, hidden FROM pragma_table_xinfo(?)').all(name) as {
      name: string;
      pk: number;
      hidden: number;
    }[];
    const taken = info.map((column) => column.name.toLowerCase());
    const keys = info.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
    const rowid = ['rowid', '_rowid_', 'oid'].find((each) => !taken.includes(each));
    return {
      name,
      columns: info.filter(({ hidden }) => hidden === 0).map((column) => column.name),
      id: wr === 1 || rowid === undefined ? keys.map((key) => key.name) : [rowid],
    };
  });
}

function rowsOf(db: Database.Database, { name, columns, id }: ComparedTable): Rows {
  const list = [...id, ...columns].map(quoteIdentifier).join(', ');
  const rows = new Map<string, { id: readonly SqlValue[]; row: RowValues }>();
  const statement = db
    .prepare(`SELECT ${list} FROM ${quoteIdentifier(name)}`)
    .raw()
    .safeIntegers(true);
  for (const values of statement.iterate() as Iterable<SqlValue[]>) {
    const key = values.slice(0, id.length);
    const row = Object.fromEntries(columns.map((column, at) => [column, values[id.length + at] ?? null]));
    rows.set(rowKey(name, key), { id: key, row });
  }
  return rows;
}

function compare({ name }: ComparedTable, before: Rows, after: Rows): RowChange[] {
  const changes: RowChange[] = [];
  for (const [key, { id, row }] of before) {
    const now = after.get(key)?.row ?? null;
    if (!sameRow(row, now)) changes.push({ table: name, id, key: [], before: row, after: now });
  }
  for (const [key, { id, row }] of after)
    if (!before.has(key)) changes.push({ table: name, id, key: [], before: null, after: row });
  return changes;
}
