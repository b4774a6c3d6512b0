import { type Call, type Case, columnsOf, type Expr } from '../../../../sql/index.ts';
import type { OneOf, Piece, Term } from '../clause.ts';
import { bare, isPiece, numberLiteral } from '../patterns.ts';
import type { Scope } from '../query-context.ts';
import { joinedText } from './arithmetic.ts';
import { dateTerm } from './date.ts';

/** Open year, length of title, absolute difference; functions that only change the form of a value are not said. */
export function callTerm(expr: Call, scope: Scope): Term {
  const date = dateTerm(expr, scope);
  if (date !== null) return date;
  const [first, ...others] = expr.args;
  if (first === undefined) return { kind: 'constant', text: expr.name.replace(/_/g, ' '), type: 'text' };
  const items = (args: readonly Expr[]) => args.map((arg) => scope.term(arg));
  switch (expr.name) {
    case 'substr':
    case 'substring': {
      return pieceTerm(first, others, scope);
    }
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

/** A piece by the places of its characters, or by the text that it ends at or begins after. */
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
  const told = mark !== null || (from !== null && (length === undefined || count !== null));
  if (told || start === undefined) return { kind: 'piece', of, from, count, mark, computed: null };
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

/** Functions after which a value is still what it was, in another form. */
const FORMS = /^(round|ltrim|rtrim|replace|floor|ceil|ceiling|trunc|quote|likely|unlikely|json)$/;

/** What a function makes of a value, where that is another value. */
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

/** Functions that an adjective tells of. */
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

/** A value chosen by conditions: the results that are more than a label, else what the conditions ask. */
export function caseTerm(expr: Case, scope: Scope): Term {
  const results = [...expr.whens.map(({ result }) => result), ...(expr.else === null ? [] : [expr.else])];
  const [only, ...others] = expr.whens;
  const read = new Set(results.flatMap(columnsOf).map(({ source, name }) => `${source} ${name}`));
  const columns = results.map((result) => (read.size === 1 && isPiece(result) ? bare(result) : null));
  // A time read in two ways is still that time.
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

/** Yes or no in any writing. */
function isAnswer(result: Expr): boolean {
  return result.kind === 'literal' && /^(yes|no|true|false|y|n|t|f|1|0|null)$/i.test(String(result.value));
}
