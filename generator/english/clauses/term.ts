import {
  type Column,
  columnsOf,
  type Expr,
  isCondition,
  type Literal,
  leftmost,
} from '../../../sql/index.ts';
import { typeOf } from '../../template/template.ts';
import type { Constant, Property, Term } from './clause.ts';
import { aggregateTerm } from './expressions/aggregate.ts';
import { arithmeticTerm, withoutFraction } from './expressions/arithmetic.ts';
import { callTerm, caseTerm } from './expressions/function.ts';
import { windowTerm } from './expressions/window.ts';
import { barely, isRecursive } from './patterns.ts';
import type { Scope } from './query-context.ts';

/** What an expression is. */
export function termOf(given: Expr, scope: Scope): Term {
  const term = plainTerm(given, scope);
  return (dropsFraction(given, scope) ? withoutFraction(term) : null) ?? term;
}

/** `CAST(x AS INTEGER)` of what may have a fraction. */
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
    const told = literal.value === '' || lexicon.mayTell(literal.value);
    return { kind: 'constant', text: told ? literal.value : null, type: 'text' };
  }
  const written = literal.type === 'real' ? literal.text.replace(/\.0*$/, '') : String(literal.value);
  return { kind: 'constant', text: written, type: 'number' };
}

/** A column; one of the row around a subquery that reads the same table is told as the film's own score. */
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
  const source = origins.sourceOf(column.source);
  const inner = source === null ? null : origins.queryOf(source);
  const first = inner === null ? null : leftmost(inner);
  // A computed column of a recursive query is made of itself: what it begins with says nothing of it.
  const itself =
    (inner !== null && isRecursive(inner, origins)) ||
    columnsOf(origin.expr).some(({ source: id }) => id === column.source);
  return first === null || itself ? scope.context.property(column) : scope.within(first).term(origin.expr);
}
