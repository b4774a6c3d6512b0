import Database from 'better-sqlite3';
import type {
  Catalog,
  CatalogColumn,
  CatalogTable,
  Cell,
  ColumnStatistics,
  ForeignKey,
} from '../../contracts/catalog.ts';
import { groupBy } from '../../contracts/grouping.ts';
import { isOwnTable } from '../../contracts/service.ts';
import { quoteIdentifier } from '../../sql/print.ts';

/** Reads tables and views from the schema. If `views` is given, other views are left out. */
export function readCatalog(
  db: string,
  connection: Database.Database,
  {
    views,
    onRows,
  }: {
    readonly views?: ReadonlyMap<string, TableStatistics>;
    readonly onRows?: (table: string, rows: number) => void;
  } = {},
): Catalog {
  const tables = listTables(connection).filter(({ view, name }) => !view || !views || views.has(name));
  const statisticsOf = (table: ListedTable) => {
    onRows?.(table.name, 0);
    return views?.get(table.name) ?? readStatistics(connection, table, (rows) => onRows?.(table.name, rows));
  };
  return { db, tables: tables.map((table) => readTable(connection, table, tables, statisticsOf(table))) };
}

function readTable(
  connection: Database.Database,
  table: ListedTable,
  tables: readonly ListedTable[],
  { rows, columns: statistics }: TableStatistics,
): CatalogTable {
  const collations = table.view ? viewCollations(connection, table, tables) : readCollations(table);
  const columns = table.columns.map((column, index): CatalogColumn => {
    const counted = statistics[index];
    if (counted === undefined) throw new Error(`no statistics for ${table.name}.${column.name}`);
    return {
      name: column.name,
      declared_type: column.declared_type,
      type: columnType(column.declared_type, counted.storage),
      not_null: column.not_null,
      ...(column.generated ? { generated: true as const } : {}),
      primary_key: column.primary_key,
      collation: collations.get(column.name) ?? 'BINARY',
      friendly_name: null,
      description: null,
      value_description: null,
      statistics: counted,
    };
  });
  return {
    name: table.name,
    friendly_name: null,
    description: null,
    rows,
    columns,
    foreign_keys: readForeignKeys(connection, table, tables),
    has_rowid: table.has_rowid,
    view: table.view,
    ...(table.view ? { reads: namesIn(table, tables) } : {}),
  };
}

/** Collations of view columns that come straight from a table. */
function viewCollations(
  connection: Database.Database,
  { name, columns }: ListedTable,
  tables: readonly ListedTable[],
): Map<string, string> {
  const origins = connection.prepare(`SELECT * FROM ${quoteIdentifier(name)}`).columns();
  return new Map(
    columns.map((column, i) => {
      const origin = origins[i];
      const table = tables.find((each) => each.name === origin?.table);
      return [column.name, (table && readCollations(table).get(origin?.column ?? '')) ?? 'BINARY'];
    }),
  );
}

/** The tables a view may read, by the names in its text; possibly one too many. */
function namesIn({ name: own, sql }: ListedTable, tables: readonly ListedTable[]): string[] {
  const text = sql.toLowerCase();
  return tables
    .map(({ name }) => name)
    .filter((name) => {
      const plain = name.toLowerCase();
      const spellings = [plain, plain.replaceAll('"', '""'), plain.replaceAll('`', '``')];
      return name !== own && spellings.some((spelling) => text.includes(spelling));
    });
}

/** A table or view, and the columns of `SELECT *`. */
export interface ListedTable {
  readonly name: string;
  readonly view: boolean;
  readonly has_rowid: boolean;
  /** Its CREATE statement. */
  readonly sql: string;
  readonly columns: readonly ListedColumn[];
}

type ListedColumn = Pick<CatalogColumn, 'name' | 'declared_type' | 'not_null' | 'generated' | 'primary_key'>;

/** In order of creation, without SQLite's and rookery's own tables and those that cannot be queried (broken views). */
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
      if (kind === undefined || kind.type === 'shadow' || isOwnTable(name)) return [];
      if (!canBeQueried(connection, name)) return [];
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
      ...(GENERATED.includes(row.hidden) ? { generated: true as const } : {}),
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
/** Of virtual and of stored generated columns. */
const GENERATED = [2, 3];

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

/** Decided by the stored values, or by the declared type when there are none. */
export function columnType(declared: string, storage: ColumnStatistics['storage']): CatalogColumn['type'] {
  const { integer, real, text, blob } = storage;
  if (text + blob > 0) return 'string';
  if (real > 0) return 'number';
  if (integer > 0) return 'integer';
  return declaredType(declared);
}

/** SQLite's affinity rules, plus the types that people store as text or as 0 and 1. */
function declaredType(declared: string): CatalogColumn['type'] {
  if (/int|bool/i.test(declared)) return 'integer';
  if (/char|clob|text|date|time|blob/i.test(declared) || declared.trim() === '') return 'string';
  return 'number';
}

/**
 * Upper-case collations by column; absent means BINARY. No pragma gives a column's collation, but index_xinfo
 * does, so an empty table is made in memory and all its columns are indexed.
 */
function readCollations(table: ListedTable): ReadonlyMap<string, string> {
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

/** In order of declaration, with default targets resolved; keys to missing tables are dropped. */
function readForeignKeys(
  connection: Database.Database,
  table: ListedTable,
  tables: readonly ListedTable[],
): ForeignKey[] {
  if (table.view) return [];
  const rows = connection
    .prepare<[string], ForeignKeyRow>('SELECT * FROM pragma_foreign_key_list(?) ORDER BY id DESC, seq')
    .all(table.name);
  return [...groupBy(rows, ({ id }) => id).values()].flatMap((parts) => {
    const target = tables.find((one) => sameName(one.name, parts[0].table));
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

/** SQLite folds ASCII letters only; for real names the difference does not matter. */
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

/** Characters kept of a column's least and greatest texts. */
const LONGEST_EXTREME = 200;

/** Most rows read from a view, which may be a cross join. */
const MAX_VIEW_ROWS = 1_000_000;

/** Each column takes 8 of SQLite's 2,000 result columns and, for `distinct`, a temporary table. */
const COLUMNS_A_PASS = 100;

/** Rows between progress calls, which cost more than a row. */
const ROWS_A_STEP = 1 << 16;
const STEP = 'rookery_step';

/** The number of rows, and the statistics of the columns in order. */
export interface TableStatistics {
  readonly rows: number;
  readonly columns: readonly ColumnStatistics[];
}

/** Scans the table once per hundred columns, uninterruptibly: for views use `readViews`. */
export function readStatistics(
  connection: Database.Database,
  table: ListedTable,
  onRows?: (rows: number) => void,
): TableStatistics {
  const source = table.view
    ? `(SELECT * FROM ${quoteIdentifier(table.name)} LIMIT ${MAX_VIEW_ROWS})`
    : quoteIdentifier(table.name);
  const columns: ColumnStatistics[] = [];
  const step = stepOf(table);
  let rows = 0;
  let steps = 0;
  connection.function(STEP, () => {
    onRows?.(++steps * ROWS_A_STEP);
    return null;
  });
  for (let start = 0; start < table.columns.length; start += COLUMNS_A_PASS) {
    const pass = table.columns.slice(start, start + COLUMNS_A_PASS);
    const aggregates = pass.map(({ name }) => aggregatesOf(quoteIdentifier(name)));
    const answer = connection
      .prepare(`SELECT count(*), ${[...aggregates, step].join(', ')} FROM ${source}`)
      .raw()
      .get() as Aggregate[];
    rows = Number(answer[0]);
    for (let i = 0; i < pass.length; i++)
      columns.push(toStatistics(rows, answer.slice(1 + 8 * i, 9 + 8 * i)));
  }
  return { rows, columns };
}

/** An aggregate that is always 0 and counts steps. */
function stepOf({ has_rowid, columns }: ListedTable): string {
  const names = new Set(columns.map(({ name }) => name.toLowerCase()));
  const rowid = ['rowid', '_rowid_', 'oid'].find((each) => !names.has(each));
  return has_rowid && rowid ? `count(CASE WHEN ${rowid} % ${ROWS_A_STEP} = 0 THEN ${STEP}() END)` : 'NULL';
}

type Aggregate = number | string | Buffer | null;

function aggregatesOf(column: string): string {
  const stored = ['integer', 'real', 'text', 'blob'].map(
    (kind) => `count(*) FILTER (WHERE typeof(${column}) = '${kind}')`,
  );
  return [
    `count(${column})`,
    `count(DISTINCT ${column})`,
    `min(${column})`,
    `max(${column})`,
    ...stored,
  ].join(', ');
}

function toStatistics(rows: number, answer: readonly Aggregate[]): ColumnStatistics {
  const [present, distinct, min, max, integer, real, text, blob] = answer;
  return {
    rows,
    nulls: rows - Number(present),
    distinct: Number(distinct),
    min: toCell(min ?? null),
    max: toCell(max ?? null),
    storage: { integer: Number(integer), real: Number(real), text: Number(text), blob: Number(blob) },
  };
}

function toCell(value: Aggregate): Cell {
  if (typeof value === 'string') return shorten(value);
  if (Buffer.isBuffer(value)) return shorten(value.toString('hex').toUpperCase());
  // JSON has no infinity.
  if (value === Number.POSITIVE_INFINITY) return Number.MAX_VALUE;
  if (value === Number.NEGATIVE_INFINITY) return -Number.MAX_VALUE;
  return value;
}

/** Counts code points, so that no character is cut in two. */
function shorten(text: string): string {
  if (text.length <= LONGEST_EXTREME) return text;
  return Array.from(text.slice(0, 2 * LONGEST_EXTREME))
    .slice(0, LONGEST_EXTREME)
    .join('');
}
