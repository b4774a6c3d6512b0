import {
  type Binary,
  type Call,
  type Cast,
  declaredAffinity,
  type Expr,
  type Unary,
} from '../../../../sql/index.ts';
import { unsupported } from '../sequence/unsupported.ts';
import { type JsonOperation, jsonArrow, jsonCall } from './json-operation.ts';

/** An expression as one operation of the tools on `input`; operands are still expressions. */
export interface OperationOf {
  readonly operation: string;
  readonly input: Expr;
  readonly operands: Readonly<Record<string, Expr>>;
  /** Arguments that are lists of expressions. */
  readonly lists?: Readonly<Record<string, readonly Expr[]>>;
  /** Arguments that are not expressions. */
  readonly options: Readonly<Record<string, unknown>>;
  /** For two-sided operations: the operation does not care which side is which. */
  readonly symmetric: boolean;
  /** Operands are numbers: a real may be given as text. */
  readonly numeric: boolean;
}

const integer = (value: bigint): Expr => ({
  kind: 'literal',
  pinned: false,
  span: null,
  type: 'integer',
  value,
});

const plain = (
  operation: string,
  input: Expr,
  operands: Record<string, Expr> = {},
  options = {},
): OperationOf => ({
  operation,
  input,
  operands,
  options,
  symmetric: false,
  numeric: false,
});

const ARITHMETIC: Readonly<Partial<Record<Binary['op'], string>>> = {
  '+': 'add',
  '-': 'subtract',
  '*': 'multiply',
  '/': 'divide',
  '%': 'modulo',
  '||': 'concatenate',
};

const BITWISE: Readonly<Partial<Record<Binary['op'], string>>> = {
  '&': 'and',
  '|': 'or',
  '<<': 'shift_left',
  '>>': 'shift_right',
};

/** The operation that computes an arithmetic, cast or function expression. Throws if no tool computes it. */
export function operationOf(expr: Unary | Binary | Cast | Call): OperationOf {
  switch (expr.kind) {
    case 'unary':
      return ofUnary(expr);
    case 'binary':
      return ofBinary(expr);
    case 'cast':
      return plain('cast', expr.expr, {}, { type: declaredAffinity(expr.type) });
    case 'call':
      return ofCall(expr);
  }
}

function ofUnary(expr: Unary): OperationOf {
  if (expr.op === '-') return { ...plain('subtract', integer(0n), { operand: expr.expr }), numeric: true };
  if (expr.op === '+') return plain('coalesce', expr.expr, { operand: expr.expr });
  // The complement of a whole number: -1 - x.
  const whole: Expr = { kind: 'cast', expr: expr.expr, type: 'INTEGER' };
  return plain('subtract', integer(-1n), { operand: whole });
}

function ofBinary(expr: Binary): OperationOf {
  if (expr.op === '->' || expr.op === '->>') return ofJson(jsonArrow(expr));
  const operator = BITWISE[expr.op];
  if (operator) {
    const bitwise = plain('bitwise', expr.left, { operand: expr.right }, { operator });
    return { ...bitwise, symmetric: operator === 'and' || operator === 'or' };
  }
  const operation = ARITHMETIC[expr.op];
  if (!operation) throw unsupported(`operator ${expr.op}`, `no tool does ${expr.op}`);
  const [left, right] = expr.op === '||' || expr.op === '%' ? [expr.left, expr.right] : withRealLiteral(expr);
  return {
    ...plain(operation, left, { operand: right }),
    symmetric: expr.op === '+' || expr.op === '*',
    numeric: expr.op !== '||',
  };
}

function ofJson({ input, path, part }: JsonOperation): OperationOf {
  return plain('json_extract', input, {}, { path, ...(part === 'value' ? {} : { part }) });
}

/** `CAST(x AS REAL) * 100` as `x * 100.0`: arithmetic with a real literal is in reals anyway. */
function withRealLiteral({ left, right }: Binary): [Expr, Expr] {
  if (isRealCast(left) && isWholeNumber(right)) return [left.expr, realOf(right)];
  if (isRealCast(right) && isWholeNumber(left)) return [realOf(left), right.expr];
  return [left, right];
}

function isRealCast(expr: Expr): expr is Cast {
  return expr.kind === 'cast' && declaredAffinity(expr.type) === 'real';
}

function isWholeNumber(expr: Expr): expr is Extract<Expr, { type: 'integer' }> {
  return expr.kind === 'literal' && expr.type === 'integer';
}

function realOf({ value }: Extract<Expr, { type: 'integer' }>): Expr {
  return {
    kind: 'literal',
    pinned: false,
    span: null,
    type: 'real',
    value: Number(value),
    text: `${value}.0`,
  };
}

/** Functions of one argument (or one and an optional second) that have an operation of their own. */
const FUNCTIONS: Readonly<Record<string, { operation: string; second?: string }>> = {
  abs: { operation: 'absolute_value' },
  upper: { operation: 'upper' },
  lower: { operation: 'lower' },
  length: { operation: 'length' },
  trim: { operation: 'trim', second: 'characters' },
  ltrim: { operation: 'trim_start', second: 'characters' },
  rtrim: { operation: 'trim_end', second: 'characters' },
  round: { operation: 'round', second: 'digits' },
  floor: { operation: 'floor' },
  ceil: { operation: 'ceiling' },
  ceiling: { operation: 'ceiling' },
  sqrt: { operation: 'square_root' },
  pow: { operation: 'power', second: 'operand' },
  power: { operation: 'power', second: 'operand' },
  instr: { operation: 'position', second: 'text' },
  ifnull: { operation: 'coalesce', second: 'operand' },
  nullif: { operation: 'null_if', second: 'operand' },
  hex: { operation: 'hexadecimal' },
  typeof: { operation: 'stored_type' },
};

const DATES: Readonly<Record<string, string>> = {
  date: '%Y-%m-%d',
  time: '%H:%M:%S',
  datetime: '%Y-%m-%d %H:%M:%S',
};

function ofCall(call: Call): OperationOf {
  const [first, second, third] = call.args;
  const known = FUNCTIONS[call.name];
  if (known && first && call.args.length <= (known.second ? 2 : 1)) {
    return plain(known.operation, first, known.second && second ? { [known.second]: second } : {});
  }
  if (first && (call.name === 'substr' || call.name === 'substring') && second)
    return substring(first, second, third);
  if (first && call.name in DATES) return date('datetime_part', first, call.args.slice(1), DATES[call.name]);
  if (first && call.name === 'julianday') return date('julian_day', first, call.args.slice(1));
  if (first && call.name === 'unixepoch') return date('unix_seconds', first, call.args.slice(1));
  if (second && call.name === 'strftime') return strftime(call.args as [Expr, Expr, ...Expr[]]);
  if (first && second && third && call.name === 'replace')
    return plain('replace', first, { from: second, to: third });
  if (first && second && call.args.length === 2 && (call.name === 'printf' || call.name === 'format')) {
    return plain('format', second, { pattern: first });
  }
  const json = jsonCall(call);
  if (json) return ofJson(json);
  const folded = first && second && foldedOver(call, first);
  if (folded) return folded;
  throw unsupported(`${call.name}()`, `no tool does ${call.name}() of ${call.args.length} arguments`);
}

/** Functions of any number of arguments, as the operation of the first ones and the last. */
function foldedOver(call: Call, first: Expr): OperationOf | null {
  const operations: Readonly<Record<string, string>> = {
    coalesce: 'coalesce',
    min: 'smaller',
    max: 'larger',
    concat: 'concatenate',
  };
  const operation = operations[call.name];
  if (!operation || call.name === 'concat') return null;
  const last = call.args.at(-1) as Expr;
  const rest = call.args.slice(0, -1);
  return plain(operation, rest.length === 1 ? first : { ...call, args: rest }, { operand: last });
}

function date(operation: string, input: Expr, modifiers: readonly Expr[], pattern?: string): OperationOf {
  return {
    ...plain(operation, input, {}, pattern ? { datetime_pattern: pattern } : {}),
    lists: modifiers.length > 0 ? { modifiers } : {},
  };
}

function strftime([pattern, input, ...modifiers]: readonly [Expr, Expr, ...Expr[]]): OperationOf {
  if (pattern.kind !== 'literal' || pattern.type !== 'text') {
    throw unsupported('strftime()', 'the pattern of strftime must be a text literal');
  }
  return date('datetime_part', input, modifiers, pattern.value);
}

/** SUBSTR counts from 1 and takes a length; the tool counts from 0 and takes an end, as in Python. */
function substring(input: Expr, start: Expr, length: Expr | undefined): OperationOf {
  if (start.kind === 'literal' && start.type === 'integer') {
    if (start.value === 0n) {
      return plain('substring_from', input, { position: start, ...(length ? { length } : {}) });
    }
    const first = start.value > 0n ? start.value - 1n : start.value;
    if (!length) return plain('substring', input, { start_index: integer(first) });
    if (length.kind === 'literal' && length.type === 'integer' && length.value >= 0n && first >= 0n) {
      return plain('substring', input, {
        start_index: integer(first),
        end_index: integer(first + length.value),
      });
    }
    return plain('substring', input, { start_index: integer(first), length });
  }
  // Position 0 means not found, so the text after a position starts at 1 at least.
  const follows = start.kind === 'binary' && start.op === '+' && isOne(start.right) && isPosition(start.left);
  if (follows) return plain('substring', input, { start_index: start.left, ...(length ? { length } : {}) });
  return plain('substring_from', input, { position: start, ...(length ? { length } : {}) });
}

function isPosition(expr: Expr): boolean {
  return expr.kind === 'call' && expr.name === 'instr';
}

function isOne(expr: Expr): boolean {
  return expr.kind === 'literal' && expr.type === 'integer' && expr.value === 1n;
}
