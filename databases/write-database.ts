import { closeSync, openSync, writeSync } from 'node:fs';
import Database from 'better-sqlite3';

/** What a generator may put into a column: a bigint where 2^53 is too small, a Buffer for text in raw bytes, which need not be valid UTF-8. */
export type Cell = string | number | bigint | null | Buffer;

/** The rows of one table, their cells in the order of its columns. */
export interface TableRows {
  readonly table: string;
  readonly rows: readonly (readonly Cell[])[];
}

/** The rows of a table from objects whose fields are declared in the order of its columns. */
export function rowsOf(items: readonly object[]): Cell[][] {
  return items.map((item) => Object.values(item) as Cell[]);
}

/** Writes a SQLite file whose bytes depend on nothing but the schema and the rows. */
export function writeDatabase(file: string, schema: string, tables: readonly TableRows[]): void {
  const db = new Database(':memory:');
  try {
    db.pragma('page_size = 4096');
    db.pragma('foreign_keys = OFF'); // rows may point at later rows of their own table; checked as a whole below
    db.exec(schema);
    db.transaction(() => {
      for (const table of tables) insertRows(db, table);
    })();
    const [dangling] = db.pragma('foreign_key_check') as unknown[];
    if (dangling !== undefined) throw new Error(`${file}: dangling reference ${JSON.stringify(dangling)}`);
    db.prepare('VACUUM INTO ?').run(file);
  } finally {
    db.close();
  }
  clearLibraryVersion(file);
}

function insertRows(db: Database.Database, { table, rows }: TableRows): void {
  const values = (rows[0] ?? []).map((_, column) =>
    // A bound Buffer would be stored as a BLOB.
    rows.some((row) => Buffer.isBuffer(row[column])) ? 'CAST(? AS TEXT)' : '?',
  );
  const insert = db.prepare(`INSERT INTO "${table}" VALUES (${values.join(', ')})`);
  for (const row of rows) insert.run(row);
}

/** SQLite notes its own version in bytes 96–99 of the header; without it two releases write the same file. */
function clearLibraryVersion(file: string): void {
  const handle = openSync(file, 'r+');
  try {
    writeSync(handle, Buffer.from([0, 0x2d, 0xfc, 0x6c]), 0, 4, 96);
  } finally {
    closeSync(handle);
  }
}
