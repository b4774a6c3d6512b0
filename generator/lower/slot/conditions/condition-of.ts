import type { CompareOp, Expr } from '../../../../sql/index.ts';
import { isCorrelated, MIRRORED } from '../../../../sql/index.ts';
import { asOperand, type Evaluated, type LowerContext } from '../sequence/context.ts';
import type { Frame } from '../sequence/frame.ts';
import { isWholeReal, realText } from '../sequence/literal.ts';
import { unsupported } from '../sequence/unsupported.ts';
import { existsAsCount } from '../subqueries/exists-value.ts';
import { lowerAsList } from '../subqueries/lower-subquery.ts';
import { bitCondition } from './bit-condition.ts';
import { withoutEscape } from './like-escape.ts';
import { FALSE } from './truth.ts';

/** A test ready for a call: the tested column, the condition, and the operand. */
export interface ConditionOf {
  readonly subject: Evaluated;
  readonly condition: string;
  /** Absent for is_null and is_not_null. */
  readonly value?: unknown;
}

const NAMES: Readonly<Partial<Record<CompareOp, string>>> = {
  '=': 'equal_to',
  '!=': 'not_equal_to',
  '<': 'less_than',
  '<=': 'less_than_equal_to',
  '>': 'greater_than',
  '>=': 'greater_than_equal_to',
};

/** Whether an expression is a single test that a filter can apply. */
export function isTest(expr: Expr): boolean {
  return ['compare', 'is_null', 'between', 'like', 'in_list', 'in_query', 'exists'].includes(expr.kind);
}

/** One test as the arguments of a tool; its operands become columns of the frame. */
export function conditionOf(expr: Expr, frame: Frame | null, context: LowerContext): ConditionOf {
  const operand = (part: Expr) => comparedWith(part, frame, context);
  switch (expr.kind) {
    case 'compare':
      return compareCondition(expr, frame, context);
    case 'is_null':
      return {
        subject: context.evaluate(expr.expr, frame),
        condition: expr.negated ? 'is_not_null' : 'is_null',
      };
    case 'between': {
      const side = isCaseless(expr.expr) ? lowerCased : same;
      const subject = context.evaluate(side(expr.expr), frame);
      const value = [operand(side(expr.low)), operand(side(expr.high))];
      return { subject, condition: expr.negated ? 'not_between' : 'between', value };
    }
    case 'like': {
      if (expr.escape) {
        const rewritten = withoutEscape(expr);
        if (rewritten) return conditionOf(rewritten, frame, context);
        throw unsupported('escape', 'ESCAPE with a pattern that is no text literal');
      }
      if (expr.op === 'regexp' || expr.op === 'match')
        throw unsupported(expr.op, 'no condition of the tools does this');
      const subject = context.evaluate(uncollated(expr.expr), frame);
      const value = operand(uncollated(expr.pattern));
      return { subject, condition: (expr.negated ? 'not_' : '') + expr.op, value };
    }
    case 'in_list': {
      const side = isCaseless(expr.expr) ? lowerCased : same;
      const subject = context.evaluate(side(expr.expr), frame);
      const value = expr.items.map((item) => operand(side(item)));
      return { subject, condition: expr.negated ? 'not_in' : 'in', value };
    }
    case 'in_query': {
      if (isCorrelated(expr.query))
        throw unsupported('correlated IN', 'a correlated IN inside another condition');
      const value = `$${lowerAsList(expr.query, context)}$`;
      return {
        subject: context.evaluate(expr.expr, frame),
        condition: expr.negated ? 'not_in' : 'in',
        value,
      };
    }
    case 'exists':
      return conditionOf(existsAsCount(expr), frame, context);
    default:
      throw unsupported(expr.kind, `${expr.kind} as a condition`);
  }
}

function compareCondition(
  expr: Extract<Expr, { kind: 'compare' }>,
  frame: Frame | null,
  context: LowerContext,
): ConditionOf {
  const name = NAMES[expr.op];
  if (!name || expr.left.kind === 'row')
    throw unsupported('comparison', `no condition of the tools does this`);
  const bits = bitCondition(expr);
  if (bits) {
    const value = comparedWith(bits.mask, frame, context);
    return { subject: context.evaluate(bits.tested, frame), condition: bits.condition, value };
  }
  const caseless = collations(expr).includes('NOCASE');
  const side = (part: Expr): Expr => (caseless ? lowerCased(part) : uncollated(part));
  // Subqueries come before the steps that use them.
  const asked = expr.right === FALSE ? asNumber(expr.left, frame, context) : side(expr.left);
  const left = context.evaluate(asked, frame);
  const right = context.evaluate(side(expr.right), frame);
  if (left.kind === 'argument' && right.kind === 'key') {
    const flipped = MIRRORED[expr.op];
    return {
      subject: right,
      condition: NAMES[flipped] as string,
      value: literalOf(expr.left, left, right, frame, context),
    };
  }
  return { subject: left, condition: name, value: literalOf(expr.right, right, left, frame, context) };
}

function comparedWith(expr: Expr, frame: Frame | null, context: LowerContext) {
  return asOperand(context.evaluate(expr, frame));
}

/** A column of text is compared with `500.0` as text; everything else with the number. */
function literalOf(
  expr: Expr,
  value: Evaluated,
  subject: Evaluated,
  frame: Frame | null,
  context: LowerContext,
) {
  if (
    expr.kind === 'literal' &&
    expr.type === 'real' &&
    isWholeReal(expr) &&
    subject.kind === 'key' &&
    frame
  ) {
    const column = catalogColumn(subject.key, frame, context);
    if (column && /CHAR|CLOB|TEXT/i.test(column.declared_type)) return realText(expr);
  }
  return asOperand(value);
}

/** Text counts as true by the number it begins with, but compares as more than any number. */
function asNumber(expr: Expr, frame: Frame | null, context: LowerContext): Expr {
  const cast: Expr = { kind: 'cast', expr, type: 'NUMERIC' };
  return frame?.has(cast) || mayBeText(expr, frame, context) ? cast : expr;
}

function mayBeText(expr: Expr, frame: Frame | null, context: LowerContext): boolean {
  if (expr.kind === 'binary') return expr.op === '||';
  if (expr.kind === 'call') return TEXT_FUNCTIONS.has(expr.name);
  if (expr.kind === 'case') {
    const results = [...expr.whens.map(({ result }) => result), ...(expr.else ? [expr.else] : [])];
    return results.some((result) => mayBeText(result, frame, context));
  }
  if (expr.kind === 'literal') return expr.type === 'text';
  const key = frame && expr.kind === 'column' ? frame.find(expr) : undefined;
  return frame !== null && key !== undefined && catalogColumn(key, frame, context)?.type === 'string';
}

/** Functions that return text, or one of their arguments. */
const TEXT_FUNCTIONS = new Set(
  'lower upper substr substring trim ltrim rtrim replace printf format strftime date time datetime coalesce ifnull nullif iif concat concat_ws char quote'.split(
    ' ',
  ),
);

/** The database column that a column of the frame shows unchanged. */
function catalogColumn(key: string, frame: Frame, context: LowerContext) {
  const origin = context.sequence.plan(frame.label).columns.find((column) => column.key === key)?.origin;
  const table = context.sequence.catalog.tables.find(({ name }) => name === origin?.table);
  return table?.columns.find(({ name }) => name === origin?.column);
}

function collations(expr: Extract<Expr, { kind: 'compare' }>): string[] {
  return [expr.left, expr.right].flatMap((part) => {
    if (part.kind !== 'collate') return [];
    const name = part.collation.toUpperCase();
    if (name !== 'NOCASE' && name !== 'BINARY')
      throw unsupported('collate', `no tool has the collation ${name}`);
    return [name];
  });
}

/** LIKE and GLOB have a case of their own, whatever collation is named. */
function uncollated(expr: Expr): Expr {
  return expr.kind === 'collate' ? expr.expr : expr;
}

/** Whether BETWEEN and IN, which use the collation of their left side, compare by NOCASE. */
function isCaseless(expr: Expr): boolean {
  return expr.kind === 'collate' && expr.collation.toUpperCase() === 'NOCASE';
}

const same = (expr: Expr): Expr => expr;

/** NOCASE compares ASCII letters as if all were lower case. */
function lowerCased(expr: Expr): Expr {
  const inner = uncollated(expr);
  if (inner.kind !== 'literal' || inner.type !== 'text')
    return { kind: 'call', name: 'lower', args: [inner] };
  return { ...inner, value: inner.value.replace(/[A-Z]/g, (letter) => letter.toLowerCase()) };
}
