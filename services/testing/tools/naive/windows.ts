import { aggregate } from './aggregates.ts';
import { cellOf, isNocase, type Row, sameIn, sortedBy, type Table } from './table.ts';
import { asNumeric, Unspecified, type Value } from './value.ts';

export interface WindowArguments {
  readonly partition_by: readonly string[];
  readonly order_by: readonly { readonly key_name: string; readonly ascending: boolean }[];
  readonly ascending: boolean;
  readonly rows: number;
  readonly fallback: Value;
  readonly buckets: number;
  readonly rows_before: number | null;
  readonly rows_after: number | null;
}

const RANKS = new Set(['rank', 'dense_rank', 'percent_rank', 'cumulative_share', 'row_number', 'bucket']);

/** The new value of every row, by the row's id; from the descriptions of the operations. */
export function windowValues(
  table: Table,
  key: string,
  operation: string,
  args: WindowArguments,
): Map<number, Value> {
  const values = new Map<number, Value>();
  const left = new Set(table.rows);
  for (const first of table.rows) {
    if (!left.has(first)) continue;
    const partition = table.rows.filter(
      (row) => left.has(row) && sameIn(table, row, first, args.partition_by),
    );
    for (const row of partition) left.delete(row);
    fill(table, partition, key, operation, args, values);
  }
  return values;
}

function fill(
  table: Table,
  partition: readonly Row[],
  key: string,
  operation: string,
  args: WindowArguments,
  values: Map<number, Value>,
): void {
  const keys = args.order_by.map(({ key_name }) => key_name);
  const ranked = RANKS.has(operation);
  // The least important first: row order, then the keys from the last to the first, then the value itself.
  let rows = [...partition];
  for (const { key_name, ascending } of args.order_by.toReversed())
    rows = sortedBy(table, rows, key_name, ascending);
  if (ranked) rows = sortedBy(table, rows, key, args.ascending);
  const peersBy = ranked ? [key, ...keys] : keys;
  const peers = (row: Row) => rows.filter((other) => sameIn(table, row, other, peersBy));
  const value = (row: Row | undefined): Value => (row ? cellOf(table, row, key).value : null);

  rows.forEach((row, at) => {
    const rank = rows.findIndex((other) => sameIn(table, row, other, peersBy));
    const compute: Readonly<Record<string, () => Value>> = {
      rank: () => BigInt(rank + 1),
      dense_rank: () => BigInt(countDistinct(table, rows.slice(0, rank), peersBy) + 1),
      percent_rank: () => (rows.length < 2 ? 0 : rank / (rows.length - 1)),
      cumulative_share: () => (rank + peers(row).length) / rows.length,
      row_number: () => BigInt(at + 1),
      bucket: () => BigInt(bucketOf(at, rows.length, args.buckets)),
      previous: () => (at - args.rows < 0 ? args.fallback : value(rows[at - args.rows])),
      next: () => (at + args.rows >= rows.length ? args.fallback : value(rows[at + args.rows])),
      first_value: () => value(rows[0]),
      last_value: () => value(rows.at(-1)),
    };
    const found = compute[operation];
    values.set(
      row.id,
      found ? found() : running(operation, frameOf(rows, at, rank + peers(row).length, args)),
    );
  });

  function running(name: string, frame: readonly Row[]): Value {
    const type = name.replace('running_', '');
    const cells = frame.map((row) => cellOf(table, row, key));
    if (isNocase(table, key) && /min|max/.test(type)) throw new Unspecified('which of two spellings');
    const sum = aggregate(type, cells, { distinct: false, separator: ',' });
    const whole = (row: Row) => typeof asNumeric(value(row) ?? 0n) === 'bigint';
    if (type === 'sum' && typeof sum === 'bigint' && !rows.every(whole))
      throw new Unspecified('whether 1 is shown as 1.0');
    return sum;
  }
}

/** Up to the row and its peers, or so many rows before and after it; all of them where there is no order. */
function frameOf(rows: readonly Row[], at: number, peersEnd: number, args: WindowArguments): readonly Row[] {
  const { rows_before, rows_after } = args;
  if (rows_before !== null || rows_after !== null) {
    const from = rows_before === null ? 0 : Math.max(0, at - rows_before);
    return rows.slice(from, at + (rows_after ?? 0) + 1);
  }
  return args.order_by.length === 0 ? rows : rows.slice(0, peersEnd);
}

function countDistinct(table: Table, rows: readonly Row[], keys: readonly string[]): number {
  return rows.filter((row, at) => rows.findIndex((other) => sameIn(table, row, other, keys)) === at).length;
}

/** Rows dealt into buckets in order, the first ones taking what does not come out even. */
function bucketOf(at: number, count: number, buckets: number): number {
  const [size, larger] = [Math.floor(count / buckets), count % buckets];
  const inLarger = larger * (size + 1);
  return at < inLarger
    ? Math.floor(at / (size + 1)) + 1
    : larger + Math.floor((at - inLarger) / Math.max(1, size)) + 1;
}
