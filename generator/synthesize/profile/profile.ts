import type Database from 'better-sqlite3';
import type { Catalog, CatalogColumn, CatalogTable } from '../../../contracts/catalog.ts';
import { quoteIdentifier } from '../../../sql/index.ts';
import { type ColumnKind, kindOf, type NumberUse, numberUse } from './column-kind.ts';
import { inferReferences, type Reference } from './references.ts';

/** So many rows of a table are looked at: enough for useful literals, quick on a file of any size. */
const SAMPLED_ROWS = 20_000;
const COMMON_VALUES = 12;

/** A value as SQLite holds it. */
export type Value = string | number | bigint;

/** A column that questions can be asked about. */
export interface ProfiledColumn {
  readonly table: string;
  readonly column: CatalogColumn;
  readonly kind: ColumnKind;
  /** Of a column that has numbers only. */
  readonly use: NumberUse | null;
  /** Frequent values of a category with their share of the rows, most frequent first. */
  readonly common: readonly { readonly value: Value; readonly share: number }[];
  /** Values at even steps through the sorted sample, of numbers, years and dates. */
  readonly steps: readonly Value[];
  /** The share of NULLs. */
  readonly nulls: number;
}

export interface ProfiledTable {
  readonly table: CatalogTable;
  readonly columns: readonly ProfiledColumn[];
  /** The column that people call its rows by. */
  readonly label: ProfiledColumn | null;
  /** A single column that tells its rows apart. */
  readonly key: string | null;
}

/** What a database offers to ask about. */
export interface Profile {
  readonly tables: readonly ProfiledTable[];
  readonly references: readonly Reference[];
  /** Columns that no question is asked about, each with the reason. */
  readonly leftOut: readonly { readonly table: string; readonly column: string; readonly reason: string }[];
}

/** Looks at a sample of every table. Throws SqliteError. */
export function profileDatabase(catalog: Catalog, connection: Database.Database): Profile {
  const leftOut: { table: string; column: string; reason: string }[] = [];
  const references = inferReferences(catalog, connection);
  const tables = catalog.tables
    .filter(({ view, rows }) => !view && rows > 0)
    .map((table): ProfiledTable => {
      const columns = table.columns.map((column) => {
        const seen = readSample(connection, table.name, column.name);
        const isReference = references.some(
          ({ from }) => from.table === table.name && from.column === column.name,
        );
        const { kind, reason } = isReference
          ? { kind: 'key' as const, reason: undefined }
          : kindOf(table, column, seen);
        if (reason !== undefined) leftOut.push({ table: table.name, column: column.name, reason });
        return profileColumn(table, column, kind, seen);
      });
      const usable = columns.filter(({ kind }) => kind !== 'unclear');
      return { table, columns: usable, label: labelOf(table, usable), key: keyOf(table) };
    });
  return { tables, references, leftOut };
}

interface Sample {
  readonly values: readonly Value[];
  readonly counts: ReadonlyMap<Value, number>;
  readonly rows: number;
}

function readSample(connection: Database.Database, table: string, column: string): Sample {
  const name = quoteIdentifier(column);
  const statement = connection.prepare<[], [Value | Buffer | null]>(
    `SELECT ${name} FROM ${quoteIdentifier(table)} LIMIT ${SAMPLED_ROWS}`,
  );
  const counts = new Map<Value, number>();
  let rows = 0;
  for (const [value] of statement.safeIntegers(true).raw(true).iterate()) {
    rows++;
    if (value !== null && !Buffer.isBuffer(value)) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return { values: [...counts.keys()], counts, rows };
}

function profileColumn(
  table: CatalogTable,
  column: CatalogColumn,
  kind: ColumnKind,
  sample: Sample,
): ProfiledColumn {
  const { name, rows } = table;
  const byCount = [...sample.counts].sort(([a, m], [b, n]) => n - m || (String(a) < String(b) ? -1 : 1));
  const sorted = [...sample.values].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] as Value;
  return {
    table: name,
    column,
    kind,
    use: column.type === 'string' ? null : numberUse(table, column, sample),
    common:
      kind === 'category'
        ? byCount.slice(0, COMMON_VALUES).map(([value, n]) => ({ value, share: n / sample.rows }))
        : [],
    steps: sorted.length === 0 ? [] : [0.1, 0.25, 0.4, 0.5, 0.6, 0.75, 0.9].map(at),
    nulls: rows === 0 ? 0 : column.statistics.nulls / rows,
  };
}

/** The first name, one that is called so before others. */
function labelOf(table: CatalogTable, columns: readonly ProfiledColumn[]): ProfiledColumn | null {
  const names = columns.filter(({ kind }) => kind === 'name');
  const called = names.find(({ column }) => /name|title|label/i.test(column.name));
  const distinct = names.find(({ column }) => column.statistics.distinct * 2 > table.rows);
  return called ?? distinct ?? null;
}

function keyOf(table: CatalogTable): string | null {
  const keys = table.columns.filter(({ primary_key }) => primary_key > 0);
  return keys.length === 1 ? (keys[0]?.name ?? null) : null;
}
