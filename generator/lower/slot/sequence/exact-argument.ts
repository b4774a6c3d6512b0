import type { Expr } from '../../../../sql/index.ts';
import { type Argument, asOperand, type LowerContext } from './context.ts';
import type { Frame } from './frame.ts';
import { foldSign, isWholeReal } from './literal.ts';

/** Where the type of a value matters, `1.0` must not become the integer that JSON makes of it. */
export function exactArgument(expr: Expr, value: Argument, context: LowerContext): Argument {
  const literal = foldSign(expr);
  if (literal.kind !== 'literal' || !isWholeReal(literal)) return value;
  const cast = { input: value, operation_type: 'cast', operation_args: { type: 'real' } };
  return `$${context.sequence.call('calculate', cast)}$`;
}

/** An expression as an operand whose value (not only its comparison) matters. */
export function evaluateExactly(expr: Expr, frame: Frame | null, context: LowerContext) {
  const value = context.evaluate(expr, frame);
  return value.kind === 'key' ? asOperand(value) : exactArgument(expr, value.argument, context);
}
