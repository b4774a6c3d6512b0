import { type Column, columnsOf, type Expr, type Literal, ownExprs } from '../../sql/index.ts';
import type { Stored } from '../oracle/messages.ts';

/** A column of a query and what its conditions require of it. */
export interface Mention {
  readonly column: Column;
  /** Values the query compares it with: rows at and around these distinguish similar conditions. */
  readonly literals: readonly Stored[];
  /** A value that makes the condition true, where one is plain to see. */
  readonly satisfying: Stored | undefined;
  /** The literals are compared with what is at this path of the column's JSON; null: with the column. */
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
      const compared = literals.filter((literal) => path === null || !isPath(literal, path));
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

function isPath(literal: Stored, path: string): boolean {
  return literal === path || `$.${literal}` === path;
}

function textOf(expr: Expr | undefined): string | null {
  return expr?.kind === 'literal' && expr.type === 'text' ? expr.value : null;
}

/** The literals a condition compares with, or null when it is not a condition. */
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

/** The value of a literal. */
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

/** A text that a LIKE pattern matches. */
function matching(pattern: string): string {
  return pattern.replaceAll('%', ' x ').replaceAll('_', 'x').trim();
}
