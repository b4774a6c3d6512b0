import {
  type Case,
  type Compare,
  type CompareOp,
  childExprs,
  childQueries,
  columnsOf,
  type Expr,
  exprsWithin,
  type InList,
  isCondition,
  type Like,
  type Literal,
  literalTruth,
  MIRRORED,
  type Origins,
  type Query,
  subqueryOf,
} from '../../../sql/index.ts';
import type { Choice, Clause, Role } from './choice.ts';
import { shapeOfPattern } from './like-pattern.ts';
import { literalWithin } from './literal-within.ts';
import { digitMentions, isConversion, limitMentions } from './named-number.ts';
import { toArray, toScalar } from './value-of.ts';

/** Where the search is: what it needs to know of the places above. */
interface Place {
  readonly clause: Clause;
  readonly negated: boolean;
  readonly removed: boolean;
  readonly scope: Query;
}

/**
 * Every literal of a query that is a user's choice, in the order of the tree, each its own choice. What is
 * not found here stays fixed: formats, factors, positions, THEN and ELSE, defaults, pinned times, NULL, ''.
 */
export function findChoices(query: Query, question: string, origins: Origins): readonly Choice[] {
  const finder = new Finder(question, origins);
  finder.query(query, false);
  return finder.withLimits();
}

class Finder {
  readonly #question: string;
  readonly #origins: Origins;
  readonly #found: Choice[] = [];
  readonly #limits: { readonly literal: Literal; readonly place: Place; readonly at: number }[] = [];

  constructor(question: string, origins: Origins) {
    this.#question = question;
    this.#origins = origins;
  }

  /** Limits come last: a number that the question names for another choice is not named for a limit. */
  withLimits(): readonly Choice[] {
    const numbers = this.#found.map((choice) => choice.value);
    const named = this.#limits.flatMap(({ literal, place, at }) => {
      const value = Number(literal.value);
      const others = numbers.filter((other) => String(other) === String(value)).length;
      if (limitMentions(this.#question, value) <= others) return [];
      const choice = toScalar({ literal, role: 'limit', subject: null, ...place }, this.#origins);
      return choice === null ? [] : [{ choice, at }];
    });
    const all = [...this.#found];
    for (const { choice, at } of named.toReversed()) all.splice(at, 0, choice);
    return all;
  }

  query(query: Query, removed: boolean): void {
    for (const inner of childQueries(query)) {
      const taken = query.kind === 'set_operation' && query.op === 'except' && inner === query.right;
      this.query(inner, removed !== taken);
    }
    const at = (clause: Clause): Place => ({ clause, negated: false, removed, scope: query });
    if (query.kind === 'values') return;
    if (query.kind === 'select') {
      for (const { expr } of query.columns) this.#expr(expr, at('value'));
      for (const { on } of query.from) this.#maybe(on, at('filter'));
      this.#maybe(query.where, at('filter'));
      for (const expr of query.groupBy) this.#expr(expr, at('value'));
      this.#maybe(query.having, at('having'));
    }
    for (const { expr } of query.orderBy) this.#expr(expr, at('value'));
    this.#limit(query.limit?.count ?? null, at('limit'));
  }

  #maybe(expr: Expr | null, place: Place): void {
    if (expr !== null) this.#expr(expr, place);
  }

  #expr(expr: Expr, place: Place): void {
    // What is the same whatever the value is chooses nothing.
    if (isIdle(expr)) return;
    this.#claim(expr, place);
    const inside = expr.kind === 'not' ? { ...place, negated: !place.negated } : place;
    for (const child of childExprs(expr)) this.#expr(child, inside);
    const query = subqueryOf(expr);
    if (query === null) return;
    const taken = (expr.kind === 'in_query' || expr.kind === 'exists') && expr.negated !== place.negated;
    this.query(query, place.removed !== taken);
  }

  /** The choices that stand right below an expression. */
  #claim(expr: Expr, place: Place): void {
    switch (expr.kind) {
      case 'compare':
        return this.#compare(expr, place);
      case 'between':
        this.#scalar(expr.low, 'low', expr.expr, turned(place, expr.negated));
        return this.#scalar(expr.high, 'high', expr.expr, turned(place, expr.negated));
      case 'like':
        return this.#like(expr, place);
      case 'in_list':
        return this.#inList(expr, place);
      case 'in_query': {
        const [first] = expr.query.kind === 'select' ? expr.query.columns : [];
        return this.#scalar(expr.expr, 'equal', first?.expr ?? null, turned(place, expr.negated));
      }
      case 'case':
        return this.#case(expr, place);
      case 'binary':
        if (expr.op === '||' || expr.op === '->' || expr.op === '->>') return;
        this.#factor(expr.left, expr.right, place);
        return this.#factor(expr.right, expr.left, place);
      default:
        return;
    }
  }

  #compare({ op, left, right }: Compare, place: Place): void {
    this.#compareItems(op, left, right, place);
  }

  #compareItems(op: CompareOp, left: Expr, right: Expr, place: Place): void {
    if (left.kind === 'row' && right.kind === 'row') {
      left.items.forEach((item, i) => {
        const other = right.items[i];
        if (other !== undefined) this.#compareItems(op, item, other, place);
      });
      return;
    }
    const [literal, subject] = literalWithin(right) === null ? [left, right] : [right, left];
    if (subject.kind === 'call' && subject.name === 'instr') return this.#search(subject.args, place);
    if (isExistenceTest(literal, subject)) return;
    this.#scalar(literal, ROLE_OF[literal === right ? op : MIRRORED[op]], subject, place);
  }

  /** `INSTR(title, 'sql') > 0`: the number tells found from not found, the text is the user's. */
  #search([text, part]: readonly Expr[], place: Place): void {
    if (part?.kind !== 'literal' || part.type !== 'text' || !/[\p{L}\p{N}]/u.test(part.value)) return;
    this.#scalar(part, 'contains', text ?? null, place);
  }

  #like(like: Like, place: Place): void {
    const { expr, pattern, negated, op } = like;
    const at = turned(place, negated);
    if (pattern.kind !== 'literal' || pattern.type !== 'text' || op !== 'like') {
      return this.#scalar(pattern, op === 'glob' ? 'glob' : 'pattern', expr, at);
    }
    const shape = shapeOfPattern(pattern.value, like.escape !== null);
    if (shape === null || !hasColumn(expr)) return;
    this.#add(toScalar({ literal: pattern, subject: expr, ...at, ...shape }, this.#origins));
  }

  #inList(list: InList, place: Place): void {
    const { expr, items, negated } = list;
    const at = turned(place, negated);
    const role: Role = negated ? 'not_among' : 'among';
    const array =
      hasColumn(expr) && expr.kind !== 'row' ? toArray({ list, role, ...place }, this.#origins) : null;
    if (array !== null) return this.#add(array);
    for (const item of items) {
      if (item.kind === 'row' && expr.kind === 'row') this.#compareItems('=', expr, item, at);
      else this.#scalar(item, 'equal', expr, at);
    }
    // 'x' IN (a, b): the value is the user's, the columns are fixed.
    const [first] = items;
    if (first !== undefined) this.#scalar(expr, 'equal', first, at);
  }

  #case(expr: Case, place: Place): void {
    const { operand, whens } = expr;
    if (operand === null || isLegend(expr)) return;
    for (const { when } of whens) this.#scalar(when, 'equal', operand, place);
  }

  /** `weight * 79`: a number in arithmetic is a choice only if the question says it and it converts no unit. */
  #factor(expr: Expr, other: Expr, place: Place): void {
    if (expr.kind !== 'literal' || (expr.type !== 'integer' && expr.type !== 'real')) return;
    const value = Number(expr.value);
    if (isConversion(value) || digitMentions(this.#question, value) === 0) return;
    this.#scalar(expr, 'factor', other, place);
  }

  #limit(count: Expr | null, place: Place): void {
    if (count?.kind !== 'literal' || count.type !== 'integer' || count.span === null || count.value < 1n)
      return;
    this.#limits.push({ literal: count, place, at: this.#found.length });
  }

  #scalar(expr: Expr | undefined, role: Role, subject: Expr | null, place: Place): void {
    const literal = expr === undefined ? null : literalWithin(expr);
    if (literal === null || subject === null || isFixedBeside(subject, this.#origins)) return;
    if (isRanking(subject, this.#origins) && limitMentions(this.#question, Number(literal.value)) === 0)
      return;
    const bare = literal === expr;
    this.#add(toScalar({ literal, role, subject, bare, ...place }, this.#origins));
  }

  #add(choice: Choice | null): void {
    if (choice !== null) this.#found.push(choice);
  }
}

const ROLE_OF: Record<CompareOp, Role> = {
  '=': 'equal',
  is: 'equal',
  '!=': 'not_equal',
  is_not: 'not_equal',
  '>=': 'at_least',
  '>': 'above',
  '<=': 'at_most',
  '<': 'below',
};

/** `COUNT(*) > 0`: whether there is any. */
function isExistenceTest(literal: Expr, subject: Expr): boolean {
  return (
    literal.kind === 'literal' &&
    literal.value === 0n &&
    subject.kind === 'aggregate' &&
    /^(count|sum)$/.test(subject.name)
  );
}

/** Whether the literals inside have no effect: COUNT of what is never NULL, AND with what never holds. */
function isIdle(expr: Expr): boolean {
  if (expr.kind === 'and') return expr.items.some((item) => truthOf(item) === false);
  if (expr.kind === 'or') return expr.items.some((item) => truthOf(item) === true);
  if (expr.kind !== 'aggregate' || expr.name !== 'count' || expr.distinct || expr.filter !== null)
    return false;
  const [arg] = expr.args;
  return arg?.kind === 'case' && [...arg.whens.map(({ result }) => result), arg.else].every(isSureLiteral);
}

function truthOf(expr: Expr): boolean | null {
  return expr.kind === 'literal' && !expr.pinned ? literalTruth(expr) : null;
}

function isSureLiteral(expr: Expr | null): boolean {
  return expr?.kind === 'literal' && expr.type !== 'null';
}

/** A literal beside these says how the query is built, not what the user wants. */
function isFixedBeside(subject: Expr, origins: Origins): boolean {
  if (isCondition(subject) || (!hasColumn(subject) && !hasAggregate(subject))) return true;
  switch (subject.kind) {
    case 'case':
      return [...subject.whens.map((one) => one.result), subject.else].every(isLabel);
    case 'binary':
      return subject.op === '%' || subject.op === '&' || subject.op === '|';
    case 'column': {
      const origin = origins.of(subject);
      return origin.kind === 'computed' && isFixedBeside(origin.expr, origins);
    }
    default:
      return false;
  }
}

function isLabel(expr: Expr | null): boolean {
  return expr === null || expr.kind === 'literal';
}

/** The n-th of a ranking, as `LIMIT n` in other words. */
function isRanking(subject: Expr, origins: Origins): boolean {
  if (subject.kind === 'window') return /^(row_number|rank|dense_rank)$/.test(subject.name);
  if (subject.kind !== 'column') return false;
  const origin = origins.of(subject);
  return origin.kind === 'computed' && isRanking(origin.expr, origins);
}

function hasColumn(expr: Expr): boolean {
  return columnsOf(expr).length > 0;
}

function hasAggregate(expr: Expr): boolean {
  return exprsWithin(expr).some(({ kind }) => kind === 'aggregate');
}

function turned(place: Place, negated: boolean): Place {
  return negated ? { ...place, negated: !place.negated } : place;
}

/** `CASE status WHEN 1 THEN 'pending' WHEN 2 THEN 'done' END`: what codes are called is no choice. */
function isLegend({ whens }: Case): boolean {
  return whens.length > 1 && whens.every(({ result }) => result.kind === 'literal' && result.type === 'text');
}
