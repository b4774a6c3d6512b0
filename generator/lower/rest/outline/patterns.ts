import type { Aggregate, Case, Expr } from '../../../sql/index.ts';

/** An expression without what does not change what is meant: CAST, ROUND, COALESCE, a sign, a collation. */
export function bare(expr: Expr): Expr {
  switch (expr.kind) {
    case 'cast':
    case 'collate':
      return bare(expr.expr);
    case 'unary':
      return expr.op === '+' || expr.op === '-' ? bare(expr.expr) : expr;
    case 'call': {
      const inner = /^(printf|format)$/.test(expr.name) ? expr.args[1] : expr.args[0];
      return inner !== undefined && TRANSPARENT.has(expr.name) ? bare(inner) : expr;
    }
    default:
      return expr;
  }
}

const TRANSPARENT: ReadonlySet<string> = new Set(
  'round abs coalesce ifnull nullif lower upper trim ltrim rtrim printf format replace floor ceil ceiling'.split(
    ' ',
  ),
);

/** The number that an expression is, or null. */
export function numberIn(expr: Expr): number | null {
  const inner = bare(expr);
  return inner.kind === 'literal' && (inner.type === 'integer' || inner.type === 'real')
    ? Number(inner.value)
    : null;
}

/** What is 1 where it holds and 0 where not. */
const TESTS: ReadonlySet<Expr['kind']> = new Set([
  'compare',
  'is_null',
  'like',
  'in_list',
  'in_query',
  'between',
  'and',
  'or',
  'not',
  'exists',
] as const);

/** The condition under which `CASE WHEN … THEN 1 ELSE 0 END` counts a row. */
export function countedCondition(expr: Expr): Expr | null {
  const inner = bare(expr);
  if (TESTS.has(inner.kind)) return inner;
  if (inner.kind !== 'case' || inner.operand !== null || inner.whens.length !== 1) return null;
  const [only] = inner.whens;
  if (only === undefined || !isValue(only.result, 1)) return null;
  return inner.else === null || isValue(inner.else, 0) || isNull(inner.else) ? only.when : null;
}

/** The condition of a conditional count: SUM of ones, COUNT of a CASE, or an aggregate with FILTER. */
export function conditionalCount(expr: Expr): Expr | null {
  const inner = bare(expr);
  if (inner.kind !== 'aggregate') return null;
  const [arg] = inner.args;
  if (inner.name === 'count' && inner.filter !== null) return inner.filter;
  if (arg === undefined) return null;
  if (inner.name === 'sum' || inner.name === 'total') return countedCondition(arg);
  if (inner.name !== 'count') return null;
  const only = onlyWhen(arg);
  return only !== null && (only.else === null || isNull(only.else)) ? only.when : null;
}

/** The value that SUM or AVG takes where a condition holds: `CASE WHEN … THEN amount ELSE 0 END`. */
export function conditionalValue(expr: Expr): { readonly when: Expr; readonly value: Expr } | null {
  const only = onlyWhen(expr);
  if (only === null || only.result.kind === 'literal') return null;
  if (only.else !== null && only.else.kind !== 'literal') return null;
  return { when: only.when, value: only.result };
}

function onlyWhen(
  expr: Expr,
): { readonly when: Expr; readonly result: Expr; readonly else: Case['else'] } | null {
  const inner = bare(expr);
  if (inner.kind !== 'case' || inner.operand !== null || inner.whens.length !== 1) return null;
  const [only] = inner.whens;
  return only === undefined ? null : { ...only, else: inner.else };
}

export function isCount(expr: Expr): boolean {
  const inner = bare(expr);
  return inner.kind === 'aggregate' && inner.name === 'count';
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
