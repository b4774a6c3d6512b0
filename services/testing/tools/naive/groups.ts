import { aggregate } from './aggregates.ts';
import { cellOf, type Row, sameIn, sortedBy, type Table } from './table.ts';
import { Unspecified, type Value } from './value.ts';

/** The arguments of a call. */
export type Arguments = Readonly<Record<string, unknown>>;

/** Rows that are equal in the keys; with no keys all rows, even when there are none. */
export function groupRows(table: Table, keys: readonly string[]): Row[][] {
  if (keys.length === 0) return [[...table.rows]];
  const groups: Row[][] = [];
  for (const row of table.rows) {
    const group = groups.find(([first]) => first && sameIn(table, first, row, keys));
    if (group) group.push(row);
    else groups.push([row]);
  }
  return groups;
}

/** Throws where a group could be named by any of several spellings. */
export function checkSpelling(table: Table, members: readonly Row[], keys: readonly string[]): void {
  for (const key of keys) {
    const spellings = new Set(members.map((row) => cellOf(table, row, key).value));
    if (spellings.size > 1) throw new Unspecified('which spelling names the group');
  }
}

/** Groups that tie come in the order of their keys, in the direction of the sort. */
export function sortGroups(table: Table, key: string, ascending: boolean): Row[] {
  const { keys = [], sorts = [] } = table.grouping ?? {};
  const rows = sortedBy(table, table.rows, key, ascending);
  const tied = rows.some((row, at) => at > 0 && sameIn(table, row, rows[at - 1] as Row, [key]));
  if (!tied) return rows;
  if (keys[0] === 'kind_k') throw new Unspecified('the direction of a primary key');
  if (keys.length !== 1 || sorts.length > 0) throw new Unspecified('the direction of several keys or sorts');
  // Not sorted yet, so they are in the order of their key, whatever has become of that column.
  return sortedBy(table, ascending ? table.rows : table.rows.toReversed(), key, ascending);
}

/** The row of a group that the other columns come from: the one with the last min or max, else the first. */
export function chosenRow(
  input: Table,
  aggregates: readonly { readonly type: string; readonly key: string }[],
) {
  const extremes = aggregates.filter(({ type }) => type === 'min' || type === 'max');
  const last = extremes.at(-1);
  return (members: readonly Row[]): Row | undefined => {
    if (!last) return members[0];
    const present = members.filter((each) => cellOf(input, each, last.key).value !== null);
    return sortedBy(input, present, last.key, last.type === 'min')[0] ?? members[0];
  };
}

/** The grouping of a table that has had more done to it than aggregates. */
export function touched({ grouping }: Table): Table['grouping'] {
  return grouping && { ...grouping, aggregates: null };
}

/** What the column of an aggregate is called. */
export function nameOf(args: Arguments, taken: ReadonlySet<string>): string {
  const key = args.key_name === '*' ? 'rows' : String(args.key_name);
  const name = `${String(args.aggregation_type)}_${args.distinct === true ? 'distinct_' : ''}${key}`;
  if (!taken.has(name.toLowerCase())) return name;
  for (let n = 2; ; n++) if (!taken.has(`${name}_${n}`.toLowerCase())) return `${name}_${n}`;
}

/** An aggregate of some rows of a table. */
export function aggregateOf(table: Table, rows: readonly Row[], args: Arguments): Value {
  if (args.key_name === '*') return BigInt(rows.length);
  const cells = rows.map((row) => cellOf(table, row, String(args.key_name)));
  const separator = typeof args.separator === 'string' ? args.separator : ',';
  return aggregate(String(args.aggregation_type), cells, { distinct: args.distinct === true, separator });
}
