import Database from 'better-sqlite3';
import { quoteIdentifier } from '../../sql/index.ts';
import { type ListedTable, listTables } from '../read/catalog/list-tables.ts';
import { openReadonly } from '../read/open-database.ts';

/** A table with more rows is sampled: in so many runs of neighbouring rows, at even steps through the table. */
const MOST_ROWS = 200_000;
const RUNS = 200;

/**
 * Writes a database with the tables of another and at most 200,000 rows of each. Of a large table only the rows that are
 * taken are read, so that the size of the file does not matter. Views are left out. Throws SqliteError.
 */
export function sampleDatabase(file: string, to: string): void {
  const original = openReadonly(file);
  const sample = new Database(to);
  try {
    // What is sampled has children without parents, and nobody needs the file after a crash.
    for (const pragma of ['foreign_keys = OFF', 'ignore_check_constraints = ON', 'synchronous = OFF']) {
      sample.pragma(pragma);
    }
    const tables = listTables(original).filter(({ view, sql }) => !view && !/^CREATE\s+VIRTUAL/i.test(sql));
    sample.transaction(() => {
      for (const table of tables) {
        sample.exec(table.sql);
        copyRows(original, sample, table);
      }
    })();
  } finally {
    original.close();
    sample.close();
  }
}

function copyRows(original: Database.Database, sample: Database.Database, table: ListedTable): void {
  const stored = storedColumns(original, table.name).map(quoteIdentifier);
  const into = `${quoteIdentifier(table.name)} (${stored.join(', ')})`;
  const insert = sample.prepare(`INSERT OR IGNORE INTO ${into} VALUES (${stored.map(() => '?').join(', ')})`);
  for (const rows of samples(original, table, stored.join(', '))) {
    for (const row of rows) insert.run(row as unknown[]);
  }
}

/** Generated columns cannot be written. */
function storedColumns(connection: Database.Database, table: string): string[] {
  return connection
    .prepare<[string], { name: string; hidden: number }>('SELECT name, hidden FROM pragma_table_xinfo(?)')
    .all(table)
    .filter(({ hidden }) => hidden === 0)
    .map(({ name }) => name);
}

function* samples(
  connection: Database.Database,
  { name, has_rowid }: ListedTable,
  columns: string,
): Generator<Iterable<unknown>> {
  const from = `SELECT ${columns} FROM ${quoteIdentifier(name)}`;
  const read = (sql: string) => connection.prepare<unknown[], unknown[]>(sql).safeIntegers().raw();
  const ends = has_rowid ? rowIds(connection, name) : null;
  if (ends === null || ends.last - ends.first < BigInt(MOST_ROWS)) {
    yield read(`${from} LIMIT ${MOST_ROWS}`).iterate();
    return;
  }
  const step = (ends.last - ends.first) / BigInt(RUNS) + 1n;
  const run = read(`${from} WHERE rowid >= ? AND rowid < ? ORDER BY rowid LIMIT ${MOST_ROWS / RUNS}`);
  for (let start = ends.first; start <= ends.last; start += step) yield run.iterate(start, start + step);
}

/** The first and the last row id; null where there are no rows, or where a column is called like it. */
function rowIds(connection: Database.Database, table: string): { first: bigint; last: bigint } | null {
  if (storedColumns(connection, table).some((column) => column.toLowerCase() === 'rowid')) return null;
  const end = (extreme: string) =>
    connection
      .prepare(`SELECT ${extreme}(rowid) FROM ${quoteIdentifier(table)}`)
      .safeIntegers()
      .pluck()
      .get() as bigint | null;
  const [first, last] = [end('min'), end('max')];
  return first === null || last === null ? null : { first, last };
}
