import type { CatalogTable } from '../../contracts/catalog.ts';
import {
  type Compare,
  type CompareOp,
  conjunction,
  conjuncts,
  type Expr,
  exprsWithin,
  type InList,
  type InQuery,
  isReferenceTo,
  isUnique,
  keyTable,
  type Like,
  leftmost,
  literalTruth,
  MIRRORED,
  type Origins,
  type Query,
  type Select,
  sameExpr,
} from '../../sql/index.ts';
import { canonicalExpr } from '../template/canonical-form.ts';
import { literalWithin, plainPattern } from '../template/choices.ts';
import { allOf } from './arithmetic.ts';
import {
  type Clauses,
  type Condition,
  isReferring,
  type Relation,
  sameTerm,
  type Term,
  type Thing,
} from './clause.ts';
import { movedGiven } from './dates.ts';
import {
  absentTable,
  equalities,
  hasOwnKey,
  hasUniqueValues,
  isCorrelation,
  isLinkTable,
  itemOf,
  joinConditions,
  joinFilters,
  mayJoin,
  ownersOf,
  sharesKeyName,
} from './joins.ts';
import { withoutKey } from './lexicon.ts';
import { BARE_LIST } from './lists.ts';
import { asAggregate, bare, flatten } from './patterns.ts';
import type { Scope } from './query-context.ts';
import { isMatch } from './relations.ts';
import { endsWith, FUNCTION_WORDS, isPerson } from './words.ts';

const RELATIONS: Readonly<Record<CompareOp, Relation>> = {
  '=': 'equal',
  is: 'equal',
  '!=': 'not_equal',
  is_not: 'not_equal',
  '>': 'above',
  '>=': 'at_least',
  '<': 'below',
  '<=': 'at_most',
};

/** The clause of a condition. */
export function conditionOf(expr: Expr, scope: Scope): Condition {
  switch (expr.kind) {
    case 'and':
    case 'or':
      return junction(expr, scope);
    case 'not': {
      const item = scope.condition(expr.expr);
      return item.kind === 'true'
        ? { kind: 'compare', of: item.of, relation: 'equal', to: ZERO }
        : { kind: 'not', item };
    }
    case 'compare': {
      const holds = alwaysHolds(expr, scope);
      if (holds !== null) return { kind: 'constant', holds };
      const tested = testedForTruth(expr);
      return tested === null ? comparison(expr, scope) : scope.condition(tested);
    }
    case 'is_null':
      return nullCheck(expr, scope);
    case 'between':
      return {
        kind: 'range',
        of: scope.term(expr.expr),
        low: comparedValue(expr.low, scope),
        high: comparedValue(expr.high, scope),
        negated: expr.negated,
      };
    case 'like':
      return match(expr, scope);
    case 'in_list':
      return among(expr, scope);
    case 'in_query':
      return membership(expr, scope);
    case 'exists':
      return existence(expr.query, expr.negated, scope);
    default: {
      if (expr.kind === 'literal' && !expr.pinned && !scope.context.choiceOf.has(expr)) {
        return { kind: 'constant', holds: literalTruth(expr) === true };
      }
      return { kind: 'true', of: scope.term(expr) };
    }
  }
}

const ZERO: Term = { kind: 'constant', text: '0', type: 'number' };

/** Whether a comparison of two constants such as `1 = 1` holds; null for others. */
function alwaysHolds({ op, left, right }: Compare, { context }: Scope): boolean | null {
  if (op !== '=' || left.kind !== 'literal' || right.kind !== 'literal' || left.type !== right.type)
    return null;
  if (left.type === 'null' || [left, right].some((one) => context.choiceOf.has(one))) return null;
  return left.value === right.value;
}

/** The condition x of `x IS TRUE`, which is bound as `(NOT x) IS 0`; null for others. */
function testedForTruth({ op, left, right }: Compare): Expr | null {
  return op === 'is' && left.kind === 'not' && right.kind === 'literal' && literalTruth(right) === false
    ? left.expr
    : null;
}

function junction({ kind, items }: Extract<Expr, { kind: 'and' | 'or' }>, scope: Scope): Condition {
  const conditions = items.map((item) => scope.condition(item));
  const decisive = kind === 'or';
  if (conditions.some((one) => one.kind === 'constant' && one.holds === decisive))
    return { kind: 'constant', holds: decisive };
  // Constants that do not decide are dropped.
  const open = conditions.filter((one) => one.kind !== 'constant' || one.holds === decisive);
  const [first, ...others] = open;
  if (first === undefined) return { kind: 'constant', holds: !decisive };
  if (others.length === 0) return first;
  return (decisive ? oneValue(open) : null) ?? { kind: decisive ? 'any' : 'all', items: open };
}

/** `x = 1 OR x = 2` is one of two values. */
function oneValue(items: readonly Condition[]): Condition | null {
  const equal = items.flatMap((item) =>
    item.kind === 'compare' && item.relation === 'equal' && item.to.kind === 'given' ? [item] : [],
  );
  const [first] = equal;
  if (first === undefined || equal.length < items.length) return null;
  const same = equal.every((one) => sameTerm(one.of, first.of));
  return same ? { kind: 'among', of: first.of, values: equal.map(({ to }) => to), negated: false } : null;
}

function comparedValue(expr: Expr, scope: Scope): Term {
  const literal = literalWithin(expr);
  const choice = literal === null ? undefined : scope.context.choiceOf.get(literal);
  if (choice === undefined) return scope.term(expr);
  return movedGiven(expr, { kind: 'given', choice, shifts: [] }, scope);
}

function comparison({ op, left, right }: Compare, scope: Scope): Condition {
  if (left.kind === 'row' && right.kind === 'row') return rowComparison(op, left.items, right.items, scope);
  const isQuery = (expr: Expr) => bare(expr).kind === 'scalar_query';
  const mirrored =
    literalWithin(left) !== null || (isQuery(left) && !isQuery(right) && literalWithin(right) === null);
  const [a, sign, b] = mirrored ? [right, MIRRORED[op], left] : [left, op, right];
  const found = bare(a);
  if (found.kind === 'call' && found.name === 'instr') {
    const [text, part] = found.args;
    if (text !== undefined && part !== undefined && Number(literalWithin(b)?.value) === 0) {
      const negated = sign === '=' || sign === '<=';
      return {
        kind: 'match',
        of: scope.term(text),
        how: 'contains',
        to: comparedValue(part, scope),
        sign: null,
        negated,
      };
    }
  }
  const any = inAnyCase(a, b);
  if (any !== null && (sign === '=' || sign === '!=')) {
    const [text, value] = any;
    return {
      kind: 'match',
      of: scope.term(text),
      how: 'like',
      to: comparedValue(value, scope),
      sign: null,
      negated: sign === '!=',
    };
  }
  const inner = bare(b);
  const special = inner.kind === 'scalar_query' ? againstQuery(sign, a, inner.query, scope) : null;
  return (
    special ?? { kind: 'compare', of: scope.term(a), relation: RELATIONS[sign], to: comparedValue(b, scope) }
  );
}

/** `lower(a) = lower(b)` compares the two in any case of letters; null for anything else. */
function inAnyCase(a: Expr, b: Expr): readonly [Expr, Expr] | null {
  if (a.kind !== 'call' || b.kind !== 'call' || a.name !== b.name || !/^(lower|upper)$/.test(a.name))
    return null;
  const [text, value] = [a.args[0], b.args[0]];
  return text === undefined || value === undefined ? null : [text, value];
}

function rowComparison(
  op: CompareOp,
  left: readonly Expr[],
  right: readonly Expr[],
  scope: Scope,
): Condition {
  const negated = op === '!=' || op === 'is_not';
  const items = left.map((item, i) =>
    comparison({ kind: 'compare', op: negated ? '=' : op, left: item, right: right[i] ?? item }, scope),
  );
  const all = allOf(items) ?? { kind: 'constant', holds: true };
  return negated ? { kind: 'not', item: all } : all;
}

/** `x = (SELECT MAX(x) …)` and `id = (SELECT id … LIMIT 1)`; null for plain comparisons. */
function againstQuery(op: CompareOp, left: Expr, query: Query, scope: Scope): Condition | null {
  const { origins } = scope.context;
  const first = leftmost(query);
  const value = first.kind === 'select' ? first.columns[0]?.expr : undefined;
  if ((op !== '=' && op !== 'is') || first.kind !== 'select' || value === undefined) return null;
  const aggregate = asAggregate(value);
  if (aggregate !== null) {
    const [arg] = aggregate.args;
    if (!/^(max|min)$/.test(aggregate.name) || arg === undefined || query.kind !== 'select') return null;
    if (!sameColumn(left, arg, origins) || first.groupBy.length > 0) return null;
    const clauses = scope.clauses(query);
    const plain = clauses.kind === 'list' && clauses.conditions.length === 0 && clauses.whose.length === 0;
    const alone = plain && outerFilters(scope) <= 1;
    return {
      kind: 'extreme',
      of: scope.term(left),
      highest: aggregate.name === 'max',
      among: alone ? null : clauses,
    };
  }
  if (query.kind !== 'select') return null;
  if (query.orderBy.length > 0 && query.limit !== null) return firstOf(left, query, scope);
  return refersToOne(left, query, scope) ? firstOf(left, query, scope) : null;
}

/** Whether `driver_id = (SELECT id FROM driver …)` names a row's owner: of the driver with that name. */
function refersToOne(left: Expr, query: Select, { context }: Scope): boolean {
  const { origins } = context;
  const [only, ...others] = query.columns.map(({ expr }) => origins.baseColumn(expr));
  const column = bare(left);
  // A reference in a role, such as the director, must name the role.
  if (column.kind !== 'column' || context.referredThing(column) !== null) return false;
  const key = keyTable(column, origins);
  const own = origins.baseColumn(column)?.table;
  if (only === undefined || only === null || others.length > 0 || query.groupBy.length > 0) return false;
  return key !== null && own !== key && only.table === key && isUnique(key, only.column);
}

/** Equality with the row that ranks first in a query, or with its value; other values are compared. */
function firstOf(left: Expr, query: Query, scope: Scope): Condition {
  const [of, clauses] = [scope.term(left), scope.clauses(query)];
  const tied = keyTable(bare(left), scope.context.origins) !== null;
  const itself = isItself(left, query, scope);
  const [shown] = clauses.kind === 'list' ? clauses.columns : [];
  const same = of.kind === 'property' && shown?.kind === 'property' && of.own.text === shown.own.text;
  if (tied || itself || same) return { kind: 'first', of, query: clauses, itself, tied };
  return { kind: 'compare', of, relation: 'equal', to: { kind: 'query', query: clauses } };
}

function outerFilters({ query }: Scope): number {
  return query.kind === 'select' ? joinConditions(query).length - query.from.length + 1 : 0;
}

function sameColumn(a: Expr, b: Expr, origins: Origins): boolean {
  const nameOf = (source: string) => origins.tableOf(source)?.name ?? source;
  return canonicalExpr(bare(a), origins, nameOf) === canonicalExpr(bare(b), origins, nameOf);
}

/** Whether `x = (SELECT y … LIMIT 1)` means that the rows themselves rank first. */
function isItself(left: Expr, query: Query, { context, query: outer }: Scope): boolean {
  const key = keyTable(bare(left), context.origins);
  if (query.kind !== 'select' || outer.kind !== 'select') return false;
  const shown = context.origins.baseColumn(bare(outer.columns[0]?.expr ?? left))?.table ?? null;
  const rows = [context.rowTable(outer), shown];
  if (key === null) {
    const base = context.origins.baseColumn(bare(left));
    return (
      base !== null &&
      query.groupBy.length === 0 &&
      hasUniqueValues(base.table, base.column) &&
      rows.includes(base.table) &&
      context.rowTable(query) === base.table
    );
  }
  return (query.groupBy.length > 0 || context.rowTable(query) === key) && rows.includes(key);
}

function nullCheck({ expr, negated }: Extract<Expr, { kind: 'is_null' }>, scope: Scope): Condition {
  const { origins } = scope.context;
  const absent = absentTable(expr, origins);
  if (absent === null) return { kind: 'known', of: scope.term(expr), negated: !negated };
  const inner = bare(expr);
  const item = inner.kind === 'column' ? itemOf(inner.source, origins) : undefined;
  // A condition in ON does not test whether the row was found.
  const own = exprsWithin(item?.on ?? expr).some((part) => part.kind === 'is_null' && part.expr === expr);
  if (own) return { kind: 'known', of: scope.term(expr), negated: !negated };
  const select = inner.kind === 'column' ? origins.selectOf(inner.source) : null;
  const filters = item && select ? joinFilters(item, select, origins).map((one) => scope.condition(one)) : [];
  const thing =
    (inner.kind === 'column' ? scope.context.roleOf(inner.source) : null) ?? scope.context.thing(absent);
  const query = filters.length === 0 ? null : { ...BARE_LIST, subject: thing, conditions: filters };
  const verb = inner.kind === 'column' ? scope.context.inverseOf(inner.source) : null;
  return { kind: 'exists', thing, are: false, query, related: true, verb, negated: !negated };
}

function match(like: Like, scope: Scope): Condition {
  const { expr, pattern, negated, op } = like;
  const of = scope.term(expr);
  const around = op === 'like' && like.escape === null ? aroundValue(pattern, scope) : null;
  const sign = like.escape === null ? null : scope.term(like.escape);
  if (around !== null)
    return { kind: 'match', of, how: around.how, to: scope.term(around.value), sign: null, negated };
  const to = comparedValue(pattern, scope);
  const fixed =
    to.kind === 'constant' && op === 'like' && like.escape === null ? plainPattern(to.text ?? '') : null;
  if (to.kind === 'constant' && fixed !== null)
    return { kind: 'match', of, how: fixed.role, to: { ...to, text: fixed.value }, sign, negated };
  const role = to.kind === 'given' ? to.choice.role : '';
  const how = isMatch(role) ? role : op === 'glob' ? 'glob' : 'pattern';
  return { kind: 'match', of, how, to, sign, negated };
}

/** The value in a pattern like `'%' || name || '%'`, and its place; null for other patterns. */
function aroundValue(
  pattern: Expr,
  { context }: Scope,
): { readonly how: 'contains' | 'starts_with' | 'ends_with'; readonly value: Expr } | null {
  const parts = flatten(pattern, '||');
  const isAny = (part: Expr | undefined) =>
    part?.kind === 'literal' && part.value === '%' && !context.choiceOf.has(part);
  const [before, after] = [isAny(parts[0]), isAny(parts.at(-1))];
  const [value, ...others] = parts.slice(before ? 1 : 0, after ? -1 : undefined);
  if (value === undefined || others.length > 0 || value.kind === 'literal' || !(before || after)) return null;
  return { how: before && after ? 'contains' : after ? 'starts_with' : 'ends_with', value };
}

function among({ expr, items, negated }: InList, scope: Scope): Condition {
  const [first] = items;
  const chosen = literalWithin(expr);
  // 'x' IN (a, b)
  if (chosen !== null && first !== undefined && literalWithin(first) === null) {
    const to = comparedValue(expr, scope);
    const any: Condition = {
      kind: 'any',
      items: items.map((item) => ({ kind: 'compare', of: scope.term(item), relation: 'equal', to })),
    };
    return negated ? { kind: 'not', item: any } : any;
  }
  const values = items.map((item) => comparedValue(item, scope));
  const lists = values.flatMap((one) => (one.kind === 'given' && one.choice.array ? [one] : []));
  return {
    kind: 'among',
    of: scope.term(expr),
    values: lists.length > 0 ? lists.slice(0, 1) : values,
    negated,
  };
}

/** Membership in another query: related rows, the same rows with further conditions, or values. */
function membership(expr: InQuery, scope: Scope): Condition {
  const { context } = scope;
  const { query, negated } = expr;
  const clauses = scope.clauses(withoutKnown(query));
  if (
    clauses.kind === 'list' &&
    clauses.limit === null &&
    clauses.groups === null &&
    query.kind === 'select'
  ) {
    const rows = context.rowTable(query);
    const link = linkOf(expr, context.origins);
    if (link === 'same' && clauses.read.length === 0) {
      const all = allOf(clauses.conditions);
      if (all !== null) return negated ? { kind: 'not', item: all } : all;
    }
    const conditions =
      link === null || negated
        ? null
        : ofLookedUp(clauses, lookedUp(expr, context.origins), rows, expr.expr, context.origins);
    if (conditions !== null) return conditions;
    if (link !== null && rows !== null && clauses.read.length === 0) {
      const alone = clauses.conditions.length === 0 && query.from.length === 1;
      const other = alone ? otherEnd(rows, keyTable(expr.expr, context.origins), context.origins) : null;
      const thing = other === null ? (context.rowThing(query) ?? context.thing(rows)) : context.thing(other);
      const base = context.origins.baseColumn(expr.expr);
      const owner = base === null ? null : context.thingOf(base.source);
      const whose = clauses.whose.length > 0 || owner === null ? clauses.whose : [owner];
      const shown = bare(query.columns[0]?.expr ?? expr.expr);
      const key = context.origins.baseColumn(shown);
      const inverse = other === null && key?.table === rows ? (key.column.words?.inverse ?? null) : null;
      // Only what others refer to has them.
      const refers = key != null && base !== null && isReferenceTo(key, base.table);
      const isKey = base === null || refers || hasUniqueValues(base.table, base.column);
      // Players who are not the MVP player of any match, who may have played many.
      const role =
        refers && key !== null ? withoutKey(context.lexicon.column(key.table.name, key.column.name)) : [];
      const inRole =
        other === null &&
        role.length > (owner?.one.length ?? 0) &&
        endsWith(role, owner?.one ?? []) &&
        !role.some((word) => FUNCTION_WORDS.has(word.toLowerCase()));
      const verb = inverse ?? (inRole ? `is the ${role.join(' ')} of` : isKey ? null : 'is linked to');
      // Poker players are people, as their key says.
      const are = refers && key != null && hasUniqueValues(key.table, key.column) && isPerson(thing);
      return {
        kind: 'exists',
        thing,
        are,
        query: { ...clauses, whose },
        related: true,
        verb,
        negated,
      };
    }
  }
  if (clauses.kind === 'list' && clauses.limit?.rows === 1 && !negated) {
    return firstOf(expr.expr, query, scope);
  }
  return { kind: 'member', of: scope.term(expr.expr), query: clauses, negated };
}

/** Conditions on the one row that a row refers to, as conditions on the row: cards of a set with a given name. */
function ofLookedUp(
  clauses: Clauses,
  referred: CatalogTable | null,
  rows: CatalogTable | null,
  key: Expr,
  origins: Origins,
): Condition | null {
  const own = origins.baseColumn(key)?.table ?? null;
  if (clauses.kind !== 'list' || clauses.read.length > 0 || clauses.tables.length > 1) return null;
  if (referred === null || referred !== rows || own === null || own === referred) return null;
  return allOf(clauses.conditions);
}

/** The table in which `x IN (SELECT y …)` looks up one row: the one that x refers to, or that has unique values in y. */
function lookedUp({ expr, query }: InQuery, origins: Origins): CatalogTable | null {
  const shown = query.kind === 'select' ? query.columns[0]?.expr : undefined;
  const base = shown === undefined ? null : origins.baseColumn(shown);
  const referred = keyTable(expr, origins);
  return referred ?? (base !== null && hasUniqueValues(base.table, base.column) ? base.table : null);
}

/** The other end of a link table: pets of students; null if it is not a link table. */
function otherEnd(link: CatalogTable, end: CatalogTable | null, origins: Origins): CatalogTable | null {
  if (end === null || !isLinkTable(link) || hasOwnKey(link)) return null;
  const ends = link.foreign_keys.flatMap((key) => origins.tableNamed(key.references_table) ?? []);
  const [other, ...more] = ends.filter((table) => table !== end);
  return ends.length === 2 && more.length === 0 ? (other ?? null) : null;
}

/** How `id IN (SELECT studio_id …)` relates two queries: by the one reference between their tables, or as the same rows. */
function linkOf({ expr, query }: InQuery, origins: Origins): 'same' | 'related' | null {
  const shown = query.kind === 'select' ? query.columns[0]?.expr : undefined;
  const [a, b] = [origins.baseColumn(expr), shown === undefined ? null : origins.baseColumn(shown)];
  if (shown === undefined || a === null || b === null) return null;
  if (a.column === b.column) return isUnique(a.table, a.column) ? 'same' : null;
  // A referenced row of the same table is a parent, not a row that belongs to it.
  if (a.table === b.table && isUnique(b.table, b.column)) return null;
  const table = keyTable(expr, origins);
  if (table === null || table !== keyTable(shown, origins)) {
    const named = mayJoin(a, b) && sharesKeyName(a, b);
    return a.table !== b.table && named ? 'related' : null;
  }
  if (a.column.name.toLowerCase() === b.column.name.toLowerCase()) return 'related';
  const tied = [a, b].every(({ table: from }) => from === table || referencesTo(from, table) === 1);
  return tied ? 'related' : null;
}

/** How many columns of a table refer to another. */
function referencesTo({ foreign_keys }: CatalogTable, { name }: CatalogTable): number {
  return foreign_keys.filter((key) => key.references_table === name).length;
}

/** The outer column that refers to a subquery's row, if nothing else correlates the two; else null. */
function referringKey(query: Select, origins: Origins): Expr | null {
  const tied = joinConditions(query).filter((one) => isCorrelation(one, query));
  const [join, ...others] = tied.flatMap(equalities);
  if (join === undefined || others.length > 0) return null;
  const inner = query.from.some(({ source }) => source.id === join.left.source) ? join.left : join.right;
  const base = origins.baseColumn(inner);
  if (base === null || !isUnique(base.table, base.column)) return null;
  return inner === join.left ? join.right : join.left;
}

const ROW: Thing = { one: ['row'], many: ['rows'] };

function existence(query: Query, negated: boolean, scope: Scope): Condition {
  const clauses = scope.clauses(query);
  const { context } = scope;
  const rows = query.kind === 'select' ? context.rowTable(query) : null;
  const ends = query.kind === 'select' ? ownersOf(query, context.origins) : [];
  const end = ends[0] === undefined ? null : context.origins.tableOf(ends[0]);
  // Conditions on the link itself are about its own rows.
  const isOfLink = (one: Condition) =>
    'of' in one && one.of.kind === 'property' && one.of.base?.table === rows && !isReferring(one.of.base);
  const linksOnly = clauses.kind === 'list' && !clauses.conditions.some(isOfLink);
  const other = rows === null || !linksOnly ? null : otherEnd(rows, end, context.origins);
  const thing = other === null ? (context.rowThing(query) ?? ROW) : context.thing(other);
  const related = clauses.kind === 'list' && clauses.whose.length > 0;
  const key = query.kind === 'select' && !negated ? referringKey(query, context.origins) : null;
  const conditions =
    key === null ? null : ofLookedUp(clauses, keyTable(key, context.origins), rows, key, context.origins);
  if (conditions !== null) return conditions;
  const [source] = query.kind === 'select' ? query.from : [];
  const verb = other === null && related && source !== undefined ? context.inverseOf(source.source.id) : null;
  return { kind: 'exists', thing, are: false, query: clauses, related, verb, negated };
}

/** A query without conditions that its result columns are not NULL. */
function withoutKnown(query: Query): Query {
  if (query.kind !== 'select' || query.where === null) return query;
  const isShown = (expr: Expr) =>
    expr.kind === 'column' && query.columns.some(({ expr: shown }) => sameExpr(shown, expr));
  const items = conjuncts(query.where);
  const kept = items.filter((one) => !(one.kind === 'is_null' && one.negated && isShown(one.expr)));
  return kept.length === items.length
    ? query
    : { ...query, where: kept.length === 0 ? null : conjunction(kept) };
}
