import type { CatalogTable } from '../../../../contracts/catalog.ts';
import {
  type Compare,
  conjuncts,
  type Exists,
  type Expr,
  exprsOf,
  exprsWithin,
  type FromItem,
  type InQuery,
  keyTable,
  type Literal,
  type Origins,
  type Query,
  type Select,
} from '../../../sql/index.ts';
import type { Choice } from '../choices/choice.ts';
import { choicesIn } from '../choices/choices-in.ts';
import { literalWithin } from '../choices/literal-within.ts';
import { isCorrelation } from '../outline/correlation.ts';
import { tellsApart } from '../outline/joins.ts';
import { asAggregate, bare } from '../outline/patterns.ts';
import { areLinked, filtersOf, isReference, plainJoins, sharesKeyName } from '../outline/plain-joins.ts';

interface Known {
  readonly origins: Origins;
  readonly choiceOf: ReadonlyMap<Literal, Choice>;
}

/**
 * Whether the conditions of a query are a plain list, of which every one holds (or, where there is nothing else
 * but an OR, any): told one after the other they are understood.
 */
export function isFlat(query: Query, known: Known): boolean {
  if (query.kind === 'values') return true;
  if (query.kind === 'set_operation') return isFlat(query.left, known) && isFlat(query.right, known);
  const read = query.from.flatMap(({ source }) => known.origins.queryOf(source) ?? []);
  const conditions = filtersOf(query, known.origins);
  return (
    read.every((inner) => inner.kind === 'select' && inner.limit === null && isFlat(inner, known)) &&
    !query.from.some((item) => keepsMore(item, query, known)) &&
    conditions.every((one) =>
      one.kind === 'or'
        ? conditions.length === 1 && one.items.every((item) => isChoice(item, known))
        : isPlain(one, query, known),
    )
  );
}

/** Whether an outer join has conditions, which the rows need not meet. */
function keepsMore({ join, on }: FromItem, select: Select, { origins }: Known): boolean {
  if (join === 'from' || join === 'inner' || join === 'cross') return false;
  return conjuncts(on).some((one) => !plainJoins(select, origins).has(one));
}

function isPlain(condition: Expr, select: Select, known: Known): boolean {
  switch (condition.kind) {
    case 'in_query':
      return isLink(condition, known) && isMember(condition, known);
    case 'exists':
      return isMember(condition, known);
    case 'compare':
      return isPlainCompare(condition, select, known);
    case 'between': {
      const [low, high] = [condition.low, condition.high].map((end) => isChosen(end, known));
      return low === high;
    }
    case 'like':
    case 'in_list':
    case 'is_null':
      return true;
    default:
      return false;
  }
}

/** Rows of another table, by their own conditions, or that there are none of them. */
function isMember({ query, negated }: InQuery | Exists, known: Known): boolean {
  if (query.kind !== 'select' || query.limit !== null) return false;
  if (!negated) return isFlat(query, known);
  // What there is none of is told with all its conditions.
  return query.from.every(({ source }) => known.origins.tableOf(source.id) !== null);
}

/** `id IN (SELECT studio_id …)`: by the one reference that ties the two tables together. */
function isLink({ expr, query }: InQuery, { origins }: Known): boolean {
  const shown = query.kind === 'select' ? query.columns[0]?.expr : undefined;
  const [a, b] = [origins.baseColumn(expr), shown === undefined ? null : origins.baseColumn(shown)];
  if (shown === undefined || a === null || b === null) return false;
  if (a.column === b.column && tellsApart(a.table, a.column)) return true;
  const table = keyTable(expr, origins);
  if (table === null || table !== keyTable(shown, origins)) {
    return a.table !== b.table && (a.column.name === b.column.name || sharesKeyName(a, b));
  }
  if (a.column.name.toLowerCase() === b.column.name.toLowerCase()) return true;
  return [a, b].every(({ table: from }) => from === table || referencesTo(from, table) === 1);
}

/** How many columns of a table refer to another. */
function referencesTo({ foreign_keys }: CatalogTable, { name }: CatalogTable): number {
  const keys = foreign_keys.filter((key) => key.references_table === name);
  return new Set(keys.map(({ columns }) => columns.join())).size;
}

function isPlainCompare(condition: Compare, select: Select, known: Known): boolean {
  if (isCorrelation(condition, select)) return isReference(condition, known.origins);
  if (isLookup(condition, known)) return true;
  const sides = [condition.left, condition.right];
  if (sides.some((side) => readsApart(side, select, known))) return false;
  if (sides.some((side) => isChosen(side, known))) return true;
  return (
    !isOfTwoRows(condition, known) &&
    !isOffReference(condition, known) &&
    sides.every((side) => isToldByFacts(side, known))
  );
}

/** `capital = (SELECT name … LIMIT 1)`: equal to another column of the row that ranks first. */
function isOffReference({ op, left, right }: Compare, { origins }: Known): boolean {
  const [query, other] = left.kind === 'scalar_query' ? [left.query, right] : [queryOf(right), left];
  const shown = query?.kind === 'select' && query.limit !== null ? query.columns[0]?.expr : undefined;
  if (shown === undefined || (op !== '=' && op !== 'is')) return false;
  const [a, b] = [origins.baseColumn(other), origins.baseColumn(shown)];
  if (a === null || b === null) return a !== b;
  const table = keyTable(other, origins);
  if (a.column === b.column || areLinked(a, b)) return false;
  const named = a.column.name.toLowerCase() === b.column.name.toLowerCase();
  return !named && (table === null || table !== keyTable(shown, origins));
}

function queryOf(expr: Expr): Query | null {
  return expr.kind === 'scalar_query' ? expr.query : null;
}

/** A value, or the value of a subquery and no more: what facts tell of. */
function isToldByFacts(side: Expr, { choiceOf }: Known): boolean {
  const inner = bare(side);
  const held = exprsWithin(inner).some(({ kind }) => kind === 'scalar_query');
  if (!held) return choicesIn(exprsWithin(inner), choiceOf).length === 0;
  return inner.kind === 'scalar_query';
}

/** A comparison of two rows of the same table: it takes words to say which is which. */
function isOfTwoRows({ left, right }: Compare, { origins }: Known): boolean {
  const [a, b] = [left, right].map((side) =>
    directly(side).flatMap((part) => origins.baseColumn(part) ?? []),
  );
  return (a ?? []).some((one) =>
    (b ?? []).some((other) => one.table === other.table && one.source !== other.source),
  );
}

/** Whether an expression is a value that is chosen, and no more. */
function isChosen(expr: Expr, { choiceOf }: Known): boolean {
  const literal = literalWithin(expr);
  return literal !== null && choiceOf.has(literal);
}

/** `driver_id = (SELECT driver_id FROM driver WHERE …)`: a row of another table, found by its own conditions. */
function isLookup({ op, left, right }: Compare, known: Known): boolean {
  const inner = right.kind === 'scalar_query' && right.query.kind === 'select' ? right.query : null;
  const shown = inner?.columns[0]?.expr;
  if (op !== '=' || inner === null || shown === undefined || inner.limit !== null) return false;
  const table = keyTable(left, known.origins);
  return table !== null && table === keyTable(shown, known.origins) && isFlat(inner, known);
}

/** Whether a value is read from rows that are chosen in another way than those of the query itself. */
function readsApart(side: Expr, select: Select, { choiceOf, origins }: Known): boolean {
  const here = new Set(filtersOf(select, origins).flatMap((one) => choicesIn(directly(one), choiceOf)));
  return exprsWithin(side).some((part) => {
    if (part.kind !== 'scalar_query') return false;
    if (part.query.kind !== 'select') return true;
    const filters = filtersOf(part.query, origins);
    const chosen = filters.map((one) => choicesIn(exprsWithin(one), choiceOf));
    if (chosen.some((choices) => choices.length === 0 || choices.some((choice) => !here.has(choice)))) {
      return true;
    }
    // The highest of these rows; that of more of them is told with which. Averages always are.
    const shared = new Set(chosen.flat()).size === here.size;
    return filters.length > 0 && !shared && asAggregate(part.query.columns[0]?.expr ?? part)?.name !== 'avg';
  });
}

/** The parts of a condition outside its subqueries. */
function directly(expr: Expr): readonly Expr[] {
  const parts = exprsWithin(expr);
  const inside = new Set(parts.flatMap((part) => (part.kind === 'scalar_query' ? exprsOf(part.query) : [])));
  return parts.filter((part) => !inside.has(part));
}

function isChoice(item: Expr, known: Known): boolean {
  switch (item.kind) {
    case 'compare':
      return [item.left, item.right].some((side) => isChosen(side, known)) && !holdsQuery(item);
    case 'between':
      return isChosen(item.low, known) && isChosen(item.high, known) && !holdsQuery(item);
    case 'like':
    case 'in_list':
      return choicesIn(exprsWithin(item), known.choiceOf).length > 0 && !holdsQuery(item);
    default:
      return false;
  }
}

function holdsQuery(expr: Expr): boolean {
  return exprsWithin(expr).some(({ kind }) => kind === 'scalar_query');
}
