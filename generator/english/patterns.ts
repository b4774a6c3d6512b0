import {
  type Aggregate,
  type Binary,
  type Case,
  type Expr,
  exprsWithin,
  isCondition,
  type Literal,
  node,
  type Origins,
  type Query,
  selectsOf,
} from '../../sql/index.ts';

/** An expression without parts that do not change its meaning: CAST, ROUND, `* 1.0`, a default for NULL, a collation. */
export function bare(expr: Expr): Expr {
  return stripped(expr, TRANSPARENT);
}

/** The same, but keeps defaults for NULL, trimming and changes of case. */
export function barely(expr: Expr): Expr {
  return stripped(expr, ROUNDED);
}

function stripped(expr: Expr, calls: ReadonlySet<string>): Expr {
  const bare = (inner: Expr) => stripped(inner, calls);
  switch (expr.kind) {
    case 'cast':
    case 'collate':
      return bare(expr.expr);
    case 'unary':
      return expr.op === '+' ? bare(expr.expr) : expr;
    case 'binary': {
      const same = unchanged(expr);
      return same === null ? expr : bare(same);
    }
    case 'call': {
      const [first, ...others] = /^(printf|format)$/.test(expr.name) ? expr.args.slice(1) : expr.args;
      const form = others.every((other) => bare(other).kind === 'literal');
      const kept = expr.name !== 'nullif' || others.every(isNothing);
      return first !== undefined && form && kept && calls.has(expr.name) ? bare(first) : expr;
    }
    default:
      return expr;
  }
}

/** The x of `x * 1.0`, `x / 1` or `x + 0`; null for other operations. */
export function unchanged({ op, left, right }: Binary): Expr | null {
  const isJust = (expr: Expr, number: number) =>
    expr.kind === 'literal' && /^(integer|real)$/.test(expr.type) && Number(expr.value) === number;
  if (op === '*') return isJust(right, 1) ? left : isJust(left, 1) ? right : null;
  if (op === '/') return isJust(right, 1) ? left : null;
  if (op === '+') return isJust(right, 0) ? left : isJust(left, 0) ? right : null;
  return null;
}

/** Whether a literal stands for a missing value: 0 or an empty text. */
function isNothing(expr: Expr): boolean {
  const inner = bare(expr);
  return inner.kind === 'literal' && (inner.value === '' || Number(inner.value) === 0);
}

const TRANSPARENT: ReadonlySet<string> = new Set(
  'round coalesce ifnull nullif lower upper trim ltrim rtrim printf format replace floor ceil ceiling'.split(
    ' ',
  ),
);

const ROUNDED: ReadonlySet<string> = new Set(
  'round nullif printf format replace floor ceil ceiling ltrim rtrim'.split(' '),
);

/** The number that an expression is as written, or null. */
export function numberLiteral(expr: Expr): Literal | null {
  const inner = bare(expr);
  return inner.kind === 'literal' && (inner.type === 'integer' || inner.type === 'real') ? inner : null;
}

/** The condition of an expression that is 1 if it holds and 0 otherwise, so that its average is a share. */
export function testIn(expr: Expr): Expr | null {
  const inner = bare(expr);
  if (inner.kind === 'case' && (inner.else === null || isNull(inner.else))) return null;
  return countedCondition(inner);
}

/** The condition under which `CASE WHEN … THEN 1 ELSE 0 END` counts a row. */
function countedCondition(expr: Expr): Expr | null {
  const inner = bare(expr);
  if (isCondition(inner)) return inner;
  const only = onlyWhen(inner);
  if (only === null || !isValue(only.result, 1)) return null;
  return only.else === null || isValue(only.else, 0) || isNull(only.else) ? only.when : null;
}

/** The condition of a conditional count: SUM of ones, COUNT of a CASE, or an aggregate with FILTER. */
export function conditionalCount(expr: Expr): Expr | null {
  const inner = bare(expr);
  if (inner.kind !== 'aggregate') return null;
  const [arg] = inner.args;
  if (inner.name === 'count' && inner.filter !== null) return inner.filter;
  if (arg === undefined) return null;
  if (inner.name === 'sum' || inner.name === 'total') return inner.distinct ? null : countedCondition(arg);
  if (inner.name !== 'count') return null;
  const only = onlyWhen(arg);
  return only !== null && (only.else === null || isNull(only.else)) ? only.when : null;
}

/**
 * The value that an aggregate takes if a condition holds: `CASE WHEN … THEN amount END`; with
 * `orZero`, also with `ELSE 0`.
 */
export function conditionalValue(
  expr: Expr,
  orZero = true,
): { readonly when: Expr; readonly value: Expr } | null {
  const only = onlyWhen(expr);
  if (only === null || only.result.kind === 'literal') return null;
  const nothing = only.else === null || isNull(only.else) || (orZero && isNothing(only.else));
  return nothing ? { when: only.when, value: only.result } : null;
}

/** The only branch of a CASE; `CASE type WHEN 'A'` tests whether the type is A. */
function onlyWhen(
  expr: Expr,
): { readonly when: Expr; readonly result: Expr; readonly else: Case['else'] } | null {
  const inner = bare(expr);
  if (inner.kind !== 'case' || inner.whens.length !== 1) return null;
  const [only] = inner.whens;
  if (only === undefined) return null;
  const { operand } = inner;
  const when =
    operand === null
      ? only.when
      : node({ kind: 'compare', op: '=', left: operand, right: only.when } as const);
  return { when, result: only.result, else: inner.else };
}

export function isCount(expr: Expr): boolean {
  return asAggregate(expr)?.name === 'count';
}

export function asAggregate(expr: Expr): Aggregate | null {
  const inner = bare(expr);
  return inner.kind === 'aggregate' ? inner : null;
}

function isValue(expr: Expr, value: number): boolean {
  const inner = bare(expr);
  return inner.kind === 'literal' && inner.type !== 'text' && Number(inner.value) === value;
}

function isNull(expr: Expr): boolean {
  return expr.kind === 'literal' && expr.type === 'null';
}

/** The operands of a chain of one operator: `a || b || c`. */
export function flatten(expr: Expr, op: Binary['op']): readonly Expr[] {
  const inner = bare(expr);
  if (inner.kind !== 'binary' || inner.op !== op) return [inner];
  return [...flatten(inner.left, op), ...flatten(inner.right, op)];
}

/** Whether a query reads itself, as that of a recursive CTE does. */
export function isRecursive(query: Query, origins: Origins): boolean {
  return (
    query.kind === 'set_operation' &&
    selectsOf(query.right).some(({ from }) => from.some(({ source }) => origins.queryOf(source) === query))
  );
}

/** Whether an expression reads a part of a text. */
export function isPiece(expr: Expr): boolean {
  const parts = exprsWithin(expr);
  return (
    parts.some((part) => part.kind === 'call' && /^(substr|substring|strftime|instr)$/.test(part.name)) &&
    parts.every(isInOrder)
  );
}

/** Whether a part of a text's reading is the usual way round: up to one sign before another, if there is a text. */
function isInOrder(part: Expr): boolean {
  if (part.kind === 'compare') return part.op !== '=' || part.right.kind !== 'literal';
  if (part.kind !== 'binary' || !/^[-/]$/.test(part.op)) return true;
  const [left, right] = [part.left, part.right].map((side) =>
    side.kind === 'call' ? side.args[1] : undefined,
  );
  const isTurned =
    left?.kind === 'literal' && left.value === ':' && right?.kind === 'literal' && right.value === '.';
  return part.left.kind !== 'literal' && !isTurned;
}
