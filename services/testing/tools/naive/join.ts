import { checkShown, version } from './derive.ts';
import type { Arguments } from './groups.ts';
import { type Column, cellOf, indexOf, makeTable, newRow, type Row, type Table } from './table.ts';
import { compare } from './value.ts';

/** Two tables side by side, or the rows of the first that have partners, or none. */
export function joinTables(left: Table, right: Table, args: Arguments): Table {
  const keys = [args.key_name].flat().map(String);
  const otherKeys = [args.other_key_name].flat().map(String);
  const type = String(args.join_type);
  const partners = (row: Row): Row[] =>
    right.rows.filter((other) =>
      keys.every(
        (key, i) => compare(cellOf(left, row, key), cellOf(right, other, otherKeys[i] as string)) === 0,
      ),
    );
  if (type === 'semi' || type === 'anti') {
    for (const [i, key] of keys.entries()) {
      for (const row of left.rows)
        checkShown(cellOf(left, row, key), right.columns[indexOf(right, otherKeys[i] as string)] as Column);
    }
  }
  if (type === 'semi')
    return version(
      left,
      left.rows.filter((row) => partners(row).length > 0),
    );
  if (type === 'anti')
    return version(
      left,
      left.rows.filter((row) => partners(row).length === 0),
    );
  const taken = new Set(left.columns.map(({ key }) => key.toLowerCase()));
  const others = right.columns.map((column) => ({ ...column, key: free(column.key, taken) }));
  const nothing = right.columns.map(() => null);
  const rows = left.rows.flatMap((row) => {
    const found = partners(row).map((other) => newRow([...row.cells, ...other.cells]));
    return found.length === 0 && type === 'left' ? [newRow([...row.cells, ...nothing])] : found;
  });
  return makeTable([...left.columns, ...others], rows);
}

function free(key: string, taken: Set<string>): string {
  let name = key;
  for (let n = 2; taken.has(name.toLowerCase()); n++) name = `${key}_${n}`;
  taken.add(name.toLowerCase());
  return name;
}
