import type { Compare, Expr, Literal, Query, Select } from '../../../sql/index.ts';
import type { Choice } from '../choices/choice.ts';
import { conjuncts, isPlainJoin, joinConditions } from '../outline/joins.ts';
import { keyTable } from '../tree/key-table.ts';
import type { Origins } from '../tree/origins.ts';
import { exprsOf, exprsWithin } from '../tree/parts.ts';

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
    conditions.every((one) =>
      one.kind === 'or'
        ? conditions.length === 1 && one.items.every((item) => isChoice(item, known))
        : isPlain(one, query, known),
    )
  );
}

/** The conditions of a SELECT that say more than which rows belong together. */
export function filtersOf(select: Select, origins: Origins): readonly Expr[] {
  return [...joinConditions(select), ...conjuncts(select.having)].filter((one) => !isPlainJoin(one, origins));
}

function isPlain(condition: Expr, select: Select, known: Known): boolean {
  switch (condition.kind) {
    case 'or':
    case 'and':
    case 'not':
      return false;
    case 'in_query':
    case 'exists':
      return condition.negated || (condition.query.kind === 'select' && isFlat(condition.query, known));
    case 'compare':
      if (isLookup(condition, known)) return true;
      return [condition.left, condition.right].every((side) => !readsApart(side, select, known));
    default:
      return true;
  }
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
    return filtersOf(part.query, origins).some((one) => {
      const chosen = choicesIn(exprsWithin(one), choiceOf);
      return chosen.length === 0 || chosen.some((choice) => !here.has(choice));
    });
  });
}

/** The parts of a condition outside its subqueries. */
function directly(expr: Expr): readonly Expr[] {
  const parts = exprsWithin(expr);
  const inside = new Set(parts.flatMap((part) => (part.kind === 'scalar_query' ? exprsOf(part.query) : [])));
  return parts.filter((part) => !inside.has(part));
}

function isChoice(item: Expr, { choiceOf }: Known): boolean {
  if (!['compare', 'like', 'between', 'in_list'].includes(item.kind)) return false;
  const parts = exprsWithin(item);
  return choicesIn(parts, choiceOf).length > 0 && !parts.some(({ kind }) => kind === 'scalar_query');
}

function choicesIn(parts: readonly Expr[], choiceOf: ReadonlyMap<Literal, Choice>): readonly Choice[] {
  return parts.flatMap((part) => (part.kind === 'literal' ? (choiceOf.get(part) ?? []) : []));
}
