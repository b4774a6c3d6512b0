import type { Expr } from '../../../../sql/index.ts';
import type { Argument, LowerContext } from './context.ts';
import { exactArgument } from './exact-argument.ts';
import type { Frame } from './frame.ts';
import { newKey } from './new-key.ts';

/** The column that holds an expression, added if necessary. */
export function evaluateAsColumn(expr: Expr, frame: Frame, context: LowerContext): string {
  const value = context.evaluate(expr, frame);
  return value.kind === 'key'
    ? value.key
    : constantColumn(exactArgument(expr, value.argument, context), frame, context);
}

/** A column with the same value in every row. */
export function constantColumn(value: Argument, frame: Frame, context: LowerContext): string {
  const known = frame.constants.get(value);
  if (known !== undefined) return known;
  const source = context.sequence.plan(frame.label).columns[0]?.key as string;
  const key = newKey('constant', null, frame, context);
  frame.constants.set(value, transform(frame, source, 'constant', { value }, key, context));
  return key;
}

/** Adds an operation on a column of the frame; returns the result's column. */
export function transform(
  frame: Frame,
  key: string,
  operation: string,
  args: Record<string, unknown>,
  target: string | null,
  context: LowerContext,
): string {
  frame.label = context.sequence.call('transform_data', {
    data_source: `$${frame.label}$`,
    key_name: key,
    operation_type: operation,
    operation_args: args,
    ...(target === null ? {} : { new_key_name: target }),
  });
  return target ?? key;
}

/** Numbers the rows of the frame in a new column; returns its name. */
export function numberRows(frame: Frame, context: LowerContext): string {
  const [column] = context.sequence.plan(frame.label).columns;
  const id = newKey('row_number', null, frame, context);
  return transform(frame, column?.key as string, 'row_number', {}, id, context);
}
