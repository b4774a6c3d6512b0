import type Database from 'better-sqlite3';
import { quoteIdentifier } from '../../sql/index.ts';
import { storedRows } from '../oracle/engines.ts';
import type { Stored } from '../oracle/oracle.ts';
import type { ColumnShape, TableShape } from '../variants/changes.ts';

/** Columns of a table that move together. */
export interface Units {
  /** Movable columns, each in one unit, in the order of the columns. */
  readonly all: readonly (readonly string[])[];
  /** Fixed columns have no unit. */
  readonly of: ReadonlyMap<string, readonly string[]>;
  /** Columns with dependencies, which cannot change alone. */
  readonly bound: ReadonlySet<string>;
  /** Columns and those that they determine, which added rows may break, and changes of one of the two. */
  readonly dependencies: readonly { readonly from: string; readonly to: string }[];
  /** Columns without repeated values, though neither constraints nor chance explain it. */
  readonly single: ReadonlySet<string>;
}

/** Rows read. */
const ROWS = 20_000;
/** Rows that would break a rule by chance, if columns were independent. */
const EVIDENCE = 8;
/** Cramér's V, corrected for chance, at which an association is visible. */
const ASSOCIATION = 0.4;
/** Most of the movable columns that one unit of associated columns may have. */
const LARGEST = 0.6;
const MOST_BINS = 8;

/**
 * Groups columns that are given `together`, determined, contained or bounded by each other (code → label,
 * start ≤ end) and, while enough can still move alone, associated (height, weight).
 */
export function readUnits(
  db: Database.Database,
  shape: TableShape,
  together: readonly (readonly string[])[],
  isFixed: (column: string) => boolean,
): Units {
  const columns = readColumns(db, shape);
  const groups = new Groups(shape.columns.map(({ name }) => name));
  for (const [first, ...others] of together) for (const other of others) if (first) groups.join(first, other);
  const dependencies: { from: string; to: string }[] = [];
  for (const x of columns) {
    for (const y of columns) {
      if (x === y) continue;
      const isDetermined = determines(x, y);
      if (isDetermined) dependencies.push({ from: x.name, to: y.name });
      if (groups.areOne(x.name, y.name)) continue;
      if (isDetermined || contains(x, y) || isNeverMore(x, y)) groups.join(x.name, y.name);
    }
  }
  const bound = new Set(
    groups
      .all()
      .filter((group) => group.length > 1)
      .flat(),
  );

  const fixed = new Set(
    groups
      .all()
      .filter((group) =>
        group.some(
          (name) => isFixed(name) || shape.columns.some((each) => each.unique && each.name === name),
        ),
      )
      .flat(),
  );
  const movable = columns.filter(({ name }) => !fixed.has(name));
  const pairs = movable.flatMap((x, i) =>
    movable.slice(i + 1).map((y) => ({ x: x.name, y: y.name, strength: association(x, y) })),
  );
  const most = Math.max(2, LARGEST * movable.length);
  for (const { x, y } of pairs
    .filter(({ strength }) => strength >= ASSOCIATION)
    .sort((a, b) => b.strength - a.strength)) {
    if (!groups.areOne(x, y) && groups.sizeOf(x) + groups.sizeOf(y) <= most) groups.join(x, y);
  }
  const units = groups.all().filter((group) => !group.some((name) => fixed.has(name)));
  const single = new Set(columns.filter((each) => isSingle(each, db, shape)).map(({ name }) => name));
  return {
    all: units,
    of: new Map(units.flatMap((unit) => unit.map((name) => [name, unit]))),
    bound,
    dependencies,
    single,
  };
}

class Groups {
  readonly #groups: Map<string, string[]>;

  constructor(names: readonly string[]) {
    this.#groups = new Map(names.map((name) => [name, [name]]));
  }

  areOne(a: string, b: string): boolean {
    return this.#groups.get(a) === this.#groups.get(b);
  }

  sizeOf(name: string): number {
    return this.#groups.get(name)?.length ?? 0;
  }

  join(a: string, b: string): void {
    const [one, other] = [this.#groups.get(a), this.#groups.get(b)];
    if (!one || !other || one === other) return;
    const names = [...this.#groups.keys()].filter((name) => one.includes(name) || other.includes(name));
    for (const name of names) this.#groups.set(name, names);
  }

  all(): string[][] {
    return [...new Set(this.#groups.values())];
  }
}

interface Known {
  readonly name: string;
  readonly shape: ColumnShape;
  readonly values: readonly Stored[];
  /** For each row the number of its value; 0 for NULL. */
  readonly codes: Int32Array;
  readonly distinct: number;
  /** The chance that two rows have the same value. */
  readonly sameness: number;
  /** Numbers, or texts that begin with a day, can be ordered. */
  readonly ordered: 'number' | 'day' | null;
  /** For each row one of a few classes, if the values have any; -1 for NULL. */
  readonly bins: Int8Array | null;
}

function readColumns(db: Database.Database, { name, columns }: TableShape): Known[] {
  if (columns.length === 0) return [];
  const list = columns.map((column) => quoteIdentifier(column.name)).join(', ');
  const rows = storedRows(db, `SELECT ${list} FROM ${quoteIdentifier(name)} LIMIT ${ROWS}`);
  return columns.map((shape, at) =>
    known(
      shape,
      rows.map((row) => row[at] ?? null),
    ),
  );
}

function known(shape: ColumnShape, values: readonly Stored[]): Known {
  const numbers = new Map<string, number>();
  const codes = new Int32Array(values.length);
  values.forEach((value, i) => {
    if (value === null) return;
    const key = Buffer.isBuffer(value)
      ? `b${value.toString('hex')}`
      : `${typeof value === 'string' ? 't' : 'n'}${value}`;
    const code = numbers.get(key) ?? numbers.size + 1;
    numbers.set(key, code);
    codes[i] = code;
  });
  const counts = new Float64Array(numbers.size + 1);
  for (const code of codes) counts[code] = (counts[code] ?? 0) + 1;
  const sameness = counts.reduce((sum, count) => sum + (count / Math.max(1, values.length)) ** 2, 0);
  const present = values.filter((value) => value !== null);
  const ordered =
    present.length === 0
      ? null
      : present.every((value) => typeof value === 'bigint' || typeof value === 'number')
        ? 'number'
        : present.every((value) => typeof value === 'string' && /^\d{4}-\d{2}-\d{2}/.test(value))
          ? 'day'
          : null;
  const distinct = numbers.size;
  return {
    name: shape.name,
    shape,
    values,
    codes,
    distinct,
    sameness,
    ordered,
    bins: binsOf(values, codes, distinct, ordered),
  };
}

function binsOf(
  values: readonly Stored[],
  codes: Int32Array,
  distinct: number,
  ordered: Known['ordered'],
): Int8Array | null {
  if (distinct < 2) return null;
  if (distinct <= MOST_BINS) return Int8Array.from(codes, (code) => code - 1);
  if (ordered === null) return null;
  const present = values.filter((value) => value !== null).sort(compare);
  const bounds = Array.from(
    { length: MOST_BINS - 1 },
    (_, i) => present[Math.floor(((i + 1) * present.length) / MOST_BINS)] ?? null,
  );
  return Int8Array.from(values, (value) =>
    value === null ? -1 : bounds.filter((bound) => compare(bound, value) <= 0).length,
  );
}

/** Compares two numbers or two texts; NULL equals anything. */
function compare(a: Stored, b: Stored): number {
  if (a === null || b === null) return 0;
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Whether one column determines the other, beyond chance. */
function determines(x: Known, y: Known): boolean {
  const first = new Int32Array(x.distinct + 1).fill(-1);
  let again = 0;
  for (let i = 0; i < x.codes.length; i++) {
    const [own, other] = [x.codes[i] ?? 0, y.codes[i] ?? 0];
    if (own === 0) continue;
    const seen = first[own] ?? -1;
    if (seen < 0) first[own] = other;
    else if (seen !== other) return false;
    else again++;
  }
  return again * (1 - y.sameness) >= EVIDENCE;
}

/** Whether no value repeats: texts, and whole numbers dense enough that chance would repeat some. */
function isSingle(
  { name, shape, values, distinct }: Known,
  db: Database.Database,
  table: TableShape,
): boolean {
  const present = values.filter((value) => value !== null);
  const isPart = shape.primaryKey && table.columns.filter(({ primaryKey }) => primaryKey).length > 1;
  const isKey = shape.unique && !isPart;
  if (isKey || shape.content || distinct < present.length || distinct < EVIDENCE) return false;
  if (present.every((value) => typeof value === 'bigint')) {
    const numbers = present.map(Number);
    const range = Math.max(...numbers) - Math.min(...numbers) + 1;
    const pairs = (distinct * (distinct - 1)) / 2;
    if (pairs / range < EVIDENCE) return false;
  } else if (present.some((value) => typeof value !== 'string')) return false;
  const column = quoteIdentifier(name);
  const again = `SELECT count(${column}) > count(DISTINCT ${column}) FROM ${quoteIdentifier(table.name)}`;
  return db.prepare(again).pluck().get() === 0;
}

const SHORTEST = 3;

/** Whether one column's text is mostly in the other's, more often than in that of another row. */
function contains(x: Known, y: Known): boolean {
  if (y.distinct < 2 || x.distinct < y.distinct) return false;
  let [both, own, foreign] = [0, 0, 0];
  for (let i = 0; i < x.values.length; i++) {
    const [text, part, next] = [x.values[i], y.values[i], x.values[(i + 1) % x.values.length]];
    if (typeof text !== 'string' || typeof part !== 'string' || part.length < SHORTEST) continue;
    both++;
    if (text.toLowerCase().includes(part.toLowerCase())) own++;
    if (typeof next === 'string' && next.toLowerCase().includes(part.toLowerCase())) foreign++;
  }
  return own >= EVIDENCE && own * 2 >= both && foreign * 2 < own;
}

/** Distances between rows whose values are compared as if independent. */
const APART = [1, 7, 23];

/** Whether values of one column never exceed the other's, beyond chance. */
function isNeverMore(x: Known, y: Known): boolean {
  if (x.ordered === null || x.ordered !== y.ordered) return false;
  if ([x, y].some(({ shape }) => shape.unique || shape.foreign)) return false;
  let broken = 0;
  for (let i = 0; i < x.values.length; i++) {
    const [low, high] = [x.values[i] ?? null, y.values[i] ?? null];
    if (compare(low, high) > 0) return false;
    for (const apart of APART)
      if (compare(low, y.values[(i + apart) % y.values.length] ?? null) > 0) broken++;
  }
  return broken >= EVIDENCE * APART.length;
}

/** Cramér's V of two columns, 0 to 1, corrected for chance; 0 without classes. */
function association({ bins: x }: Known, { bins: y }: Known): number {
  if (!x || !y) return 0;
  const counts = new Float64Array(MOST_BINS * MOST_BINS);
  const [rows, columns] = [new Float64Array(MOST_BINS), new Float64Array(MOST_BINS)];
  let n = 0;
  for (let i = 0; i < x.length; i++) {
    const [a, b] = [x[i] ?? -1, y[i] ?? -1];
    if (a < 0 || b < 0) continue;
    counts[a * MOST_BINS + b] = (counts[a * MOST_BINS + b] ?? 0) + 1;
    rows[a] = (rows[a] ?? 0) + 1;
    columns[b] = (columns[b] ?? 0) + 1;
    n++;
  }
  const [r, k] = [rows, columns].map((all) => all.filter((count) => count > 0).length) as [number, number];
  if (n < 3 * EVIDENCE || r < 2 || k < 2) return 0;
  let chi = 0;
  counts.forEach((count, at) => {
    const expected = ((rows[Math.floor(at / MOST_BINS)] ?? 0) * (columns[at % MOST_BINS] ?? 0)) / n;
    if (expected > 0) chi += (count - expected) ** 2 / expected;
  });
  const [free, most] = [
    (r - 1) * (k - 1),
    Math.min(r - (r - 1) ** 2 / (n - 1), k - (k - 1) ** 2 / (n - 1)) - 1,
  ];
  return most <= 0 ? 0 : Math.sqrt(Math.max(0, chi / n - free / (n - 1)) / most);
}
