import {
  type Binary,
  type Call,
  type Case,
  type Cast,
  conjunction,
  declaredAffinity,
  disjunction,
  type Expr,
  integerLiteral,
  isCorrelated,
  NULL_LITERAL,
  realLiteral,
  type Unary,
  type Window,
} from '../../sql/index.ts';
import { isCalendarDay } from '../variants/mentions.ts';
import { asTests, conditionOf, isIntegerLiteral, isTest, opposite } from './slot-conditions.ts';
import { wholeTableAggregate, withoutFilter } from './slot-rows.ts';
import {
  type Argument,
  asOperand,
  compute,
  constantColumn,
  type Evaluated,
  evaluateAsColumn,
  evaluateExactly,
  exactArgument,
  type Frame,
  foldSign,
  isWholeReal,
  type LowerContext,
  literalArgument,
  newKey,
  realText,
  transform,
  unsupported,
} from './slot-sequence.ts';
import { existsAsCount, joinScalarQuery, lowerAsValue } from './slot-subqueries.ts';

/** A column of the frame, or an argument where the value is the same in every row or there is no frame. */
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
      return { kind: 'key', key: joinScalarQuery(expr, frame) };
    case 'aggregate':
      if (!frame || frame.mode === 'grouped')
        throw unsupported('aggregate', 'an aggregate where there is no group');
      return argument(`$${wholeTableAggregate(expr, frame)}$`);
    case 'window':
      if (!frame) throw unsupported('window function', 'a window function where there are no rows');
      return { kind: 'key', key: lowerWindow(expr, frame) };
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

/** One operation of the tools on `input`; operands are still expressions. */
interface Operation {
  readonly operation: string;
  readonly input: Expr;
  readonly operands: Readonly<Record<string, Expr>>;
  readonly lists?: Readonly<Record<string, readonly Expr[]>>;
  readonly options: Readonly<Record<string, unknown>>;
  readonly symmetric: boolean;
  /** Operands are numbers: a real may be sent as text. */
  readonly numeric: boolean;
}

const plain = (
  operation: string,
  input: Expr,
  operands: Record<string, Expr> = {},
  options = {},
): Operation => ({
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

/** Throws if no tool computes the expression. */
function operationOf(expr: Unary | Binary | Cast | Call): Operation {
  switch (expr.kind) {
    case 'unary':
      return unaryOperation(expr);
    case 'binary':
      return binaryOperation(expr);
    case 'cast':
      return plain('cast', expr.expr, {}, { type: declaredAffinity(expr.type) });
    case 'call':
      return callOperation(expr);
  }
}

function unaryOperation(expr: Unary): Operation {
  if (expr.op === '-')
    return { ...plain('subtract', integerLiteral(0n), { operand: expr.expr }), numeric: true };
  if (expr.op === '+') return plain('coalesce', expr.expr, { operand: expr.expr });
  // The complement of a whole number is -1 - x.
  const whole: Expr = { kind: 'cast', expr: expr.expr, type: 'INTEGER' };
  return plain('subtract', integerLiteral(-1n), { operand: whole });
}

function binaryOperation(expr: Binary): Operation {
  if (expr.op === '->' || expr.op === '->>') return jsonOperation(jsonArrow(expr));
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

function jsonOperation({ input, path, part }: JsonOperation): Operation {
  return plain('json_extract', input, {}, { path, ...(part === 'value' ? {} : { part }) });
}

/** `CAST(x AS REAL) * 100` as `x * 100.0`, which is real arithmetic as well. */
function withRealLiteral({ left, right }: Binary): [Expr, Expr] {
  if (isRealCast(left) && isIntegerLiteral(right)) return [left.expr, realOf(right)];
  if (isRealCast(right) && isIntegerLiteral(left)) return [realOf(left), right.expr];
  return [left, right];
}

function isRealCast(expr: Expr): expr is Cast {
  return expr.kind === 'cast' && declaredAffinity(expr.type) === 'real';
}

function realOf({ value }: Extract<Expr, { type: 'integer' }>): Expr {
  return realLiteral(`${value}.0`);
}

/** Functions with an operation of their own; `second` is their optional argument. */
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

function callOperation(call: Call): Operation {
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
  if (json) return jsonOperation(json);
  const folded = first && second && foldedOver(call, first);
  if (folded) return folded;
  throw unsupported(`${call.name}()`, `no tool does ${call.name}() of ${call.args.length} arguments`);
}

const FOLDS: Readonly<Record<string, string>> = { coalesce: 'coalesce', min: 'smaller', max: 'larger' };

/** A variadic function as a fold from the left. */
function foldedOver(call: Call, first: Expr): Operation | null {
  const operation = FOLDS[call.name];
  if (!operation) return null;
  const last = call.args.at(-1) as Expr;
  const rest = call.args.slice(0, -1);
  return plain(operation, rest.length === 1 ? first : { ...call, args: rest }, { operand: last });
}

function date(operation: string, input: Expr, modifiers: readonly Expr[], pattern?: string): Operation {
  return {
    ...plain(operation, input, {}, pattern ? { datetime_pattern: pattern } : {}),
    lists: modifiers.length > 0 ? { modifiers } : {},
  };
}

function strftime([pattern, input, ...modifiers]: readonly [Expr, Expr, ...Expr[]]): Operation {
  if (pattern.kind !== 'literal' || pattern.type !== 'text') {
    throw unsupported('strftime()', 'the pattern of strftime must be a text literal');
  }
  return date('datetime_part', input, modifiers, pattern.value);
}

/** SUBSTR counts from 1 and takes a length; the tool takes Python's start and end. */
function substring(input: Expr, start: Expr, length: Expr | undefined): Operation {
  if (start.kind === 'literal' && start.type === 'integer') {
    if (start.value === 0n) {
      return plain('substring_from', input, { position: start, ...(length ? { length } : {}) });
    }
    const first = start.value > 0n ? start.value - 1n : start.value;
    if (!length) return plain('substring', input, { start_index: integerLiteral(first) });
    if (length.kind === 'literal' && length.type === 'integer' && length.value >= 0n && first >= 0n) {
      return plain('substring', input, {
        start_index: integerLiteral(first),
        end_index: integerLiteral(first + length.value),
      });
    }
    return plain('substring', input, { start_index: integerLiteral(first), length });
  }
  // Position 0 means not found, so the text after a position starts at 1 or later.
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

type Outcome = () => unknown;

/** CASE as nested `choose` steps, the last WHEN first. */
function lowerCase(expr: Case, frame: Frame | null, context: LowerContext): Evaluated {
  const [first, ...rest] = expr.whens;
  if (!first) return context.evaluate(expr.else ?? NULL_LITERAL, frame);
  // Written once in the query, but tested by every choice.
  if (expr.operand && rest.length > 0) frame?.countAllUses(expr.operand);
  const otherwise: Expr = rest.length === 0 ? (expr.else ?? NULL_LITERAL) : { ...expr, whens: rest };
  const condition: Expr =
    expr.operand === null ? first.when : { kind: 'compare', op: '=', left: expr.operand, right: first.when };
  const yes = () => evaluateExactly(first.result, frame, context);
  const no = () => evaluateExactly(otherwise, frame, context);
  return choose(expr, asTests(condition), yes, no, frame, context);
}

function choose(
  expr: Expr | null,
  condition: Expr,
  yes: Outcome,
  no: Outcome,
  frame: Frame | null,
  context: LowerContext,
): Evaluated {
  if (condition.kind === 'and' || condition.kind === 'or') {
    const [first, ...rest] = condition.items as readonly [Expr, ...Expr[]];
    const others: Expr = rest.length === 1 ? (rest[0] as Expr) : { ...condition, items: rest };
    const inner = once(() => asOperand(choose(null, others, yes, no, frame, context)));
    return condition.kind === 'and'
      ? choose(expr, first, inner, no, frame, context)
      : choose(expr, first, yes, inner, frame, context);
  }
  const [if_true, if_false] = [yes(), no()];
  const { subject, condition: name, value } = conditionOf(condition, frame, context);
  const args = { condition: name, ...(value === undefined ? {} : { value }), if_true, if_false };
  return compute(expr, subject, 'choose', args, frame, context);
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** A text, a path into it, and which part of the value there. */
interface JsonOperation {
  readonly input: Expr;
  readonly path: string;
  readonly part: string;
}

const JSON_PARTS: Readonly<Record<string, string>> = {
  json_extract: 'value',
  json_type: 'type',
  json_array_length: 'length',
  json_valid: 'valid',
};

/** null for other functions. Throws when the path is computed or there are several. */
function jsonCall({ name, args }: Call): JsonOperation | null {
  const part = JSON_PARTS[name];
  const [input, path, more] = args;
  if (!part || !input) return null;
  if (more || (!path && part === 'value'))
    throw unsupported(`${name}()`, `${name} of ${args.length} arguments`);
  // The second argument of json_valid is a set of flags.
  if (path && part === 'valid') throw unsupported(`${name}()`, 'json_valid with flags');
  return { input, path: path ? pathIn(path, name) : '$', part };
}

/** `x -> path` and `x ->> path`. Throws when the path is computed. */
function jsonArrow({ op, left, right }: Binary): JsonOperation {
  return { input: left, path: arrowPath(right, op), part: op === '->' ? 'json' : 'value' };
}

function pathIn(expr: Expr, clause: string): string {
  if (expr.kind === 'literal' && expr.type === 'text' && expr.value.startsWith('$')) return expr.value;
  throw unsupported(clause, 'a path into JSON that is no text literal beginning with $');
}

/** An arrow also takes a field name or an index. */
function arrowPath(expr: Expr, op: string): string {
  if (expr.kind === 'unary' && expr.op === '-' && isIntegerLiteral(expr.expr))
    return `$[#-${expr.expr.value}]`;
  if (isIntegerLiteral(expr)) return `$[${expr.value}]`;
  const name = expr.kind === 'literal' && expr.type === 'text' ? expr.value : '$';
  if (name.startsWith('$')) return pathIn(expr, op);
  if (/^[\p{L}_][\p{L}\p{N}_]*$/u.test(name)) return `$.${name}`;
  if (/^[^"\\[\]]+$/.test(name)) return `$."${name}"`;
  throw unsupported(op, `the name of a field is ${name}`);
}

const DATE = /^(\d{4})-(\d{2})-(\d{2})(?:[ T](\d{2}):(\d{2}):(\d{2}))?$/;
const DATE_PARTS: Readonly<Record<string, number>> = { Y: 1, m: 2, d: 3, H: 4, M: 5, S: 6 };

/** A part of a literal date (such as the year of the pinned time), or null. */
function knownDate({ operation, input, options, lists }: Operation): string | null {
  if (operation !== 'datetime_part' || lists?.modifiers !== undefined) return null;
  if (input.kind !== 'literal' || input.type !== 'text') return null;
  const found = DATE.exec(input.value);
  const pattern = String(options.datetime_pattern);
  if (!found || /%[^YmdHMS]/.test(pattern) || !isCalendarDay(found)) return null;
  return pattern.replace(/%([YmdHMS])/g, (_, part: string) => found[DATE_PARTS[part] as number] ?? '00');
}

/** The value of a condition: 1, 0 or NULL. */
function lowerTruthValue(expr: Expr, frame: Frame | null, context: LowerContext): Evaluated {
  if (expr.kind === 'not') return asComparison(opposite(expr.expr));
  if (expr.kind === 'and' || expr.kind === 'or') {
    const [first, ...rest] = expr.items as readonly [Expr, ...Expr[]];
    let value = context.evaluate(first, frame);
    rest.forEach((item, i) => {
      const operand = asOperand(context.evaluate(item, frame));
      value = compute(i === rest.length - 1 ? expr : null, value, expr.kind, { operand }, frame, context);
    });
    return value;
  }
  if (expr.kind === 'compare' && (expr.op === 'is' || expr.op === 'is_not')) {
    const tests = asTests(expr);
    if (tests.kind === 'is_null') return asComparison(tests);
    // Written once in the query, but used twice.
    for (const side of [expr.left, expr.right]) frame?.countAllUses(side);
    return context.evaluate(identity(expr), frame);
  }
  if (expr.kind === 'in_list' && expr.expr.kind === 'row') {
    for (const _ of expr.items) frame?.countAllUses(expr.expr);
    return lowerTruthValue(asTests(expr), frame, context);
  }
  if (!isTest(expr)) throw unsupported(expr.kind, `${expr.kind} as a value`);
  return asComparison(expr);

  function asComparison(test: Expr): Evaluated {
    if (test.kind === 'and' || test.kind === 'or') return lowerTruthValue(test, frame, context);
    const { subject, condition, value } = conditionOf(test, frame, context);
    const args = { condition, ...(value === undefined ? {} : { value }) };
    return compute(expr, subject, 'compare', args, frame, context);
  }
}

/** IS between values as an `=` that is never NULL. */
function identity({ op, left, right }: Extract<Expr, { kind: 'compare' }>): Expr {
  const negated = op === 'is_not';
  const equal: Expr = { kind: 'compare', op: negated ? '!=' : '=', left, right };
  const ends = [left, right].map((expr): Expr => ({ kind: 'is_null', expr, negated }));
  const bothNull: Expr = negated ? disjunction(ends) : conjunction(ends);
  const otherwise = right.kind === 'literal' ? integerLiteral(negated ? 1n : 0n) : bothNull;
  return { kind: 'call', name: 'coalesce', args: [equal, otherwise] };
}

const RANKS: Readonly<Record<string, string>> = {
  rank: 'rank',
  dense_rank: 'dense_rank',
  percent_rank: 'percent_rank',
  cume_dist: 'cumulative_share',
  row_number: 'row_number',
  ntile: 'bucket',
};

const OFFSETS: Readonly<Record<string, string>> = { lag: 'previous', lead: 'next' };
const EDGES: ReadonlySet<string> = new Set(['first_value', 'last_value']);

const AGGREGATES: Readonly<Record<string, string>> = {
  sum: 'running_sum',
  avg: 'running_mean',
  count: 'running_count',
  min: 'running_min',
  max: 'running_max',
};

function lowerWindow(expr: Window, frame: Frame): string {
  if (expr.filter) {
    if (!(expr.name in AGGREGATES)) throw unsupported('filter', `FILTER of ${expr.name}`);
    return evaluateAsColumn(withoutFilter(expr), frame);
  }
  const partition = expr.partitionBy.map((part) => evaluateAsColumn(part, frame));
  const order = expr.orderBy.map(({ expr: by, direction, nulls }) => {
    if (nulls !== null) throw unsupported('nulls first', 'NULLS FIRST or LAST in a window');
    return { key_name: evaluateAsColumn(by, frame), ascending: direction === 'asc' };
  });
  const { operation, key, args } = windowCall(expr, order, frame);
  const target = newKey(operation, key, frame);
  const partition_by = partition.length > 0 ? { partition_by: partition } : {};
  const made = transform(frame, key, operation, { ...args, ...partition_by }, target);
  frame.hold(expr, made);
  return made;
}

type Order = readonly { key_name: string; ascending: boolean }[];

function windowCall(expr: Window, order: Order, frame: Frame) {
  const [value, second, third] = expr.args;
  const order_by = order.length > 0 ? { order_by: order } : {};
  const rank = RANKS[expr.name];
  if (rank) {
    const [first, ...rest] = order.length > 0 ? order : [unordered(frame)];
    if (!first) throw unsupported('window without ORDER BY', `${expr.name} without an order`);
    const more = rest.length > 0 ? { order_by: rest } : {};
    const buckets =
      rank === 'bucket' && value ? { buckets: evaluateExactly(value, frame, frame.context) } : {};
    return {
      operation: rank,
      key: first.key_name,
      args: { ...buckets, ascending: first.ascending, ...more },
    };
  }
  const column = (part: Expr | undefined) =>
    part ? evaluateAsColumn(part, frame) : constantColumn(1, frame);
  const aggregate = AGGREGATES[expr.name];
  if (aggregate) {
    const key = column(value);
    if (!expr.frame) return { operation: aggregate, key, args: order_by };
    const { whole, ...bounds } = frameBounds(expr);
    return { operation: aggregate, key, args: whole ? {} : { ...order_by, ...bounds } };
  }
  const offset = OFFSETS[expr.name];
  if (offset) {
    const rows = second ? { rows: wholeNumber(second) } : {};
    const otherwise = third ? { default: evaluateExactly(third, frame, frame.context) } : {};
    return { operation: offset, key: column(value), args: { ...rows, ...otherwise, ...order_by } };
  }
  const whole = expr.frame ? frameBounds(expr).whole : expr.name === 'first_value' || order.length === 0;
  if (whole && EDGES.has(expr.name)) return { operation: expr.name, key: column(value), args: order_by };
  throw unsupported(`${expr.name}() over`, `no operation does this window function`);
}

/** A constant to sort by, so that rows keep their order. */
function unordered(frame: Frame): Order[number] {
  return { key_name: constantColumn(1, frame), ascending: true };
}

function frameBounds(expr: Window): { whole: boolean; rows_before?: number; rows_after?: number } {
  const { mode, start, end, exclude } = expr.frame as NonNullable<Window['frame']>;
  const refuse = () => unsupported('window frame', 'a frame that is not of rows, or without the current row');
  if (exclude !== null) throw refuse();
  if (start.at === 'unbounded_preceding' && end.at === 'unbounded_following') return { whole: true };
  // The default frame, spelled out.
  if (mode === 'range' && start.at === 'unbounded_preceding' && end.at === 'current_row')
    return { whole: false };
  if (mode !== 'rows') throw refuse();
  const before =
    start.at === 'preceding'
      ? { rows_before: wholeNumber(start.offset) }
      : start.at === 'current_row'
        ? { rows_before: 0 }
        : {};
  if (start.at !== 'unbounded_preceding' && start.at !== 'preceding' && start.at !== 'current_row')
    throw refuse();
  if (end.at === 'current_row') return { whole: false, ...before, rows_after: 0 };
  if (end.at === 'following') return { whole: false, ...before, rows_after: wholeNumber(end.offset) };
  throw refuse();
}

function wholeNumber(expr: Expr): number {
  if (expr.kind === 'literal' && expr.type === 'integer') return Number(expr.value);
  throw unsupported('window frame', 'a bound that is not a number');
}
