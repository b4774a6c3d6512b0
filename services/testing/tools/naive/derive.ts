import { type Column, indexOf, makeTable, newRow, type Row, sameIn, type Table } from './table.ts';
import { convert, type Typed, Unspecified } from './value.ts';

/** The same table with fewer rows or in another order. */
export function version(table: Table, rows: readonly Row[], sorts: readonly boolean[] = []): Table {
  const grouping = table.grouping
    ? { ...table.grouping, aggregates: null, sorts: [...sorts, ...table.grouping.sorts] }
    : null;
  return { ...table, kind: 'table', rows, grouping, versionOf: table };
}

/** A table of some columns of another. */
export function onlyColumns(table: Table, keys: readonly string[]): Table {
  const at = keys.map((key) => indexOf(table, key));
  const columns = at.map((i) => table.columns[i] as Column);
  return makeTable(
    columns,
    table.rows.map((row) => newRow(at.map((i) => row.cells[i] ?? null))),
  );
}

/** Of the rows that are equal in some columns the first. */
export function onceEach(table: Table, keys = table.columns.map(({ key }) => key)): Row[] {
  return table.rows.filter(
    (row, at) => table.rows.findIndex((other) => sameIn(table, row, other, keys)) === at,
  );
}

/** SQLite shows a value the way it looked it up, if it had to convert it for that. */
export function checkShown({ value, affinity }: Typed, other: Column): void {
  if (convert(value, affinity, other.affinity) !== value)
    throw new Unspecified('how a converted value is shown');
}
