import type { Expr } from '../../../../sql/index.ts';
import { constantColumn, transform } from './columns.ts';
import type { Evaluated, LowerContext } from './context.ts';
import type { Frame } from './frame.ts';
import { newKey } from './new-key.ts';
import { unsupported } from './unsupported.ts';

/**
 * Computes an operation: on a column as a transformation (in place when the column is needed for nothing
 * else), on single values as a calculation.
 */
export function compute(
  expr: Expr | null,
  input: Evaluated,
  operation: string,
  args: Record<string, unknown>,
  frame: Frame | null,
  context: LowerContext,
): Evaluated {
  if (input.kind === 'argument' && !refersToColumn(args)) {
    const call = { input: input.argument, operation_type: operation, operation_args: args };
    return { kind: 'argument', argument: `$${context.sequence.call('calculate', call)}$` };
  }
  if (!frame) throw unsupported('column', 'a column where there are no rows');
  const key = input.kind === 'key' ? input.key : constantColumn(input.argument, frame, context);
  const inPlace = expr !== null && frame.isUsedOnce(key) && !mentions(args, key);
  const target = inPlace ? null : newKey(operation, key, frame, context);
  const made = transform(frame, key, operation, args, target, context);
  if (expr !== null) {
    if (inPlace) frame.replace(key, expr);
    else frame.hold(expr, made);
  }
  return { kind: 'key', key: made };
}

function refersToColumn(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return 'key_name' in value || Object.values(value).some(refersToColumn);
}

function mentions(value: unknown, key: string): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return (
    ('key_name' in value && value.key_name === key) ||
    Object.values(value).some((item) => mentions(item, key))
  );
}
