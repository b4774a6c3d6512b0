import type { Expr, Literal } from '../../../sql/index.ts';

/** Functions that only change the form of a value, and which argument it is. */
const FORMS: Readonly<Record<string, number>> = {
  date: 0,
  datetime: 0,
  time: 0,
  julianday: 0,
  unixepoch: 0,
  strftime: 1,
  lower: 0,
  upper: 0,
  trim: 0,
};

/** The one literal that an expression stands for: itself, or within CAST, COLLATE, DATE('2020-01-01'), LOWER('X'). */
export function literalWithin(expr: Expr): Literal | null {
  switch (expr.kind) {
    case 'literal':
      return expr;
    case 'cast':
    case 'collate':
      return literalWithin(expr.expr);
    case 'unary':
      return expr.op === '+' ? literalWithin(expr.expr) : null;
    case 'call': {
      const at = FORMS[expr.name];
      const value = at === undefined ? undefined : expr.args[at];
      const others = expr.args.filter((_, i) => i !== at);
      if (value === undefined || !others.every((other) => other.kind === 'literal')) return null;
      return literalWithin(value);
    }
    default:
      return null;
  }
}
