import {
  aggregatesIn,
  disjunction,
  type Expr,
  isCorrelated,
  type Query,
  type Select,
} from '../../../../sql/index.ts';
import { outputNames } from '../rows/lower-from.ts';
import type { LowerContext } from '../sequence/context.ts';
import type { Frame } from '../sequence/frame.ts';
import { unsupported } from '../sequence/unsupported.ts';
import { decorrelate, isGroupedByTies } from './decorrelate.ts';
import { keepIncludedOfGroups } from './included-rows.ts';
import { keepPartnerGroups, keepPartners } from './partner-rows.ts';

/** EXISTS: the rows that have a partner in the subquery's rows. */
export function keepExisting(
  expr: Extract<Expr, { kind: 'exists' }>,
  frame: Frame,
  context: LowerContext,
): void {
  const type = expr.negated ? 'anti' : 'semi';
  const subquery = decorrelate(expr.query, 'exists');
  const { select } = subquery;
  if (select.having && isGroupedByTies(subquery)) {
    keepPartnerGroups(frame, subquery, type, context);
    return;
  }
  if (select.having || (select.groupBy.length === 0 && hasAggregates(select))) {
    throw unsupported('exists', 'EXISTS of an aggregate');
  }
  keepPartners(frame, subquery, type, context);
}

/** A correlated IN, or one of several columns: the rows that have a partner with these values. */
export function keepIncluded(
  expr: Extract<Expr, { kind: 'in_query' }>,
  frame: Frame,
  context: LowerContext,
): void {
  const subquery = decorrelate(asPlainRows(expr.query), 'in');
  const { select } = subquery;
  const left = expr.expr.kind === 'row' ? expr.expr.items : [expr.expr];
  if (hasAggregates(select) || select.groupBy.length > 0 || select.limit || isCorrelated(select)) {
    if (expr.negated) throw unsupported('correlated in', 'NOT IN of groups or cut rows for each row');
    keepIncludedOfGroups(frame, subquery, left, context);
    return;
  }
  const ties = select.columns.map(({ expr: inner }, i) => ({ inner, outer: left[i] as Expr }));
  if (!expr.negated) {
    keepPartners(frame, { ...subquery, ties: [...subquery.ties, ...ties] }, 'semi', context);
    return;
  }
  // NOT IN keeps a row only if it differs from all values: with a NULL on either side it does not.
  const [tie] = ties;
  if (!tie || ties.length > 1) throw unsupported('correlated in', 'NOT IN of several columns');
  const mayEqual = disjunction([
    { kind: 'compare', op: '=', left: tie.outer, right: tie.inner },
    { kind: 'is_null', expr: tie.outer, negated: false },
    { kind: 'is_null', expr: tie.inner, negated: false },
  ]);
  keepPartners(frame, { ...subquery, conditions: [...subquery.conditions, mayEqual] }, 'anti', context);
}

function hasAggregates(select: Select): boolean {
  return select.columns.some(({ expr }) => aggregatesIn(expr).length > 0);
}

/** Groups, set operations and cut rows as a derived table, which any condition can be asked of. */
function asPlainRows(query: Query): Query {
  const plain =
    query.kind === 'select' && query.groupBy.length === 0 && !query.limit && !hasAggregates(query);
  if (plain || isCorrelated(query)) return query;
  const names = outputNames(query);
  const source = 'included';
  return {
    kind: 'select',
    with: [],
    distinct: false,
    columns: names.map((name) => ({ expr: { kind: 'column', source, name }, name, alias: null })),
    from: [{ join: 'from', source: { kind: 'derived', id: source, query, alias: '' }, on: null }],
    where: null,
    groupBy: [],
    having: null,
    orderBy: [],
    limit: null,
  };
}
