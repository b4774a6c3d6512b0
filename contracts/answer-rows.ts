import type { Cell, Row } from './catalog.ts';
import type { Call } from './sample.ts';
import type { ToolAnswer } from './tools.ts';

/**
 * The rows that a sequence of calls produces: the results that no later call refers to, side by side in call
 * order. A column contributes its values, a single value one row; tables contribute nothing. Returns null if
 * no such result exists or the columns differ in length.
 */
export function assembleAnswer(calls: readonly Call[], answers: readonly ToolAnswer[]): Row[] | null {
  const used = usedLabels(calls);
  const columns: (readonly Cell[])[] = [];
  calls.forEach((call, i) => {
    const answer = answers[i];
    if (!answer || answer.kind === 'table' || (call.label !== undefined && used.has(call.label))) return;
    columns.push(answer.kind === 'column' ? answer.values : [answer.value]);
  });
  const rows = columns[0]?.length;
  if (rows === undefined || columns.some((column) => column.length !== rows)) return null;
  return Array.from({ length: rows }, (_, i) => columns.map((column) => column[i] ?? null));
}

/** The labels that some argument refers to as `$label$`. */
export function usedLabels(calls: readonly Call[]): Set<string> {
  const labels = new Set(calls.flatMap((call) => (call.label === undefined ? [] : [call.label])));
  return new Set(calls.flatMap((call) => referencesIn(call.arguments)).filter((label) => labels.has(label)));
}

/** The labels in an argument's strings that are exactly `$label$`. */
export function referencesIn(value: unknown): string[] {
  const label = referredLabel(value);
  if (label !== null) return [label];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(referencesIn) : [];
}

/** Copies an argument, replacing each string that is exactly `$label$` by `replace(label)` unless undefined. */
export function mapReferences(value: unknown, replace: (label: string) => string | undefined): unknown {
  if (typeof value === 'string') {
    const label = referredLabel(value);
    return (label === null ? undefined : replace(label)) ?? value;
  }
  if (Array.isArray(value)) return value.map((item) => mapReferences(item, replace));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, mapReferences(item, replace)]),
    );
  }
  return value;
}

/** The label in a string that is exactly `$label$`; null for any other value. */
export function referredLabel(value: unknown): string | null {
  const isReference =
    typeof value === 'string' && value.length > 2 && value.startsWith('$') && value.endsWith('$');
  return isReference ? value.slice(1, -1) : null;
}

/** Relative difference within which two reals are equal. */
export const NUMBER_TOLERANCE = 1e-9;

/** Whether two cells are equal: reals within the tolerance, everything else exactly; NULL equals NULL. */
export function sameCell(a: Cell, b: Cell): boolean {
  if (a === b) return true;
  return isNumeric(a) && isNumeric(b) && sameNumber(a, b);
}

export function sameRow(a: Row, b: Row): boolean {
  return a.length === b.length && a.every((cell, i) => sameCell(cell, b[i] ?? null));
}

/**
 * Whether two numbers are equal: two integers exactly, others within the tolerance; infinities and NaN equal
 * only themselves. A whole double counts as an integer while doubles can represent it exactly.
 */
export function sameNumber(a: number | bigint, b: number | bigint): boolean {
  if (a === b || (Number.isNaN(a) && Number.isNaN(b))) return true;
  if (isInteger(a) && isInteger(b)) return false;
  const [x, y] = [Number(a), Number(b)];
  // Otherwise the tolerance of an infinity would be infinite too.
  if (!Number.isFinite(x) || !Number.isFinite(y)) return false;
  return Math.abs(x - y) <= NUMBER_TOLERANCE * Math.max(Math.abs(x), Math.abs(y));
}

export function isNumeric(cell: unknown): cell is number | bigint {
  return typeof cell === 'number' || typeof cell === 'bigint';
}

function isInteger(value: number | bigint): boolean {
  return typeof value === 'bigint' || Number.isSafeInteger(value);
}

/**
 * Whether two bags of rows are equal, i.e. the rows can be paired so that every pair is equal within the
 * tolerance. Equality within a tolerance is not transitive, so a pairing is searched for where rows differ
 * only by it.
 */
export function sameBag(a: readonly Row[], b: readonly Row[]): boolean {
  if (a.length !== b.length) return false;
  // Most answers are in gold order; this check allocates nothing.
  if (a.every((row, i) => sameRow(row, b[i] as Row))) return true;
  if (a.length === 1) return false;
  const left = classesOf(a);
  const right = classesOf(b);
  if (sameClasses(left, right)) return true;
  const rightGroups = byShape(right);
  for (const [shape, group] of byShape(left)) {
    const other = rightGroups.get(shape);
    if (other === undefined || !canBePaired(group, other)) return false;
    rightGroups.delete(shape);
  }
  return rightGroups.size === 0;
}

interface RowClass {
  readonly row: Row;
  count: number;
}

interface NumberedClass extends RowClass {
  readonly numbers: readonly (number | bigint)[];
}

/** The key of a row: the cell itself for a single-column row, else a string. */
type RowKey = Cell | undefined;
type Classes = Map<RowKey, RowClass>;

function classesOf(rows: readonly Row[]): Classes {
  const classes: Classes = new Map();
  const isNarrow = rows.every((row) => row.length === 1);
  for (const row of rows) {
    const key = isNarrow ? row[0] : keyOf(row);
    const found = classes.get(key);
    if (found !== undefined) found.count++;
    else classes.set(key, { row, count: 1 });
  }
  return classes;
}

function sameClasses(a: Classes, b: Classes): boolean {
  if (a.size !== b.size) return false;
  for (const [key, { count }] of a) if (b.get(key)?.count !== count) return false;
  return true;
}

/** Groups classes by their non-number cells: rows in different groups can never be equal. */
function byShape(classes: Classes): Map<string, NumberedClass[]> {
  const groups = new Map<string, NumberedClass[]>();
  for (const { row, count } of classes.values()) {
    const numbers = row.filter(isNumeric);
    const shape = keyOf(row.map((cell) => (isNumeric(cell) ? true : cell)));
    const group = groups.get(shape);
    if (group === undefined) groups.set(shape, [{ row, count, numbers }]);
    else group.push({ row, count, numbers });
  }
  return groups;
}

function canBePaired(left: readonly NumberedClass[], right: readonly NumberedClass[]): boolean {
  const total = (classes: readonly RowClass[]) => classes.reduce((sum, { count }) => sum + count, 0);
  if (total(left) !== total(right)) return false;
  if (pairInOrder(left, right)) return true;
  // With one number per row, all integers or all reals, pairing in sorted order is optimal: if it fails, no
  // pairing exists.
  if (isOneKind([...left, ...right])) return false;
  const neighbours = findNeighbours(left, right);
  if (neighbours === null) return false;
  return flows(left, right, neighbours);
}

/** Whether both sides, sorted by their numbers, are equal row by row. */
function pairInOrder(left: readonly NumberedClass[], right: readonly NumberedClass[]): boolean {
  const [a, b] = [left.toSorted(byNumbers), right.toSorted(byNumbers)];
  let [l, r, usedLeft, usedRight] = [0, 0, 0, 0];
  while (l < a.length && r < b.length) {
    const [x, y] = [a[l] as NumberedClass, b[r] as NumberedClass];
    if (!sameRow(x.row, y.row)) return false;
    const pairs = Math.min(x.count - usedLeft, y.count - usedRight);
    [usedLeft, usedRight] = [usedLeft + pairs, usedRight + pairs];
    if (usedLeft === x.count) [l, usedLeft] = [l + 1, 0];
    if (usedRight === y.count) [r, usedRight] = [r + 1, 0];
  }
  return true;
}

function byNumbers(a: NumberedClass, b: NumberedClass): number {
  for (const [i, x] of a.numbers.entries()) {
    const y = b.numbers[i] as number | bigint;
    if (x !== y) return x < y ? -1 : 1;
  }
  return 0;
}

function isOneKind(classes: readonly NumberedClass[]): boolean {
  const isWhole = (n: number | bigint | undefined) => typeof n === 'bigint' || Number.isSafeInteger(n);
  const kind = isWhole(classes[0]?.numbers[0]);
  return classes.every(({ numbers }) => numbers.length === 1 && isWhole(numbers[0]) === kind);
}

/**
 * For each left class, the right classes equal to it within the tolerance; null if one has none. Also null
 * for bags of thousands of nearly equal rows, which rounding errors never produce.
 */
function findNeighbours(left: readonly NumberedClass[], right: readonly NumberedClass[]): number[][] | null {
  const column = mostTelling(right);
  // A rounded integer is close enough to locate a row; its neighbours are compared exactly.
  const at = (rowClass: NumberedClass) => Number(rowClass.numbers[column] ?? 0);
  const order = right
    .map((_, i) => i)
    .sort((i, j) => at(right[i] as NumberedClass) - at(right[j] as NumberedClass));
  const sorted = order.map((i) => at(right[i] as NumberedClass));
  const neighbours: number[][] = [];
  let looked = 0;
  for (const rowClass of left) {
    const value = at(rowClass);
    const found: number[] = [];
    for (let i = firstNear(sorted, value); i < sorted.length; i++) {
      if (!isNear(sorted[i] as number, value) && (sorted[i] as number) > value) break;
      if (++looked > MOST_LOOKED_AT) return null;
      const index = order[i] as number;
      if (sameRow(rowClass.row, (right[index] as NumberedClass).row)) found.push(index);
    }
    if (found.length === 0) return null;
    neighbours.push(found);
  }
  return neighbours;
}

const MOST_LOOKED_AT = 20_000_000;

function isNear(a: number, b: number): boolean {
  return a === b || Math.abs(a - b) <= NUMBER_TOLERANCE * Math.max(Math.abs(a), Math.abs(b));
}

/** The number column with the most distinct values, so that few rows are near each other in it. */
function mostTelling(classes: readonly NumberedClass[]): number {
  let [best, most] = [0, 0];
  for (let column = 0; column < (classes[0]?.numbers.length ?? 0); column++) {
    const distinct = new Set(classes.map(({ numbers }) => numbers[column])).size;
    if (distinct > most) [best, most] = [column, distinct];
  }
  return best;
}

/** Index of the first sorted number that is greater than the value or equal to it within the tolerance. */
function firstNear(sorted: readonly number[], value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const candidate = sorted[middle] as number;
    if (candidate < value && !isNear(candidate, value)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Whether left and right rows can be paired: a maximum flow between the classes, by augmenting paths. */
function flows(
  left: readonly RowClass[],
  right: readonly RowClass[],
  neighbours: readonly number[][],
): boolean {
  const room = right.map(({ count }) => count);
  /** Per right class: the number of rows assigned from each left class. */
  const held = right.map(() => new Map<number, number>());
  for (const [l, { count }] of left.entries()) {
    for (let row = 0; row < count; row++) if (!place(l, neighbours, room, held)) return false;
  }
  return true;
}

/** Places one row of a left class, moving others where needed. */
function place(
  start: number,
  neighbours: readonly number[][],
  room: number[],
  held: readonly Map<number, number>[],
): boolean {
  /** The left class from which each right class was reached. */
  const via = new Map<number, number>();
  /** The right class that a left class would be moved out of. */
  const outOf = new Map<number, number | null>([[start, null]]);
  const queue = [start];
  for (let l = queue.shift(); l !== undefined; l = queue.shift()) {
    for (const r of neighbours[l] as number[]) {
      if (via.has(r)) continue;
      via.set(r, l);
      if ((room[r] as number) > 0) {
        moveAlong(r, via, outOf, room, held);
        return true;
      }
      for (const holder of (held[r] as Map<number, number>).keys()) {
        if (outOf.has(holder)) continue;
        outOf.set(holder, r);
        queue.push(holder);
      }
    }
  }
  return false;
}

function moveAlong(
  end: number,
  via: Map<number, number>,
  outOf: Map<number, number | null>,
  room: number[],
  held: readonly Map<number, number>[],
): void {
  room[end] = (room[end] as number) - 1;
  for (let r: number | null = end; r !== null; ) {
    const l = via.get(r) as number;
    const into = held[r] as Map<number, number>;
    into.set(l, (into.get(l) ?? 0) + 1);
    const from: number | null = outOf.get(l) ?? null;
    if (from !== null) {
      const out = held[from] as Map<number, number>;
      const rest = (out.get(l) as number) - 1;
      if (rest === 0) out.delete(l);
      else out.set(l, rest);
    }
    r = from;
  }
}

/** A string that is equal only for equal rows; -0 is 0, infinities and bigints stay distinct. */
function keyOf(row: readonly (Row[number] | true)[]): string {
  const isPlain = row.every((cell) => !isNumeric(cell) || isFiniteDouble(cell));
  if (isPlain) return JSON.stringify(row);
  return JSON.stringify(
    row.map((cell) => (isNumeric(cell) && !isFiniteDouble(cell) ? { [typeof cell]: String(cell) } : cell)),
  );
}

function isFiniteDouble(cell: number | bigint): boolean {
  return typeof cell === 'number' && Number.isFinite(cell);
}

/**
 * Whether an answer equals the gold rows: as a list if `orderGroups` is given (rows of one group may swap),
 * else as a bag. NULL equals NULL, numbers compare by value within 1e-9 relative, everything else exactly.
 * Columns compare by position; their names are ignored.
 */
export function sameRows(
  gold: readonly Row[],
  answer: readonly Row[],
  orderGroups: readonly number[] | null,
): boolean {
  if (gold.length !== answer.length) return false;
  if (orderGroups === null) return sameBag(gold, answer);
  let start = 0;
  while (start < gold.length) {
    let end = start + 1;
    while (end < gold.length && orderGroups[end] === orderGroups[start]) end++;
    if (!sameBag(gold.slice(start, end), answer.slice(start, end))) return false;
    start = end;
  }
  return true;
}
