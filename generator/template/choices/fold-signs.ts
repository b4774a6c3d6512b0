import {
  integerLiteral,
  type Literal,
  type Query,
  realLiteral,
  rewriteExprs,
  type Unary,
} from '../../../sql/index.ts';

/** Makes one literal of a minus sign and the number after it, so that a user can choose `-5` as a whole. */
export function foldSigns(query: Query, sql: string): Query {
  return rewriteExprs(query, (expr) =>
    expr.kind === 'unary' && expr.op === '-' ? negated(expr, sql) : null,
  );
}

function negated({ expr }: Unary, sql: string): Literal | null {
  if (expr.kind !== 'literal' || expr.span === null) return null;
  const start = signBefore(sql, expr.span.start);
  if (start === null) return null;
  const span = { start, end: expr.span.end };
  if (expr.type === 'integer' && expr.value > 0n) return integerLiteral(-expr.value, span);
  if (expr.type === 'real') return realLiteral(`-${expr.text}`, span);
  return null;
}

function signBefore(sql: string, at: number): number | null {
  const sign = sql.slice(0, at).match(/-\s*$/);
  return sign?.index ?? null;
}
