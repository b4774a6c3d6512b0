import type { Expr } from '../../../../sql/index.ts';
import { isCorrelated } from '../../../../sql/index.ts';
import { wholeTableAggregate } from '../rows/aggregates.ts';
import { compute } from '../sequence/compute.ts';
import { type Argument, asOperand, type Evaluated, type LowerContext } from '../sequence/context.ts';
import { exactArgument } from '../sequence/exact-argument.ts';
import type { Frame } from '../sequence/frame.ts';
import { foldSign, isWholeReal, literalArgument, realText } from '../sequence/literal.ts';
import { unsupported } from '../sequence/unsupported.ts';
import { joinScalarQuery } from '../subqueries/correlated-value.ts';
import { existsAsCount } from '../subqueries/exists-value.ts';
import { lowerAsValue } from '../subqueries/lower-subquery.ts';
import { lowerCase } from './case.ts';
import { knownDate } from './known-date.ts';
import { operationOf } from './operation-of.ts';
import { lowerTruthValue } from './truth-value.ts';
import { lowerWindow } from './window.ts';

/**
 * Gives an expression a value: a column of the frame, added if necessary, or an argument when it is the same for every
 * row. Without a frame there are no rows.
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

function evaluateOperation(
  expr: Extract<Expr, { kind: 'unary' | 'binary' | 'cast' | 'call' }>,
  frame: Frame | null,
  context: LowerContext,
): Evaluated {
  const parts = operationOf(expr);
  const known = knownDate(parts);
  if (known !== null) return argument(known);
  const { operation, input, operands, lists = {}, options, symmetric, numeric } = parts;
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
  const args = {
    ...options,
    ...Object.fromEntries(others.map(([name, part]) => [name, asOperand(part)])),
    ...Object.fromEntries(
      Object.entries(lists).map(([name, items]) => [name, items.map((item) => asOperand(operand(item)))]),
    ),
  };
  return compute(expr, value, operation, args, frame, context);
}

const REVERSIBLE = new Set(['subtract', 'divide', 'modulo', 'concatenate', 'bitwise']);

function argument(value: Argument): Evaluated {
  return { kind: 'argument', argument: value };
}
