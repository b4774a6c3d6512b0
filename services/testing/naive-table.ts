export interface Column {
  readonly key: string;
  readonly affinity: Affinity;
  readonly nocase: boolean | null;
}

/** A row with an identity, so that it can be recognized in two filtered versions of a table. */
export interface Row {
  readonly id: number;
  readonly cells: readonly Value[];
  readonly members?: readonly Row[];
}

export interface Table {
  readonly kind: 'table' | 'column' | 'value';
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
  /** For grouped data: the input, the keys, and what has been added since. */
  readonly grouping: Grouping | null;
  /** The table that was filtered or sorted to get this one. */
  readonly versionOf: Table | null;
}

export interface Grouping {
  readonly input: Table;
  readonly keys: readonly string[];
  /** The aggregates added directly after grouping; null after any other operation. */
  readonly aggregates: readonly { readonly type: string; readonly key: string }[] | null;
  /** Sorts since grouping, latest first; true for ascending. */
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

/** A row's cell, with the properties that affect its comparison. */
export function cellOf(table: Table, row: Row, key: string): Typed {
  const at = indexOf(table, key);
  const { affinity, nocase } = table.columns[at] as Column;
  return { value: row.cells[at] ?? null, affinity, nocase };
}

export const isNocase = (table: Table, key: string): boolean =>
  table.columns[indexOf(table, key)]?.nocase === true;

/** Rows in stable order of one column. */
export function sortedBy(table: Table, rows: readonly Row[], key: string, ascending: boolean): Row[] {
  const at = indexOf(table, key);
  const nocase = isNocase(table, key);
  const sign = ascending ? 1 : -1;
  return [...rows].sort((a, b) => sign * order(a.cells[at] ?? null, b.cells[at] ?? null, nocase));
}

/** Whether two rows are equal in some columns, where NULL equals NULL. */
export function sameIn(table: Table, a: Row, b: Row, keys: readonly string[]): boolean {
  return keys.every((key) => {
    const at = indexOf(table, key);
    return order(a.cells[at] ?? null, b.cells[at] ?? null, isNocase(table, key)) === 0;
  });
}

/** A value as SQLite stores it: integer, real, text, NULL. */
export type Value = bigint | number | string | null;

/** The tool descriptions leave the result undefined, so there is nothing to compare. */
export class Unspecified extends Error {}

/** How a column converts the other side of a comparison. A computed `expression` does not, but see `affinitiesOf`. */
export type Affinity = 'numeric' | 'real' | 'text' | 'none' | 'expression';

/** A value with the properties that affect its comparison. */
export interface Typed {
  readonly value: Value;
  readonly affinity: Affinity;
  /** For a column, whether it ignores case; null if computed. */
  readonly nocase: boolean | null;
}

export const typed = (
  value: Value,
  affinity: Affinity = 'expression',
  nocase: boolean | null = null,
): Typed => ({
  value,
  affinity,
  nocase,
});

/** Rejects magnitudes at which SQLite's integers and JavaScript's reals diverge. */
export function checked(value: Value): Value {
  if (typeof value === 'bigint' && (value > 1n << 53n || value < -(1n << 53n)))
    throw new Unspecified('large integer');
  if (typeof value === 'number' && !(Math.abs(value) < 1e15)) throw new Unspecified('large real');
  return value;
}

const isNumber = (value: Value): value is bigint | number =>
  typeof value === 'bigint' || typeof value === 'number';

/** Sorts NULL before numbers before text. */
export function order(a: Value, b: Value, nocase: boolean): number {
  const rank = (value: Value) => (value === null ? 0 : isNumber(value) ? 1 : 2);
  if (rank(a) !== rank(b)) return rank(a) - rank(b);
  if (a === null || b === null) return 0;
  const [x, y] = nocase && typeof a === 'string' && typeof b === 'string' ? [fold(a), fold(b)] : [a, b];
  return x < y ? -1 : x > y ? 1 : 0;
}

/** Lower-cases ASCII letters only. */
export const fold = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
export const unfold = (text: string): string => text.replace(/[a-z]/g, (letter) => letter.toUpperCase());

export function textOf(value: Value): string | null {
  if (typeof value !== 'number') return value === null ? null : String(value);
  if (Number.isInteger(value)) return `${value}.0`;
  const text = String(value);
  if (text.includes('e') || text.length > 15) throw new Unspecified('how many digits of a real are shown');
  return text;
}

/** In arithmetic, a text is its numeric prefix, or 0. */
export function numberOf(value: Value): bigint | number | null {
  if (value === null || isNumber(value)) return value;
  const found = /^\s*[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?/.exec(value)?.[0];
  return found === undefined ? 0n : read(found);
}

/** Bit operations use the integer part, of a text its digits. */
export function wholeOf(value: Value): bigint | null {
  const number =
    typeof value === 'string' ? BigInt(/^\s*([+-]?\d+)/.exec(value)?.[1]?.replace('+', '') ?? '0') : value;
  return typeof number === 'number' ? BigInt(Math.trunc(number)) : number;
}

/** The number of an entirely numeric text, else the text. */
export function asNumeric(value: Value): Value {
  if (typeof value !== 'string') return value;
  return /^\s*[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?\s*$/.test(value) ? read(value) : value;
}

function read(text: string): bigint | number {
  const clean = text.trim();
  return /^[+-]?\d+$/.test(clean) ? BigInt(clean.replace('+', '')) : Number(clean);
}

export type Truth = boolean | null;

export function truthOf(value: Value): Truth {
  const number = numberOf(value);
  return number === null ? null : Number(number) !== 0;
}

/** Compares two values after applying affinities; null if either is NULL. */
export function compare(a: Typed, b: Typed): number | null {
  if (a.value === null || b.value === null) return null;
  const nocase = collation(a, b);
  const found = new Set<number>();
  for (const x of affinitiesOf(a)) {
    for (const y of affinitiesOf(b))
      found.add(Math.sign(order(convert(a.value, x, y), convert(b.value, y, x), nocase)));
  }
  if (found.size > 1) throw new Unspecified('depends on where a computed value is kept');
  return [...found][0] as number;
}

/** A computed value may pass through a column without a type, which rarely matters. */
function affinitiesOf({ affinity }: Typed): Affinity[] {
  return affinity === 'expression' ? ['expression', 'none'] : [affinity];
}

/** Converts a value for comparison, given its own affinity and that of the other side. */
export function convert(value: Value, own: Affinity, other: Affinity): Value {
  const numeric = (affinity: Affinity) => affinity === 'numeric' || affinity === 'real';
  if (numeric(other) && !numeric(own)) return asNumeric(value);
  if (other === 'text' && own === 'expression') return textOf(value);
  // A numeric column compared with text keeps its numbers; a non-numeric text stays text.
  return value;
}

/** The collation of the left column, else of the right. */
function collation(a: Typed, b: Typed): boolean {
  if (a.nocase !== null) return a.nocase;
  if (b.nocase === true) throw new Unspecified('a computed value beside a column without case');
  return false;
}

/** The same table with fewer rows or in another order. */
export function version(table: Table, rows: readonly Row[], sorts: readonly boolean[] = []): Table {
  const grouping = table.grouping
    ? { ...table.grouping, aggregates: null, sorts: [...sorts, ...table.grouping.sorts] }
    : null;
  return { ...table, kind: 'table', rows, grouping, versionOf: table };
}

export function onlyColumns(table: Table, keys: readonly string[]): Table {
  const at = keys.map((key) => indexOf(table, key));
  const columns = at.map((i) => table.columns[i] as Column);
  return makeTable(
    columns,
    table.rows.map((row) => newRow(at.map((i) => row.cells[i] ?? null))),
  );
}

/** The first of the rows that are equal in some columns. */
export function onceEach(table: Table, keys = table.columns.map(({ key }) => key)): Row[] {
  return table.rows.filter(
    (row, at) => table.rows.findIndex((other) => sameIn(table, row, other, keys)) === at,
  );
}

/** If SQLite converts a value to look it up, it may show the converted form. */
export function checkShown({ value, affinity }: Typed, other: Column): void {
  if (convert(value, affinity, other.affinity) !== value)
    throw new Unspecified('how a converted value is shown');
}

export interface AggregateOptions {
  readonly distinct: boolean;
  readonly separator: string;
}

/** Aggregates the values of a column, in row order, according to the descriptions of the aggregations. */
export function aggregate(type: string, values: readonly Typed[], options: AggregateOptions): Value {
  const present = values.filter(({ value }) => value !== null);
  const some = options.distinct ? once(present) : present;
  const numbers = some.map(({ value }) => Number(numberOf(value)));
  const sum = numbers.reduce((total, number) => total + number, 0);
  switch (type) {
    case 'count':
      return BigInt(some.length);
    case 'min':
      return extreme(some, -1)?.value ?? null;
    case 'max':
      return extreme(some, 1)?.value ?? null;
    case 'sum':
      if (some.length === 0) return null;
      return checked(some.every(({ value }) => typeof asNumeric(value) === 'bigint') ? BigInt(sum) : sum);
    case 'total':
      return checked(sum);
    case 'mean':
      return some.length === 0 ? null : checked(sum / some.length);
    case 'median':
      return median(some);
    case 'std':
      return deviation(numbers);
    case 'argmin':
      return place(values, extreme(present, -1));
    case 'argmax':
      return place(values, extreme(present, 1));
    case 'group_concat':
      if (options.distinct && some.length > 1) throw new Unspecified('the order of distinct values');
      return some.length === 0 ? null : some.map(({ value }) => textOf(value)).join(options.separator);
    default:
      throw new Error(`no aggregation ${type}`);
  }
}

/** Distinct values by first occurrence. */
function once(values: readonly Typed[]): Typed[] {
  const kept: Typed[] = [];
  for (const each of values) {
    const other = kept.find(({ value }) => order(value, each.value, each.nocase === true) === 0);
    if (!other) kept.push(each);
    else if (other.value !== each.value) throw new Unspecified('which of two equal values');
  }
  return kept;
}

/** The first of the smallest or largest values. */
function extreme(values: readonly Typed[], sign: number): Typed | undefined {
  let best: Typed | undefined;
  for (const each of values) {
    const found = best ? order(each.value, best.value, each.nocase === true) * sign : 1;
    if (found === 0 && best?.value !== each.value) throw new Unspecified('which of two equal values');
    if (found > 0) best = each;
  }
  return best;
}

function place(values: readonly Typed[], best: Typed | undefined): Value {
  return best ? BigInt(values.findIndex(({ value }) => value === best.value)) : null;
}

function median(values: readonly Typed[]): Value {
  if (values.some(({ value }) => typeof value === 'string')) throw new Unspecified('a median of texts');
  const sorted = values.map(({ value }) => Number(numberOf(value))).sort((a, b) => a - b);
  if (sorted.length === 0) return null;
  const [low, high] = [sorted[(sorted.length - 1) >> 1] as number, sorted[sorted.length >> 1] as number];
  return (low + high) / 2;
}

function deviation(numbers: readonly number[]): Value {
  if (numbers.length < 2) return null;
  const mean = numbers.reduce((a, b) => a + b, 0) / numbers.length;
  return checked(Math.sqrt(numbers.reduce((a, b) => a + (b - mean) ** 2, 0) / (numbers.length - 1)));
}

export type Arguments = Readonly<Record<string, unknown>>;

/** Groups rows by keys. Without keys all rows are one group, even if there are none. */
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

/** Throws Unspecified if a group has several spellings. */
export function checkSpelling(table: Table, members: readonly Row[], keys: readonly string[]): void {
  for (const key of keys) {
    const spellings = new Set(members.map((row) => cellOf(table, row, key).value));
    if (spellings.size > 1) throw new Unspecified('which spelling names the group');
  }
}

/** Tied groups come in key order, in the direction of the sort. */
export function sortGroups(table: Table, key: string, ascending: boolean): Row[] {
  const { keys = [], sorts = [] } = table.grouping ?? {};
  const rows = sortedBy(table, table.rows, key, ascending);
  const tied = rows.some((row, at) => at > 0 && sameIn(table, row, rows[at - 1] as Row, [key]));
  if (!tied) return rows;
  if (keys[0] === 'kind_k') throw new Unspecified('the direction of a primary key');
  if (keys.length !== 1 || sorts.length > 0) throw new Unspecified('the direction of several keys or sorts');
  // Groups that are not sorted yet are in key order, whatever happened to that column.
  return sortedBy(table, ascending ? table.rows : table.rows.toReversed(), key, ascending);
}

/** The row that provides a group's other columns: that of the last min or max, else the first. */
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

/** The grouping after an operation other than an aggregate. */
export function touched({ grouping }: Table): Table['grouping'] {
  return grouping && { ...grouping, aggregates: null };
}

/** The column name of an aggregate. */
export function nameOf(args: Arguments, taken: ReadonlySet<string>): string {
  const key = args.key_name === '*' ? 'rows' : String(args.key_name);
  const name = `${String(args.aggregation_type)}_${args.distinct === true ? 'distinct_' : ''}${key}`;
  if (!taken.has(name.toLowerCase())) return name;
  for (let n = 2; ; n++) if (!taken.has(`${name}_${n}`.toLowerCase())) return `${name}_${n}`;
}

export function aggregateOf(table: Table, rows: readonly Row[], args: Arguments): Value {
  if (args.key_name === '*') return BigInt(rows.length);
  const cells = rows.map((row) => cellOf(table, row, String(args.key_name)));
  const separator = typeof args.separator === 'string' ? args.separator : ',';
  return aggregate(String(args.aggregation_type), cells, { distinct: args.distinct === true, separator });
}

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

/** The new value of every row by row id, according to the descriptions of the operations. */
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
  // Sorts by the least significant key first: row order, then the keys from last to first, then the value.
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

/** The rows up to the last peer, or a number of rows before and after; all rows without an order. */
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

/** Distributes rows into buckets in order; the first buckets take the remainder. */
function bucketOf(at: number, count: number, buckets: number): number {
  const [size, larger] = [Math.floor(count / buckets), count % buckets];
  const inLarger = larger * (size + 1);
  return at < inLarger
    ? Math.floor(at / (size + 1)) + 1
    : larger + Math.floor((at - inLarger) / Math.max(1, size)) + 1;
}
