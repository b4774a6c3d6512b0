import Database from 'better-sqlite3';
import { OptionError, QueryError } from '../../contracts/errors.ts';
import type { TableRenames } from '../../contracts/renames.ts';
import { registerScalars } from '../../services/base/scalars/workspace.ts';
import { quoteIdentifier } from '../../sql/index.ts';
import { requote } from '../oracle/gold-sql.ts';
import { listTables } from '../read/catalog.ts';
import { openReadonly } from '../read/open-database.ts';

/** Renames columns and tables; SQLite changes keys, indexes, triggers and views with them. Throws OPTION_INVALID. */
export function renameSchema(database: Database.Database, names: TableRenames): void {
  try {
    rename(database, Object.entries(names));
  } catch (error) {
    if (!(error instanceof Database.SqliteError)) throw error;
    throw new OptionError('--renames', `cannot be carried out: ${error.message}`);
  }
}

function rename(
  database: Database.Database,
  names: readonly (readonly [string, TableRenames[string]])[],
): void {
  for (const [table, { columns }] of names)
    for (const [column, name] of Object.entries(columns))
      database.exec(
        `ALTER TABLE ${quoteIdentifier(table)} RENAME COLUMN ${quoteIdentifier(column)} TO ${quoteIdentifier(name)}`,
      );
  for (const [table, { name }] of names)
    if (name !== undefined)
      database.exec(`ALTER TABLE ${quoteIdentifier(table)} RENAME TO ${quoteIdentifier(name)}`);
}

const CREATE = 'CREATE VIEW rookery_statement AS ';

/**
 * Statements with new names. Each is made a view of the database's schema without rows; SQLite, which changes views
 * together with what they read, does the rest.
 */
export class RenamedStatements {
  readonly #schema = new Database(':memory:');
  readonly #names: TableRenames;
  readonly #hasViews: boolean;

  constructor(file: string, names: TableRenames) {
    const original = openReadonly(file);
    const tables = listTables(original);
    original.close();
    for (const { sql } of tables) this.#schema.exec(sql);
    registerScalars(this.#schema, () => [], false);
    this.#names = names;
    this.#hasViews = tables.some(({ view }) => view);
  }

  /** Throws a SqliteError for what is no query or cannot be renamed, and QueryError. */
  rename(sql: string): string {
    if (/\bnatural\b/i.test(sql)) throw new QueryError('SQL_UNSUPPORTED', 'NATURAL JOIN goes by names');
    const schema = this.#schema;
    const text = requote(sql.trim().replace(/;+$/, ''), (tried) => {
      try {
        schema.prepare(tried);
        return null;
      } catch (error) {
        return (error as Error).message;
      }
    });
    schema.exec('SAVEPOINT statement');
    try {
      schema.exec(CREATE + text);
      const lower = sql.toLowerCase();
      // Each change reads the whole schema, so what the statement does not name stays; a view may name anything.
      rename(
        schema,
        Object.entries(this.#names).filter(
          ([table]) => this.#hasViews || lower.includes(table.toLowerCase()),
        ),
      );
      const stored = schema
        .prepare<[], string>("SELECT sql FROM sqlite_schema WHERE name = 'rookery_statement'")
        .pluck()
        .get();
      return (stored ?? '').slice(CREATE.length);
    } finally {
      schema.exec('ROLLBACK TO statement; RELEASE statement');
    }
  }

  close(): void {
    this.#schema.close();
  }
}
