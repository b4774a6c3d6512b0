import {
  type CompareOp,
  conjunction,
  disjunction,
  type Expr,
  integerLiteral,
  literalTruth,
  node,
} from '../../../../sql/index.ts';

const OPPOSITE: Readonly<Record<CompareOp, CompareOp>> = {
  '=': '!=',
  '!=': '=',
  '<': '>=',
  '<=': '>',
  '>': '<=',
  '>=': '<',
  is: 'is_not',
  is_not: 'is',
};

/** The value that a truth test compares with. */
export const FALSE: Expr = node({ kind: 'literal', pinned: false, span: null, type: 'integer', value: 0n });

/**
 * A condition that is true for the same rows, with every NOT moved into the tests, which leaves AND, OR and tests. A
 * filter treats false and NULL alike.
 */
export function asTests(expr: Expr): Expr {
  switch (expr.kind) {
    case 'and':
    case 'or':
      return withoutConstants(expr.kind, expr.items);
    case 'not':
      return asTests(opposite(expr.expr));
    // What is true is so under every collation.
    case 'collate':
      return asTests(expr.expr);
    case 'compare':
      if (expr.op === 'is' || expr.op === 'is_not') return identityTests(expr.left, expr.right, expr.op);
      return rowTests(expr);
    case 'in_list':
      return expr.expr.kind === 'row' ? asTests(oneOfRows(expr)) : expr;
    case 'between':
    case 'like':
    case 'in_query':
    case 'exists':
    case 'is_null':
      return expr;
    default:
      return node({ kind: 'compare', op: '!=', left: numberOf(expr), right: FALSE });
  }
}

/** `a OR 0` is a, `a AND 1` too; `a OR 1` is 1. */
function withoutConstants(kind: 'and' | 'or', items: readonly Expr[]): Expr {
  const deciding = items.find((item) => truthOf(item) === (kind === 'or'));
  if (deciding) return asTests(deciding);
  const open = items.filter((item) => truthOf(item) === undefined);
  const [only = items[0] as Expr, ...others] = open;
  if (others.length === 0) return asTests(only);
  return kind === 'and' ? conjunction(open.map(asTests)) : disjunction(open.map(asTests));
}

/** Whether a literal counts as true in a filter; undefined for other expressions. */
function truthOf(expr: Expr): boolean | undefined {
  return expr.kind === 'literal' ? (literalTruth(expr) ?? undefined) : undefined;
}

/** The truth value of a text literal. */
function numberOf(expr: Expr): Expr {
  if (expr.kind !== 'literal' || expr.type !== 'text') return expr;
  return integerLiteral(literalTruth(expr) ? 1n : 0n);
}

/** The negation, exact in three-valued logic. */
export function opposite(expr: Expr): Expr {
  switch (expr.kind) {
    case 'and':
      return disjunction(expr.items.map(opposite));
    case 'or':
      return conjunction(expr.items.map(opposite));
    case 'not':
      return expr.expr;
    case 'collate':
      return opposite(expr.expr);
    case 'compare':
      return node({ ...expr, op: OPPOSITE[expr.op] });
    case 'between':
    case 'like':
    case 'in_list':
    case 'in_query':
    case 'exists':
    case 'is_null':
      return node({ ...expr, negated: !expr.negated });
    default:
      return node({ kind: 'compare', op: '=', left: numberOf(expr), right: FALSE });
  }
}

/** `(a, b) = (1, 2)` as `a = 1 AND b = 2`. */
function rowTests(expr: Extract<Expr, { kind: 'compare' }>): Expr {
  const { op, left, right } = expr;
  if (left.kind !== 'row' || right.kind !== 'row' || (op !== '=' && op !== '!=')) return expr;
  const pairs = left.items.map(
    (item, i): Expr => node({ kind: 'compare', op, left: item, right: right.items[i] as Expr }),
  );
  return op === '=' ? conjunction(pairs) : disjunction(pairs);
}

/** `(a, b) IN ((1, 2), (3, 4))` as the rows it may equal. */
function oneOfRows({ expr, items, negated }: Extract<Expr, { kind: 'in_list' }>): Expr {
  const op = negated ? '!=' : '=';
  const rows = items.map((right): Expr => node({ kind: 'compare', op, left: expr, right }));
  return negated ? conjunction(rows) : disjunction(rows);
}

/** IS and IS NOT by `=` and IS NULL. */
function identityTests(left: Expr, right: Expr, op: 'is' | 'is_not'): Expr {
  const isNull = (expr: Expr, negated: boolean): Expr => node({ kind: 'is_null', expr, negated });
  const literal = (expr: Expr) => expr.kind === 'literal';
  if (literal(right) && right.kind === 'literal' && right.type === 'null')
    return isNull(left, op === 'is_not');
  if (op === 'is') {
    const equal: Expr = node({ kind: 'compare', op: '=', left, right });
    if (literal(right)) return equal;
    return disjunction([equal, conjunction([isNull(left, false), isNull(right, false)])]);
  }
  const different: Expr = node({ kind: 'compare', op: '!=', left, right });
  if (literal(right)) return disjunction([different, isNull(left, false)]);
  return disjunction([
    different,
    conjunction([isNull(left, false), isNull(right, true)]),
    conjunction([isNull(left, true), isNull(right, false)]),
  ]);
}
