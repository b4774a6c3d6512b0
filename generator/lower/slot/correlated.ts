import type { Expr, Query, Select } from '../../sql/index.ts';
import { conjunction, isCorrelated, sourceIds, visitExpr } from '../../sql/index.ts';
import type { LowerContext } from './context.ts';
import { compute, evaluateAsColumn } from './evaluate.ts';
import { aggregatesIn } from './expr-key.ts';
import type { Frame } from './frame.ts';
import { aggregateColumns, groupRows } from './group-rows.ts';
import { conjuncts, joinFrames, oneOrMore } from './lower-from.ts';
import { lowerSource } from './lower-rows.ts';
import { sortRows } from './sort-rows.ts';
import { unsupported } from './unsupported.ts';

/** `inner = outer` conditions by which a subquery depends on the query around it. */
interface Correlation {
  readonly inner: Expr;
  readonly outer: Expr;
}

interface Decorrelated {
  readonly select: Select;
  readonly pairs: readonly Correlation[];
}

/** EXISTS: the rows that have a partner in the subquery's rows. */
export function joinExists(
  expr: Extract<Expr, { kind: 'exists' }>,
  frame: Frame,
  context: LowerContext,
): void {
  const { select, pairs } = decorrelate(expr.query, 'exists');
  if (select.having || (select.groupBy.length === 0 && hasAggregates(select))) {
    throw unsupported('exists', 'EXISTS of an aggregate');
  }
  const inner = lowerSource(select, context);
  joinPartners(frame, inner, pairs, expr.negated ? 'anti' : 'semi', context);
}

/** A correlated IN, or one of several columns: the rows that have a partner. */
export function joinInQuery(
  expr: Extract<Expr, { kind: 'in_query' }>,
  frame: Frame,
  context: LowerContext,
): void {
  const { select, pairs } = decorrelate(expr.query, 'in');
  if (expr.negated) throw unsupported('correlated NOT IN', 'NOT IN of a correlated subquery');
  if (hasAggregates(select) || select.groupBy.length > 0 || select.limit) {
    throw unsupported('correlated IN', 'a correlated IN of groups');
  }
  const values = select.columns.map(({ expr: value }) => value);
  const left = expr.expr.kind === 'row' ? expr.expr.items : [expr.expr];
  const equal = left.map((outer, i) => ({ outer, inner: values[i] as Expr }));
  joinPartners(frame, lowerSource(select, context), [...pairs, ...equal], 'semi', context);
}

/**
 * A correlated subquery used as a value: its rows grouped by what they are compared with, one value a group,
 * joined to the rows of the query. Answers the column of the value.
 */
export function joinScalarQuery(
  expr: Extract<Expr, { kind: 'scalar_query' }>,
  frame: Frame,
  context: LowerContext,
): string {
  const { select, pairs } = decorrelate(expr.query, 'scalar subquery');
  const [output] = select.columns;
  if (pairs.length === 0 || !output || select.having || select.groupBy.length > 0 || select.limit?.offset) {
    throw unsupported('correlated subquery', 'a correlated subquery of groups');
  }
  const inner = lowerSource(select, context);
  const aggregates = aggregatesIn(output.expr);
  if (aggregates.length === 0) sortRows(select.orderBy, inner, context);
  const value = aggregates.length === 0 ? evaluateAsColumn(output.expr, inner, context) : null;
  if (value !== null) inner.hold(output.expr, value);
  const wanted = aggregateColumns(aggregates, inner, context);
  groupRows(
    pairs.map((pair) => pair.inner),
    wanted,
    inner,
    context,
  );
  const keys = pairs.map(({ outer }) => evaluateAsColumn(outer, frame, context));
  const otherKeys = pairs.map((pair) => evaluateAsColumn(pair.inner, inner, context));
  joinFrames(frame, inner, keys, otherKeys, 'left', context);
  for (const aggregate of aggregates) {
    // Where there is no partner a join gives NULL, and COUNT would be 0.
    if (aggregate.name !== 'count') continue;
    const key = frame.find(aggregate) as string;
    const made = compute(null, { kind: 'key', key }, 'coalesce', { operand: 0 }, frame, context);
    frame.hold(aggregate, (made as { key: string }).key);
  }
  const key = evaluateAsColumn(output.expr, frame, context);
  frame.hold(expr, key);
  return key;
}

function joinPartners(
  frame: Frame,
  inner: Frame,
  pairs: readonly Correlation[],
  type: 'semi' | 'anti',
  context: LowerContext,
): void {
  const keys = pairs.map(({ outer }) => evaluateAsColumn(outer, frame, context));
  const otherKeys = pairs.map((pair) => evaluateAsColumn(pair.inner, inner, context));
  frame.label = context.sequence.call('join_data', {
    data_source: `$${frame.label}$`,
    other_data_source: `$${inner.label}$`,
    key_name: oneOrMore(keys),
    other_key_name: oneOrMore(otherKeys),
    join_type: type,
  });
}

/** A subquery without the equalities that tie it to the query around it. Throws when it is tied otherwise. */
function decorrelate(query: Query, clause: string): Decorrelated {
  if (query.kind !== 'select') throw unsupported(clause, 'a correlated set operation');
  const own = sourceIds(query);
  const isOuter = (expr: Expr) => sides(expr, own) === 'outer';
  const isInner = (expr: Expr) => sides(expr, own) === 'inner';
  const pairs: Correlation[] = [];
  const rest = conjuncts(query.where).filter((expr) => {
    if (expr.kind !== 'compare' || expr.op !== '=') return true;
    if (isInner(expr.left) && isOuter(expr.right)) pairs.push({ inner: expr.left, outer: expr.right });
    else if (isInner(expr.right) && isOuter(expr.left)) pairs.push({ inner: expr.right, outer: expr.left });
    else return true;
    return false;
  });
  const select: Select = { ...query, where: rest.length === 0 ? null : conjunction(rest) };
  if (isCorrelated(select))
    throw unsupported(`correlated ${clause}`, 'a subquery tied by more than equalities');
  return { select, pairs };
}

/** Whose columns an expression reads. */
function sides(expr: Expr, own: ReadonlySet<string>): 'inner' | 'outer' | 'both' | 'none' {
  const found = new Set<boolean>();
  visitExpr(expr, {
    expr: (inner) => {
      if (inner.kind === 'column') found.add(own.has(inner.source));
    },
  });
  if (found.size === 2) return 'both';
  return found.has(true) ? 'inner' : found.has(false) ? 'outer' : 'none';
}

function hasAggregates(select: Select): boolean {
  return select.columns.some(({ expr }) => aggregatesIn(expr).length > 0);
}
