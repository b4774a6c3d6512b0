import {
  type Compare,
  type CompareOp,
  conjunction,
  disjunction,
  type Expr,
  integerLiteral,
  isAggregated,
  isCorrelated,
  type Like,
  type Literal,
  literalTruth,
  MIRRORED,
  node,
  type Query,
  sameExpr,
  textLiteral,
} from '../../sql/index.ts';
import {
  asOperand,
  constantColumn,
  type Evaluated,
  type Frame,
  isWholeReal,
  type LowerContext,
  realText,
  unsupported,
} from './slot-sequence.ts';
import { decorrelate, existsAsCount, keepExisting, keepIncluded, lowerAsList } from './slot-subqueries.ts';

/** Keeps the rows for which a condition is true. */
export function filterRows(condition: Expr, frame: Frame): void {
  keep(asTests(condition), frame);
}

function keep(expr: Expr, frame: Frame): void {
  switch (expr.kind) {
    case 'and':
      for (const item of expr.items) keep(item, frame);
      return;
    case 'or':
      keepAny(expr.items, frame);
      return;
    case 'exists':
      if (isCorrelated(expr.query) || isSelectOfRows(expr.query)) keepExisting(expr, frame);
      else keepTest(existsAsCount(expr), frame);
      return;
    case 'in_query':
      if (expr.expr.kind === 'row' || isCorrelated(expr.query)) keepIncluded(expr, frame);
      else keepTest(expr, frame);
      return;
    default:
      keepTest(expr, frame);
  }
}

function isSelectOfRows(query: Query): boolean {
  return query.kind === 'select' && !isAggregated(query);
}

function keepTest(expr: Expr, frame: Frame): void {
  const { subject, condition, value } = conditionOf(expr, frame, frame.context);
  const key = subject.kind === 'key' ? subject.key : constantColumn(subject.argument, frame);
  frame.call('filter_data', {
    key_name: key,
    ...(value === undefined ? {} : { value }),
    condition,
  });
}

/** OR: the same table filtered in two ways, combined row by row. */
function keepAny(items: readonly Expr[], frame: Frame): void {
  const branches = asLists(items.map(withoutOwnColumns));
  const [only] = branches;
  if (only && branches.length === 1) {
    keep(only, frame);
    return;
  }
  // Columns that tests need are added first, so that both branches have the same ones.
  for (const branch of branches) prepare(branch, frame);
  const start = frame.label;
  const labels = branches.map((branch) => {
    frame.label = start;
    keep(branch, frame);
    return frame.label;
  });
  frame.label = labels.reduce((first, second) =>
    frame.context.sequence.call('combine_rows', {
      data_source: `$${first}$`,
      other_data_source: `$${second}$`,
      combination: 'or',
    }),
  );
}

/** Replaces EXISTS in a branch by a comparison of a partner count, which is computed before the branches. */
function withoutOwnColumns(expr: Expr): Expr {
  if (expr.kind === 'and' || expr.kind === 'or') return { ...expr, items: expr.items.map(withoutOwnColumns) };
  if (expr.kind !== 'exists') return expr;
  const joins = isCorrelated(expr.query)
    ? decorrelate(expr.query, 'exists').conditions.length === 0
    : isSelectOfRows(expr.query);
  return joins ? expr : existsAsCount(expr);
}

function prepare(expr: Expr, frame: Frame): void {
  if (expr.kind === 'and' || expr.kind === 'or') for (const item of expr.items) prepare(item, frame);
  else if (expr.kind !== 'exists') {
    const { subject } = conditionOf(expr, frame, frame.context);
    if (subject.kind === 'argument') constantColumn(subject.argument, frame);
  }
}

/** `a = 1 OR a = 2` as `a IN (1, 2)`. */
function asLists(items: readonly Expr[]): Expr[] {
  const result: Expr[] = [];
  for (const item of items) {
    const choice = choiceOf(item);
    const at = choice
      ? result.findIndex((other) => sameExpr(choiceOf(other)?.expr ?? other, choice.expr) && choiceOf(other))
      : -1;
    const known = at < 0 ? null : choiceOf(result[at] as Expr);
    if (choice && known) result[at] = { ...known, items: [...known.items, ...choice.items] };
    else result.push(item);
  }
  return result;
}

function choiceOf(expr: Expr): Extract<Expr, { kind: 'in_list' }> | null {
  if (expr.kind === 'in_list') return expr.negated ? null : expr;
  if (expr.kind !== 'compare' || expr.op !== '=' || expr.right.kind !== 'literal') return null;
  return { kind: 'in_list', expr: expr.left, items: [expr.right], negated: false };
}

interface ConditionOf {
  readonly subject: Evaluated;
  readonly condition: string;
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

export function isTest(expr: Expr): boolean {
  return ['compare', 'is_null', 'between', 'like', 'in_list', 'in_query', 'exists'].includes(expr.kind);
}

/** Operands become columns of the frame. */
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
  const left = context.evaluate(expr.right === FALSE ? asNumber(expr.left, frame) : side(expr.left), frame);
  const right = context.evaluate(side(expr.right), frame);
  if (left.kind === 'argument' && right.kind === 'key') {
    const flipped = MIRRORED[expr.op];
    return {
      subject: right,
      condition: NAMES[flipped] as string,
      value: literalOf(expr.left, left, right, frame),
    };
  }
  return { subject: left, condition: name, value: literalOf(expr.right, right, left, frame) };
}

function comparedWith(expr: Expr, frame: Frame | null, context: LowerContext) {
  return asOperand(context.evaluate(expr, frame));
}

/** Text columns compare with `500.0` as text, others with the number. */
function literalOf(expr: Expr, value: Evaluated, subject: Evaluated, frame: Frame | null) {
  if (
    expr.kind === 'literal' &&
    expr.type === 'real' &&
    isWholeReal(expr) &&
    subject.kind === 'key' &&
    frame
  ) {
    const column = catalogColumn(subject.key, frame);
    if (column && /CHAR|CLOB|TEXT/i.test(column.declared_type)) return realText(expr);
  }
  return asOperand(value);
}

/** Text is true by its numeric prefix, but compares as greater than any number. */
function asNumber(expr: Expr, frame: Frame | null): Expr {
  const cast: Expr = { kind: 'cast', expr, type: 'NUMERIC' };
  return frame?.has(cast) || mayBeText(expr, frame) ? cast : expr;
}

function mayBeText(expr: Expr, frame: Frame | null): boolean {
  if (expr.kind === 'binary') return expr.op === '||';
  if (expr.kind === 'call') return TEXT_FUNCTIONS.has(expr.name);
  if (expr.kind === 'case') {
    const results = [...expr.whens.map(({ result }) => result), ...(expr.else ? [expr.else] : [])];
    return results.some((result) => mayBeText(result, frame));
  }
  if (expr.kind === 'literal') return expr.type === 'text';
  const key = frame && expr.kind === 'column' ? frame.find(expr) : undefined;
  return frame !== null && key !== undefined && catalogColumn(key, frame)?.type === 'string';
}

/** Functions that return text, or one of their arguments. */
const TEXT_FUNCTIONS = new Set(
  'lower upper substr substring trim ltrim rtrim replace printf format strftime date time datetime coalesce ifnull nullif iif concat concat_ws char quote'.split(
    ' ',
  ),
);

/** The database column that a column of the frame shows unchanged. */
function catalogColumn(key: string, frame: Frame) {
  const origin = frame.plan.columns.find((column) => column.key === key)?.origin;
  const table = frame.context.sequence.catalog.tables.find(({ name }) => name === origin?.table);
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

/** LIKE and GLOB ignore collations. */
function uncollated(expr: Expr): Expr {
  return expr.kind === 'collate' ? expr.expr : expr;
}

/** BETWEEN and IN use the collation of their left side. */
function isCaseless(expr: Expr): boolean {
  return expr.kind === 'collate' && expr.collation.toUpperCase() === 'NOCASE';
}

const same = (expr: Expr): Expr => expr;

/** NOCASE folds ASCII letters only. */
function lowerCased(expr: Expr): Expr {
  const inner = uncollated(expr);
  if (inner.kind !== 'literal' || inner.type !== 'text')
    return { kind: 'call', name: 'lower', args: [inner] };
  return { ...inner, value: inner.value.replace(/[A-Z]/g, (letter) => letter.toLowerCase()) };
}

interface BitCondition {
  /** The bits of this expression are tested. */
  readonly tested: Expr;
  readonly mask: Literal & { readonly type: 'integer' };
  readonly condition: 'has_bits' | 'lacks_bits';
}

/** `x & 6 = 6` (all bits) and `x & 6 = 0` (no bits) as one condition; null for other comparisons. */
function bitCondition({ op, left, right }: Compare): BitCondition | null {
  const mirrored = right.kind === 'binary' && right.op === '&';
  const [masked, wanted] = mirrored ? [right, left] : [left, right];
  if (masked.kind !== 'binary' || masked.op !== '&' || !isIntegerLiteral(wanted)) return null;
  const [tested, mask] = isIntegerLiteral(masked.right)
    ? [masked.left, masked.right]
    : [masked.right, masked.left];
  if (!isIntegerLiteral(mask) || isIntegerLiteral(tested) || mask.value <= 0n) return null;
  const condition = bitTest(mirrored ? MIRRORED[op] : op, wanted.value, mask.value);
  return condition && { tested, mask, condition };
}

function bitTest(op: CompareOp, wanted: bigint, mask: bigint): BitCondition['condition'] | null {
  if (op === '=') return wanted === mask ? 'has_bits' : wanted === 0n ? 'lacks_bits' : null;
  // With several bits, any of them set is neither.
  if ((mask & (mask - 1n)) !== 0n) return null;
  if (op === '!=') return wanted === 0n ? 'has_bits' : wanted === mask ? 'lacks_bits' : null;
  if ((op === '>' && wanted === 0n) || (op === '>=' && wanted === mask)) return 'has_bits';
  return (op === '<' && wanted === mask) || (op === '<=' && wanted === 0n) ? 'lacks_bits' : null;
}

export function isIntegerLiteral(expr: Expr): expr is Literal & { readonly type: 'integer' } {
  return expr.kind === 'literal' && expr.type === 'integer';
}

/** `x LIKE p ESCAPE c` as plain LIKE or as `lower(x) GLOB q`; null when the pattern is not a literal. */
function withoutEscape(like: Like): Like | null {
  const { expr, pattern, escape: mark } = like;
  if (mark?.kind !== 'literal' || mark.type !== 'text') return null;
  if (pattern.kind !== 'literal' || pattern.type !== 'text') return null;
  const parts = partsOf(pattern.value, mark.value);
  if (!parts.some(({ text, wild }) => !wild && (text === '%' || text === '_'))) {
    return { ...like, pattern: textLiteral(parts.map(({ text }) => text).join('')), escape: null };
  }
  const glob = parts.map(({ text, wild }) => (wild ? WILD[text] : literally(text))).join('');
  const lower: Expr = { kind: 'call', name: 'lower', args: [expr] };
  return { ...like, op: 'glob', expr: lower, pattern: textLiteral(glob), escape: null };
}

const WILD: Readonly<Record<string, string>> = { '%': '*', _: '?' };

/** The characters of a pattern, and whether each is a wildcard. */
function partsOf(pattern: string, mark: string): { text: string; wild: boolean }[] {
  const parts: { text: string; wild: boolean }[] = [];
  const characters = [...pattern];
  for (let at = 0; at < characters.length; at++) {
    const escaped = characters[at] === mark;
    const text = characters[escaped ? ++at : at] ?? '';
    parts.push({ text, wild: !escaped && text in WILD });
  }
  return parts;
}

/** A character in a GLOB pattern for lower-case text. */
function literally(character: string): string {
  if ('*?['.includes(character)) return `[${character}]`;
  return character.replace(/[A-Z]/, (letter) => letter.toLowerCase());
}

const OPPOSITE: Readonly<Record<CompareOp, CompareOp>> = {
  '=': '!=',
  '!=': '=',
  '<': '>=',
  '<=': '>',
  '>': '<=',
  '>=': '<',
  is: 'is_not',
  is_not: 'is',
};

/** The right side of a truth test; recognised by identity. */
const FALSE: Expr = integerLiteral(0n);

/** An equivalent filter condition of AND, OR and tests only; a filter treats false and NULL alike. */
export function asTests(expr: Expr): Expr {
  switch (expr.kind) {
    case 'and':
    case 'or':
      return withoutConstants(expr.kind, expr.items);
    case 'not':
      return asTests(opposite(expr.expr));
    // Truth does not depend on the collation.
    case 'collate':
      return asTests(expr.expr);
    case 'compare':
      if (expr.op === 'is' || expr.op === 'is_not') return identityTests(expr.left, expr.right, expr.op);
      return rowTests(expr);
    case 'in_list':
      return expr.expr.kind === 'row' ? asTests(oneOfRows(expr)) : expr;
    case 'between':
    case 'like':
    case 'in_query':
    case 'exists':
    case 'is_null':
      return expr;
    default:
      return node({ kind: 'compare', op: '!=', left: numberOf(expr), right: FALSE });
  }
}

/** `a OR 0` and `a AND 1` are a; `a OR 1` is 1. */
function withoutConstants(kind: 'and' | 'or', items: readonly Expr[]): Expr {
  const deciding = items.find((item) => truthOf(item) === (kind === 'or'));
  if (deciding) return asTests(deciding);
  const open = items.filter((item) => truthOf(item) === undefined);
  const [only = items[0] as Expr, ...others] = open;
  if (others.length === 0) return asTests(only);
  return kind === 'and' ? conjunction(open.map(asTests)) : disjunction(open.map(asTests));
}

/** undefined for anything but a literal. */
function truthOf(expr: Expr): boolean | undefined {
  return expr.kind === 'literal' ? (literalTruth(expr) ?? undefined) : undefined;
}

/** The truth value of a text literal. */
function numberOf(expr: Expr): Expr {
  if (expr.kind !== 'literal' || expr.type !== 'text') return expr;
  return integerLiteral(literalTruth(expr) ? 1n : 0n);
}

/** The negation, exact in three-valued logic. */
export function opposite(expr: Expr): Expr {
  switch (expr.kind) {
    case 'and':
      return disjunction(expr.items.map(opposite));
    case 'or':
      return conjunction(expr.items.map(opposite));
    case 'not':
      return expr.expr;
    case 'collate':
      return opposite(expr.expr);
    case 'compare':
      return node({ ...expr, op: OPPOSITE[expr.op] });
    case 'between':
    case 'like':
    case 'in_list':
    case 'in_query':
    case 'exists':
    case 'is_null':
      return node({ ...expr, negated: !expr.negated });
    default:
      return node({ kind: 'compare', op: '=', left: numberOf(expr), right: FALSE });
  }
}

/** `(a, b) = (1, 2)` as `a = 1 AND b = 2`; `(a, b) > (1, 2)` as `a > 1 OR (a = 1 AND b > 2)`. */
function rowTests(expr: Compare): Expr {
  const { op, left, right } = expr;
  if (left.kind !== 'row' || right.kind !== 'row') return expr;
  const pairs = left.items.map((item, i) => ({ left: item, right: right.items[i] as Expr }));
  const all = (as: CompareOp, some = pairs) =>
    some.map((pair): Expr => node({ kind: 'compare', op: as, ...pair }));
  if (op === '=') return conjunction(all(op));
  if (op === '!=') return disjunction(all(op));
  const strict = op.startsWith('<') ? '<' : '>';
  return disjunction(
    pairs.map((pair, i) =>
      conjunction([...all('=', pairs.slice(0, i)), ...all(i === pairs.length - 1 ? op : strict, [pair])]),
    ),
  );
}

/** `(a, b) IN ((1, 2), (3, 4))` as comparisons with each row. */
function oneOfRows({ expr, items, negated }: Extract<Expr, { kind: 'in_list' }>): Expr {
  const op = negated ? '!=' : '=';
  const rows = items.map((right): Expr => node({ kind: 'compare', op, left: expr, right }));
  return negated ? conjunction(rows) : disjunction(rows);
}

/** IS and IS NOT by `=` and IS NULL. */
function identityTests(left: Expr, right: Expr, op: 'is' | 'is_not'): Expr {
  const isNull = (expr: Expr, negated: boolean): Expr => node({ kind: 'is_null', expr, negated });
  const isLiteral = right.kind === 'literal';
  if (isLiteral && right.type === 'null') return isNull(left, op === 'is_not');
  if (op === 'is') {
    const equal: Expr = node({ kind: 'compare', op: '=', left, right });
    if (isLiteral) return equal;
    return disjunction([equal, conjunction([isNull(left, false), isNull(right, false)])]);
  }
  const different: Expr = node({ kind: 'compare', op: '!=', left, right });
  if (isLiteral) return disjunction([different, isNull(left, false)]);
  return disjunction([
    different,
    conjunction([isNull(left, false), isNull(right, true)]),
    conjunction([isNull(left, true), isNull(right, false)]),
  ]);
}
