import type { Expr, Literal } from '../../../../sql/index.ts';
import { unsupported } from './unsupported.ts';

/** A literal as an argument; reals that are whole numbers need `realArgument` where their type matters. */
export function literalArgument(literal: Literal): string | number | null {
  switch (literal.type) {
    case 'integer':
      return integerArgument(literal.value);
    case 'real':
    case 'text':
    case 'null':
      return literal.value;
    case 'blob':
      throw unsupported('blob', 'a tool argument cannot be a blob');
  }
}

/** Whether JSON would make an integer of a real literal. */
export function isWholeReal(literal: Literal): boolean {
  return literal.type === 'real' && Number.isInteger(literal.value);
}

/** A number as SQLite reads it in arithmetic: as text, `100.0` stays a real. */
export function realText(literal: Literal & { type: 'real' }): string {
  return /[.eE]/.test(literal.text) ? literal.text : `${literal.text}.0`;
}

/** Merges a sign into its number; returns other expressions unchanged. */
export function foldSign(expr: Expr): Expr {
  if (expr.kind !== 'unary' || expr.expr.kind !== 'literal') return expr;
  const literal = expr.expr;
  if (expr.op === '+') return literal;
  if (expr.op !== '-') return expr;
  if (literal.type === 'integer') return { ...literal, value: -literal.value };
  if (literal.type === 'real') return { ...literal, value: -literal.value, text: `-${literal.text}` };
  return expr;
}

function integerArgument(value: bigint): number | string {
  const number = Number(value);
  // Numbers that JSON cannot hold exactly are sent as text, which SQLite compares with a number column as a number.
  return Number.isSafeInteger(number) ? number : String(value);
}
