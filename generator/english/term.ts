import {
  type Call,
  type Case,
  type Column,
  columnsOf,
  type Expr,
  type Frame,
  type FrameBound,
  isCondition,
  type Literal,
  leftmost,
  type Window,
} from '../../sql/index.ts';
import { typeOf } from '../template/template.ts';
import {
  aggregateTerm,
  allOf,
  arithmeticTerm,
  countOf,
  joinedText,
  knownOf,
  rowsOf,
  summaryOf,
  withoutFraction,
} from './arithmetic.ts';
import type { Constant, OneOf, Piece, Property, Term, WindowTerm } from './clause.ts';
import { dateTerm } from './dates.ts';
import { bare, barely, isPiece, isRecursive, numberLiteral } from './patterns.ts';
import type { Scope } from './query-context.ts';

/** The term of an expression. */
export function termOf(given: Expr, scope: Scope): Term {
  const term = plainTerm(given, scope);
  return (dropsFraction(given, scope) ? withoutFraction(term) : null) ?? term;
}

/** Whether an expression is `CAST(x AS INTEGER)` of a number that may have a fraction. */
function dropsFraction(expr: Expr, { context: { origins } }: Scope): boolean {
  return expr.kind === 'cast' && /INT/.test(expr.type) && typeOf(expr.expr, origins) === 'number';
}

function plainTerm(given: Expr, scope: Scope): Term {
  const expr = barely(given);
  if (isCondition(expr)) return { kind: 'check', condition: scope.condition(expr) };
  switch (expr.kind) {
    case 'column':
      return columnTerm(expr, scope);
    case 'aggregate':
      return aggregateTerm(expr, scope);
    case 'window':
      return windowTerm(expr, scope);
    case 'binary':
      return arithmeticTerm(expr, scope);
    case 'call':
      return callTerm(expr, scope);
    case 'case':
      return caseTerm(expr, scope);
    case 'literal':
      return literalTerm(expr, scope);
    case 'scalar_query':
      return { kind: 'query', query: scope.clauses(expr.query) };
    case 'unary': {
      const of = scope.term(expr.expr);
      if (expr.op === '-') return { kind: 'derived', word: 'negative', place: 'before', of, more: [] };
      return expr.op === '~'
        ? { kind: 'derived', word: 'bitwise complement', place: 'of', of, more: [] }
        : of;
    }
    case 'row':
      return { kind: 'tuple', items: expr.items.map((item) => scope.term(item)) };
    case 'output':
    case 'cast':
    case 'collate':
      return VALUE;
  }
}

const VALUE: Constant = { kind: 'constant', text: 'value', type: 'null' };

function literalTerm(literal: Literal, { context: { choiceOf, lexicon } }: Scope): Term {
  const choice = choiceOf.get(literal);
  if (choice !== undefined) return { kind: 'given', choice, shifts: [] };
  if (literal.pinned) return { kind: 'constant', text: String(literal.value), type: 'time' };
  if (literal.type === 'null') return { kind: 'constant', text: 'nothing', type: 'null' };
  if (literal.type === 'blob') return { kind: 'constant', text: null, type: 'text' };
  if (literal.type === 'text') {
    const mayShow = literal.value === '' || lexicon.mayShow(literal.value);
    const isDay = !mayShow && /^\d{4}-\d{2}-\d{2}/.test(literal.value);
    return { kind: 'constant', text: mayShow ? literal.value : null, type: isDay ? 'time' : 'text' };
  }
  const written = literal.type === 'real' ? literal.text.replace(/\.0*$/, '') : String(literal.value);
  return { kind: 'constant', text: written, type: 'number' };
}

/** A column; if a subquery reads the same table as the outer row, the outer column is "the film's own score". */
function ownProperty(column: Column, { context, query }: Scope): Property {
  const property = context.property(column);
  const from = query.kind === 'select' ? query.from.map(({ source }) => source.id) : [];
  const table = context.origins.tableOf(column.source);
  const outer =
    table !== null &&
    !from.includes(column.source) &&
    from.some((id) => context.origins.tableOf(id) === table);
  if (!outer || property.owner === null) return property;
  const { own, owner } = property;
  const full = { words: ['own', ...own.words], text: `${owner.one.join(' ')}'s own ${own.text}` };
  return {
    ...property,
    full,
    owner: { one: ['own', ...owner.one], many: owner.many },
    clear: false,
    inRole: true,
  };
}

function columnTerm(column: Column, scope: Scope): Term {
  const { origins } = scope.context;
  const origin = origins.of(column);
  if (origin.kind !== 'computed') return ownProperty(column, scope);
  const inner = origins.queryAt(column.source);
  const first = inner === null ? null : leftmost(inner);
  // A computed column of a recursive query refers to itself, so its first value does not describe it.
  const itself =
    (inner !== null && isRecursive(inner, origins)) ||
    columnsOf(origin.expr).some(({ source: id }) => id === column.source);
  if (first === null || itself) return scope.context.property(column);
  // Through one query at a time: what is counted there are its own rows.
  const at = origins.outputNames(column.source)?.indexOf(column.name) ?? -1;
  const value = first.kind === 'select' ? first.columns[at]?.expr : undefined;
  return scope.within(first).term(value ?? origin.expr);
}

/** The term of a window function: rank by score, previous price, running total of sales by date within each region. */
function windowTerm(expr: Window, scope: Scope): WindowTerm {
  const rank = RANKS[expr.name] ?? null;
  const place = PLACES[expr.name] ?? null;
  const { reach, frame } = reachOf(expr);
  return {
    kind: 'window',
    rank,
    place,
    of: rank === null ? carriedValue(expr, scope) : null,
    reach,
    frame,
    within: expr.partitionBy.map((one) => scope.term(one)),
    order: expr.orderBy.map((term) => ({ of: scope.term(term.expr), direction: term.direction })),
  };
}

const RANKS: Readonly<Record<string, string>> = {
  rank: 'rank',
  dense_rank: 'rank without gaps',
  row_number: 'row number',
  percent_rank: 'percent rank',
  cume_dist: 'cumulative share',
  ntile: 'group number',
};

/** Functions that take the value of one row by its place. */
const PLACES: Readonly<Record<string, string>> = {
  lag: 'previous',
  lead: 'next',
  first_value: 'first',
  last_value: 'last',
  nth_value: 'nth',
};

function carriedValue({ name, args, star, filter }: Window, scope: Scope): Term {
  const [arg] = args;
  const where = filter === null ? null : scope.condition(filter);
  if (star || arg === undefined) return countOf(rowsOf(scope), { where });
  if (PLACES[name] !== undefined) return scope.term(arg);
  if (name === 'count') return countOf(rowsOf(scope), { known: knownOf(arg, scope), where });
  return { ...summaryOf(name, scope.term(arg)), where: where === null ? null : allOf([where]) };
}

/** The rows that a window aggregate covers: with an order it is running, with a frame moving. */
function reachOf({ name, orderBy, frame }: Window): Pick<WindowTerm, 'reach' | 'frame'> {
  if (PLACES[name] !== undefined) return { reach: 'all', frame: null };
  if (frame === null) return { reach: orderBy.length > 0 ? 'running' : 'all', frame: null };
  const { start, end } = frame;
  if (start.at === 'unbounded_preceding' && end.at === 'unbounded_following') {
    return { reach: 'all', frame: null };
  }
  if (start.at === 'unbounded_preceding' && end.at === 'current_row')
    return { reach: 'running', frame: null };
  return { reach: 'moving', frame: frameText(frame) };
}

function frameText({ mode, start, end }: Frame): string {
  const unit = mode === 'rows' ? 'rows' : mode === 'groups' ? 'groups of rows' : 'values';
  const bound = (at: FrameBound, side: string) => {
    if (at.at === 'current_row') return 'this one';
    if (!('offset' in at)) return side;
    const count = at.offset.kind === 'literal' ? String(at.offset.value) : 'a computed number';
    return `${count} ${at.at === 'preceding' ? 'before' : 'after'}`;
  };
  return `${unit} from ${bound(start, 'the first')} to ${bound(end, 'the last')}`;
}

/** The term of a function: open year, length of title, absolute difference. Functions that only change a value's form are ignored. */
function callTerm(expr: Call, scope: Scope): Term {
  const date = dateTerm(expr, scope);
  if (date !== null) return date;
  const [first, ...others] = expr.args;
  if (first === undefined) return { kind: 'constant', text: expr.name.replace(/_/g, ' '), type: 'text' };
  const items = (args: readonly Expr[]) => args.map((arg) => scope.term(arg));
  switch (expr.name) {
    case 'substr':
    case 'substring':
      return pieceTerm(first, others, scope);
    case 'max':
    case 'min':
      return { kind: 'fallback', how: expr.name === 'max' ? 'greatest' : 'least', items: items(expr.args) };
    case 'coalesce':
    case 'ifnull':
      return { kind: 'fallback', how: 'known', items: items(expr.args) };
    case 'nullif':
      return { kind: 'fallback', how: 'unless', items: items(expr.args) };
    case 'printf':
    case 'format':
      return joinedText(varying(others), scope);
    case 'concat':
    case 'concat_ws':
      return joinedText(varying(expr.args), scope);
    default:
      return derived(expr, first, others, scope);
  }
}

/** A part of a text by the positions of its characters, or by the text before or after which it is. */
function pieceTerm(text: Expr, [start, length]: readonly Expr[], scope: Scope): Piece {
  const of = scope.term(text);
  const from = start === undefined ? null : numberOf(start);
  const before = from === 1 ? markIn(length, '-') : null;
  const after = length === undefined || numberOf(length) !== null ? markIn(start, '+') : null;
  const mark =
    before !== null
      ? ({ side: 'before', text: scope.term(before) } as const)
      : after !== null
        ? ({ side: 'after', text: scope.term(after) } as const)
        : null;
  const count = length === undefined || before !== null ? null : numberOf(length);
  const isFixed = mark !== null || (from !== null && (length === undefined || count !== null));
  if (isFixed || start === undefined) return { kind: 'piece', of, from, count, mark, computed: null };
  const computed = { from: scope.term(start), count: length === undefined ? null : scope.term(length) };
  return { kind: 'piece', of, from: null, count: null, mark, computed };
}

/** The text that ends where `instr(x, 'MAX=') + 4` begins, or begins where `instr(x, ' ') - 1` ends; else null. */
function markIn(expr: Expr | undefined, op: '-' | '+'): Expr | null {
  const inner = expr === undefined ? null : bare(expr);
  if (inner?.kind !== 'binary' || inner.op !== op) return null;
  const found = bare(inner.left);
  const mark = found.kind === 'call' && found.name === 'instr' ? (found.args[1] ?? null) : null;
  const long = mark?.kind === 'literal' && mark.type === 'text' ? [...mark.value].length : 1;
  return numberOf(inner.right) === (op === '-' ? 1 : long) ? mark : null;
}

function numberOf(expr: Expr): number | null {
  const literal = numberLiteral(expr);
  return literal === null ? null : Number(literal.value);
}

function varying(args: readonly Expr[]): readonly Expr[] {
  return args.filter((arg) => bare(arg).kind !== 'literal');
}

/** Functions that only change the form of a value. */
const FORMS = /^(round|ltrim|rtrim|replace|floor|ceil|ceiling|trunc|quote|likely|unlikely|json)$/;

/** The noun for the result of a function. */
const MADE: Readonly<Record<string, string>> = {
  length: 'length',
  instr: 'position',
  typeof: 'storage type',
  sqrt: 'square root',
  pow: 'power',
  power: 'power',
  ln: 'logarithm',
  log: 'logarithm',
  log10: 'logarithm',
  hex: 'hex digits',
  unicode: 'code point',
  json_extract: 'field',
};

/** The adjective for the result of a function. */
const BEFORE: Readonly<Record<string, string>> = {
  lower: 'lower-case',
  upper: 'upper-case',
  trim: 'trimmed',
};

function derived({ name }: Call, first: Expr, others: readonly Expr[], scope: Scope): Term {
  const of = scope.term(first);
  if (FORMS.test(name)) return of;
  const before = BEFORE[name];
  if (before !== undefined) return { kind: 'derived', word: before, place: 'before', of, more: [] };
  if (name === 'abs') return { kind: 'derived', word: 'absolute', place: 'before', of, more: [] };
  const [second] = others;
  const isSquare = /^pow(er)?$/.test(name) && second !== undefined && numberOf(second) === 2;
  const word = isSquare ? 'square' : (MADE[name] ?? name.replace(/[^a-z0-9]+/g, ' ').trim());
  const more = isSquare ? [] : others.map((other) => scope.term(other));
  return { kind: 'derived', word, place: 'of', of, more };
}

/** The term of a CASE: a value chosen by conditions, or whether a condition holds. */
function caseTerm(expr: Case, scope: Scope): Term {
  const results = [...expr.whens.map(({ result }) => result), ...(expr.else === null ? [] : [expr.else])];
  const [only, ...others] = expr.whens;
  const read = new Set(results.flatMap(columnsOf).map(({ source, name }) => `${source} ${name}`));
  const columns = results.map((result) => (read.size === 1 && isPiece(result) ? bare(result) : null));
  // A time read in two formats is still that time.
  if (columns.every((one) => one !== null)) {
    const texts = new Set(results.map((result) => JSON.stringify(pieceColumn(result))));
    const [first] = results;
    if (texts.size === 1 && first !== undefined) {
      const column = pieceColumn(first);
      if (column !== null) return scope.term(column);
    }
  }
  if (only !== undefined && others.length === 0 && expr.operand === null && results.every(isAnswer)) {
    return { kind: 'check', condition: scope.condition(only.when) };
  }
  return {
    kind: 'one_of',
    by: expr.operand === null ? null : scope.term(expr.operand),
    cases: casesOf(expr, scope),
    otherwise: expr.else === null ? null : scope.term(expr.else),
  };
}

function casesOf({ operand, whens }: Case, scope: Scope): OneOf['cases'] {
  return whens.map(({ when, result }) => ({
    when:
      operand === null
        ? scope.condition(when)
        : { kind: 'compare', of: scope.term(operand), relation: 'equal', to: scope.term(when) },
    result: scope.term(result),
  }));
}

function pieceColumn(expr: Expr): Expr | null {
  const inner = bare(expr);
  if (inner.kind === 'column') return inner;
  if (inner.kind !== 'call' && inner.kind !== 'binary') return null;
  const parts = inner.kind === 'call' ? inner.args : [inner.left, inner.right];
  return parts.map(pieceColumn).find((column) => column !== null) ?? null;
}

/** Whether a literal means yes or no. */
function isAnswer(result: Expr): boolean {
  return result.kind === 'literal' && /^(yes|no|true|false|y|n|t|f|1|0|null)$/i.test(String(result.value));
}
