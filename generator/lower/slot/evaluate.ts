import type { Expr } from '../../sql/index.ts';
import { isCorrelated } from '../../sql/index.ts';
import { wholeTableAggregate } from './aggregates.ts';
import { lowerCase } from './case.ts';
import { type Argument, asOperand, type Evaluated, type LowerContext } from './context.ts';
import { joinScalarQuery } from './correlated-value.ts';
import { existsAsCount } from './exists-value.ts';
import type { Frame } from './frame.ts';
import { knownDate } from './known-date.ts';
import { foldSign, isWholeReal, literalArgument, realText } from './literal.ts';
import { lowerAsValue } from './lower-subquery.ts';
import { newKey } from './new-key.ts';
import { operationOf } from './operation-of.ts';
import { lowerTruthValue } from './truth-value.ts';
import { unsupported } from './unsupported.ts';
import { lowerWindow } from './window.ts';

/**
 * Sees to it that an expression has a value: as a column of the frame, added to it if need be, or as an
 * argument when it is the same for every row. Without a frame there are no rows.
 */
export function evaluate(expr: Expr, frame: Frame | null, context: LowerContext): Evaluated {
  const held = frame?.find(expr);
  if (held !== undefined) return { kind: 'key', key: held };
  switch (expr.kind) {
    case 'literal':
      return argument(literalArgument(expr));
    case 'column':
      if (!frame) throw unsupported('column', 'a column where there are no rows');
      return { kind: 'key', key: frame.column(expr) };
    case 'unary': {
      const folded = foldSign(expr);
      return folded === expr ? evaluateOperation(expr, frame, context) : evaluate(folded, frame, context);
    }
    case 'binary':
    case 'cast':
    case 'call':
      return evaluateOperation(expr, frame, context);
    case 'case':
      return lowerCase(expr, frame, context);
    case 'compare':
    case 'and':
    case 'or':
    case 'not':
    case 'is_null':
    case 'between':
    case 'like':
    case 'in_list':
    case 'in_query':
      return lowerTruthValue(expr, frame, context);
    case 'scalar_query':
      if (!isCorrelated(expr.query)) return argument(`$${lowerAsValue(expr.query, context)}$`);
      if (!frame) throw unsupported('correlated subquery', 'a correlated subquery where there are no rows');
      return { kind: 'key', key: joinScalarQuery(expr, frame, context) };
    case 'aggregate':
      if (!frame || frame.mode === 'grouped')
        throw unsupported('aggregate', 'an aggregate where there is no group');
      return argument(`$${wholeTableAggregate(expr, frame, context)}$`);
    case 'window':
      if (!frame) throw unsupported('window function', 'a window function where there are no rows');
      return { kind: 'key', key: lowerWindow(expr, frame, context) };
    case 'collate':
      if (expr.collation.toUpperCase() === 'BINARY') return evaluate(expr.expr, frame, context);
      throw unsupported('collate', `no tool has the collation ${expr.collation}`);
    case 'exists':
      return evaluate(existsAsCount(expr), frame, context);
    case 'row':
    case 'output':
      throw unsupported('row value', 'a row value as a value');
  }
}

/** The column that holds an expression, made if need be. */
export function evaluateAsColumn(expr: Expr, frame: Frame, context: LowerContext): string {
  const value = evaluate(expr, frame, context);
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

/** Where the type of a value matters, `1.0` must not become the integer that JSON makes of it. */
export function exactArgument(expr: Expr, value: Argument, context: LowerContext): Argument {
  const literal = foldSign(expr);
  if (literal.kind !== 'literal' || !isWholeReal(literal)) return value;
  const cast = { input: value, operation_type: 'cast', operation_args: { type: 'real' } };
  return `$${context.sequence.call('calculate', cast)}$`;
}

/** An expression as an operand whose value (not only its comparison) matters. */
export function evaluateExactly(expr: Expr, frame: Frame | null, context: LowerContext) {
  const value = evaluate(expr, frame, context);
  return value.kind === 'key' ? asOperand(value) : exactArgument(expr, value.argument, context);
}

/** Adds an operation on a column of the frame, and answers the column that has the result. */
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
    return argument(`$${context.sequence.call('calculate', call)}$`);
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

function evaluateOperation(
  expr: Extract<Expr, { kind: 'unary' | 'binary' | 'cast' | 'call' }>,
  frame: Frame | null,
  context: LowerContext,
): Evaluated {
  const parts = operationOf(expr);
  const known = knownDate(parts);
  if (known !== null) return argument(known);
  const { operation, input, operands, options, symmetric, numeric } = parts;
  const operand = (part: Expr): Evaluated => {
    const literal = foldSign(part);
    if (numeric && literal.kind === 'literal' && literal.type === 'real' && isWholeReal(literal)) {
      return argument(realText(literal));
    }
    const value = evaluate(part, frame, context);
    return value.kind === 'key' ? value : argument(exactArgument(part, value.argument, context));
  };
  const value = operand(input);
  const others = Object.entries(operands).map(([name, part]) => [name, operand(part)] as const);
  const [first] = others;
  const mirrored = value.kind === 'argument' && first?.[0] === 'operand' && first[1].kind === 'key';
  if (mirrored && first && (symmetric || REVERSIBLE.has(operation))) {
    const args = { ...options, operand: asOperand(value), ...(symmetric ? {} : { reverse: true }) };
    return compute(expr, first[1], operation, args, frame, context);
  }
  const args = { ...options, ...Object.fromEntries(others.map(([name, part]) => [name, asOperand(part)])) };
  return compute(expr, value, operation, args, frame, context);
}

const REVERSIBLE = new Set(['subtract', 'divide', 'modulo', 'concatenate']);

function argument(value: Argument): Evaluated {
  return { kind: 'argument', argument: value };
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
