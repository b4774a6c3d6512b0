import type { Affinity } from './value.ts';
import { order, type Typed, type Value } from './value.ts';

export interface Column {
  readonly key: string;
  readonly affinity: Affinity;
  readonly nocase: boolean | null;
}

/** A row with an identity, so that the same row can be told in two filtered versions of a table. */
export interface Row {
  readonly id: number;
  readonly cells: readonly Value[];
  /** Of a group: its rows. */
  readonly members?: readonly Row[];
}

export interface Table {
  readonly kind: 'table' | 'column' | 'value';
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
  /** Of grouped data: what was grouped, by which columns, and what has been added since. */
  readonly grouping: Grouping | null;
  /** The table that this is a filtered or sorted version of. */
  readonly versionOf: Table | null;
}

export interface Grouping {
  readonly input: Table;
  readonly keys: readonly string[];
  /** The aggregates added right after grouping; null once something else has been done. */
  readonly aggregates: readonly { readonly type: string; readonly key: string }[] | null;
  /** Sorts since, last first; true: ascending. */
  readonly sorts: readonly boolean[];
}

let nextId = 0;
export const newRow = (cells: readonly Value[], members?: readonly Row[]): Row => ({
  id: nextId++,
  cells,
  ...(members ? { members } : {}),
});

export function makeTable(
  columns: readonly Column[],
  rows: readonly Row[],
  more: Partial<Table> = {},
): Table {
  return { kind: 'table', grouping: null, versionOf: null, columns, rows, ...more };
}

export const computed = (key: string): Column => ({ key, affinity: 'expression', nocase: null });

export function indexOf(table: Table, key: string): number {
  const at = table.columns.findIndex((column) => column.key === key);
  if (at < 0) throw new Error(`no column ${key}`);
  return at;
}

/** The cell of a row in a column, with what comparing it depends on. */
export function cellOf(table: Table, row: Row, key: string): Typed {
  const at = indexOf(table, key);
  const { affinity, nocase } = table.columns[at] as Column;
  return { value: row.cells[at] ?? null, affinity, nocase };
}

export const isNocase = (table: Table, key: string): boolean =>
  table.columns[indexOf(table, key)]?.nocase === true;

/** Sorted by one column; equal rows keep their order. */
export function sortedBy(table: Table, rows: readonly Row[], key: string, ascending: boolean): Row[] {
  const at = indexOf(table, key);
  const nocase = isNocase(table, key);
  const sign = ascending ? 1 : -1;
  return [...rows].sort((a, b) => sign * order(a.cells[at] ?? null, b.cells[at] ?? null, nocase));
}

/** Whether two rows are equal in some columns: NULL equals NULL. */
export function sameIn(table: Table, a: Row, b: Row, keys: readonly string[]): boolean {
  return keys.every((key) => {
    const at = indexOf(table, key);
    return order(a.cells[at] ?? null, b.cells[at] ?? null, isNocase(table, key)) === 0;
  });
}
