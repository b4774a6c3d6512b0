import { type Column, columnsOf, type Expr, type Literal, ownExprs } from '../../sql/index.ts';
import type { Stored } from '../oracle/oracle.ts';

/** A column of a query and the values that its conditions require. */
export interface Mention {
  readonly column: Column;
  /** Values compared with it: rows at and around these distinguish similar conditions. */
  readonly literals: readonly Stored[];
  /** A value that makes the condition true, where one is evident. */
  readonly satisfying: Stored | undefined;
  /** The JSON path at which the literals are compared; null for the column itself. */
  readonly path: string | null;
}

/** The columns of an expression, with the literals of the smallest condition around each. */
export function mentionsOf(expr: Expr): Mention[] {
  const found: Mention[] = [];
  const seen = new Set<Column>();
  for (const part of [...ownExprs(expr)].reverse()) {
    const literals = literalsOf(part);
    if (!literals) continue;
    for (const column of columnsOf(part)) {
      if (seen.has(column)) continue;
      seen.add(column);
      const path = pathInto(part, column);
      const compared = literals.filter(
        (literal) => path === null || (literal !== path && `$.${literal}` !== path),
      );
      found.push({ column, literals: compared, satisfying: satisfying(part, column), path });
    }
  }
  for (const column of columnsOf(expr)) {
    if (!seen.has(column)) found.push({ column, literals: [], satisfying: undefined, path: null });
  }
  return found;
}

/** The path by which a condition reads a column's JSON, `$.a.b`; null when it reads the column itself. */
function pathInto(condition: Expr, column: Column): string | null {
  for (const part of ownExprs(condition)) {
    const path = pathRead(part, column);
    if (path) return path;
  }
  return null;
}

function pathRead(expr: Expr, column: Column): string | null {
  if (expr.kind === 'call' && expr.name.startsWith('json_') && expr.args[0] === column)
    return textOf(expr.args[1]) ?? '$';
  if (expr.kind !== 'binary' || (expr.op !== '->' && expr.op !== '->>') || expr.left !== column) return null;
  const step = textOf(expr.right);
  return step === null || step.startsWith('$') ? step : `$.${step}`;
}

function textOf(expr: Expr | undefined): string | null {
  return expr?.kind === 'literal' && expr.type === 'text' ? expr.value : null;
}

/** null for anything but a condition. */
function literalsOf(expr: Expr): Stored[] | null {
  switch (expr.kind) {
    case 'compare':
      return stored([expr.left, expr.right]);
    case 'between':
      return stored([expr.low, expr.high]);
    case 'in_list':
      return stored(expr.items);
    case 'like':
      return expr.pattern.kind === 'literal' && expr.pattern.type === 'text'
        ? [matching(expr.pattern.value), expr.pattern.value.replaceAll('%', '')]
        : [];
    case 'is_null':
    case 'in_query':
      return [];
    default:
      return null;
  }
}

function stored(exprs: readonly Expr[]): Stored[] {
  return exprs.flatMap((expr) =>
    [...ownExprs(expr)].flatMap((e) => (e.kind === 'literal' ? [storedOf(e)] : [])),
  );
}

export function storedOf(literal: Literal): Stored {
  return literal.type === 'blob' ? Buffer.from(literal.value, 'hex') : literal.value;
}

function satisfying(expr: Expr, column: Column): Stored | undefined {
  switch (expr.kind) {
    case 'compare': {
      const is = (side: Expr) => side === column || pathRead(side, column) !== null;
      const other = is(expr.left) ? expr.right : is(expr.right) ? expr.left : null;
      if (other?.kind !== 'literal') return undefined;
      const value = storedOf(other);
      const grows = is(expr.left) ? expr.op.startsWith('>') : expr.op.startsWith('<');
      if (expr.op === '=' || expr.op === 'is' || expr.op.endsWith('=')) {
        return expr.op === '!=' ? step(value, true) : value;
      }
      return step(value, grows);
    }
    case 'between':
      return expr.expr === column && expr.low.kind === 'literal' ? storedOf(expr.low) : undefined;
    case 'in_list':
      return expr.expr === column && expr.items[0]?.kind === 'literal' ? storedOf(expr.items[0]) : undefined;
    case 'like':
      return expr.expr === column && expr.pattern.kind === 'literal' && expr.pattern.type === 'text'
        ? matching(expr.pattern.value)
        : undefined;
    case 'is_null':
      return expr.expr === column && !expr.negated ? null : undefined;
    default:
      return undefined;
  }
}

/** A value just above or just below; the greatest integer has no successor. */
export function step(value: Stored, up: boolean): Stored {
  if (typeof value === 'bigint') {
    const next = up ? value + 1n : value - 1n;
    return BigInt.asIntN(64, next) === next ? next : value;
  }
  if (typeof value === 'number') return up ? value + 1 : value - 1;
  if (typeof value === 'string') return up ? `${value}~` : value.slice(0, -1);
  return value;
}

function matching(pattern: string): string {
  return pattern.replaceAll('%', ' x ').replaceAll('_', 'x').trim();
}

/** A format that random values would break: JSON, dates as text, dates as numbers such as 20240131. */
export type Content = 'json' | 'date' | 'date_number';

/** The content of a column, judged by some of its values; null for other content. */
export function contentOf(values: readonly Stored[]): Content | null {
  const present = values.filter((value) => value !== null);
  if (present.length === 0) return null;
  const all = (test: (value: Stored) => boolean) => present.every(test);
  if (all(isJson)) return 'json';
  if (all(isDate)) return 'date';
  return all(isDateNumber) ? 'date_number' : null;
}

/** Whether a column of that content can hold the value. */
export function fits(value: Stored, content: Content | null): boolean {
  if (value === null || content === null) return true;
  return TESTS[content](value);
}

/** The day after (or before), at the same time of day; null for other values. */
export function nextDay(value: Stored, up: boolean): Stored {
  const text = String(value);
  const found = isDateNumber(value) ? COMPACT.exec(text) : isDate(value) ? DATE.exec(text) : null;
  if (!found) return null;
  const [, year, month, day, rest = ''] = found;
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day) + (up ? 1 : -1)));
  const iso = date.toISOString().slice(0, 10);
  if (!isDateNumber(value)) return `${iso}${rest}`;
  const compact = iso.replaceAll('-', '');
  return typeof value === 'bigint' ? BigInt(compact) : compact;
}

/** Completes `2021` or `2021-03` from another date; null for other values. */
export function asDateLike(value: Stored, like: Stored): Stored {
  const parts = /^(\d{4})(?:-?(\d{2}))?(?:-?(\d{2}))?$/.exec(String(value));
  const found = (isDateNumber(like) ? COMPACT : DATE).exec(String(like));
  if (!parts || !found) return null;
  const [, year = '', month = found[2] as string, day] = parts;
  const kept = day ?? found[3] ?? '01';
  // Not every month has 31 days.
  const safe = Number(kept) > 28 && day === undefined ? '28' : kept;
  const made = isDateNumber(like) ? `${year}${month}${safe}` : `${year}-${month}-${safe}${found[4] ?? ''}`;
  const typed = typeof like === 'bigint' ? BigInt(made) : made;
  return isDateNumber(typed) || isDate(typed) ? typed : null;
}

const DATE = /^(\d{4})-(\d{2})-(\d{2})((?:[ T]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?Z?)?)$/;
const COMPACT = /^((?:19|20)\d{2})(\d{2})(\d{2})$/;

const TESTS: Readonly<Record<Content, (value: Stored) => boolean>> = {
  json: isJson,
  date: isDate,
  date_number: isDateNumber,
};

function isJson(value: Stored): boolean {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return false;
  try {
    JSON.parse(value);
    return true;
  } catch {
    return false;
  }
}

function isDate(value: Stored): boolean {
  const found = typeof value === 'string' ? DATE.exec(value) : null;
  return found !== null && isCalendarDay(found);
}

function isDateNumber(value: Stored): boolean {
  const found = typeof value === 'bigint' || typeof value === 'string' ? COMPACT.exec(String(value)) : null;
  return found !== null && isCalendarDay(found);
}

export function isCalendarDay([, year, month, day]: RegExpExecArray): boolean {
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
}
