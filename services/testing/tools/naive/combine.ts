import { onceEach, version } from './derive.ts';
import { type Column, makeTable, newRow, type Row, sameIn, sortedBy, type Table } from './table.ts';
import { Unspecified } from './value.ts';

/** Rows of the last table that both come from by filters and sorts alone. */
export function combineRows(first: Table, second: Table, combination: string): Table {
  const lineage = (table: Table): Table[] => [table, ...(table.versionOf ? lineage(table.versionOf) : [])];
  const above = new Set(lineage(first));
  const common = lineage(second).find((table) => above.has(table));
  if (!common) throw new Error('nothing in common');
  const [a, b] = [first, second].map((table) => new Set(table.rows.map(({ id }) => id))) as [
    Set<number>,
    Set<number>,
  ];
  const keep: Readonly<Record<string, (id: number) => boolean>> = {
    or: (id) => a.has(id) || b.has(id),
    and: (id) => a.has(id) && b.has(id),
    and_not: (id) => a.has(id) && !b.has(id),
  };
  return version(
    common,
    common.rows.filter(({ id }) => keep[combination]?.(id)),
  );
}

/** Rows of two results by value, as the set operations have them. */
export function combineResults(first: Table, second: Table, combination: string): Table {
  const columns = first.columns.map(({ key, affinity, nocase }, at): Column => {
    const other = second.columns[at] as Column;
    if ((nocase ?? false) !== (other.nocase ?? false))
      throw new Unspecified('case matters in one of the two');
    const mixed = (affinity === 'real') !== (other.affinity === 'real');
    const whole = [...first.rows, ...second.rows].some(({ cells }) => typeof cells[at] === 'bigint');
    if (mixed && whole) throw new Unspecified('whether 1 is shown as 1.0');
    return { key, affinity: affinity === other.affinity ? affinity : 'expression', nocase };
  });
  // SQLite takes the affinity of either side.
  const unclear = columns.some(({ affinity }, at) => affinity !== first.columns[at]?.affinity);
  const table = (rows: readonly Row[]): Table => {
    const made = makeTable(
      columns,
      rows.map(({ cells }) => newRow(cells)),
    );
    return unclear
      ? { ...made, columns: columns.map((column) => ({ ...column, affinity: 'expression' })) }
      : made;
  };
  if (combination === 'union_all') return table([...first.rows, ...second.rows]);
  const keys = columns.map(({ key }) => key);
  const [a, b] = [table(first.rows), table(second.rows)];
  const has = (list: readonly Row[], row: Row) => list.some((other) => sameIn(a, row, other, keys));
  const rows = {
    union: [...a.rows, ...b.rows],
    intersect: a.rows.filter((row) => has(b.rows, row)),
    except: a.rows.filter((row) => !has(b.rows, row)),
  }[combination] as readonly Row[];
  for (const row of [...a.rows, ...b.rows]) {
    const twin = rows.find((other) => sameIn(a, row, other, keys));
    if (twin && JSON.stringify(twin.cells, show) !== JSON.stringify(row.cells, show))
      throw new Unspecified('which of two equal rows');
  }
  const whole = makeTable(columns, rows);
  const unique = onceEach(whole);
  return {
    ...whole,
    rows: keys.toReversed().reduce((sorted, key) => sortedBy(whole, sorted, key, true), unique),
  };
}

const show = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint' ? `integer ${value}` : typeof value === 'number' ? `real ${value}` : value;
