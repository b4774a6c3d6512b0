import type { Expr, Query, Select } from '../../sql/index.ts';
import type { LowerContext } from './context.ts';
import { countUses } from './count-uses.ts';
import { evaluateAsColumn } from './evaluate.ts';
import { aggregatesIn, exprKey, visitOwn } from './expr-key.ts';
import { filterRows } from './filter-rows.ts';
import type { Frame } from './frame.ts';
import { aggregateColumns, closeGroups, groupRows } from './group-rows.ts';
import { lowerFrom } from './lower-from.ts';
import { sortRows } from './sort-rows.ts';
import { unsupported } from './unsupported.ts';

/** The rows of FROM and WHERE; `alsoUsed` are expressions over them that are wanted besides the query's own. */
export function lowerSource(select: Select, context: LowerContext, alsoUsed: readonly Expr[] = []): Frame {
  registerCtes(select, context);
  const { frame, conditions } = lowerFrom(select, context);
  countUses(select, frame, [...conditions, ...alsoUsed]);
  for (const condition of conditions) filterRows(condition, frame, context);
  return frame;
}

/** Makes a query's common table expressions known; their names are unique in the whole query. */
export function registerCtes(query: Query, context: LowerContext): void {
  for (const cte of query.with) {
    if (!context.ctes.has(cte.name)) context.ctes.set(cte.name, { cte, table: null });
  }
}

/**
 * DISTINCT takes the first of equal rows before ORDER BY sorts them. Where the order is by something that is
 * not shown, that is a group with the value of its first row.
 */
function distinctAsGroups(select: Select): Select {
  if (!select.distinct || isAggregated(select)) return select;
  const shown = new Set(select.columns.map(({ expr }) => exprKey(expr)));
  const sortsByHidden = select.orderBy.some(({ expr }) => !shown.has(exprKey(expr)) && readsARow(expr));
  if (!sortsByHidden || select.columns.some(({ expr }) => windowsIn(expr).length > 0)) return select;
  return { ...select, distinct: false, groupBy: select.columns.map(({ expr }) => expr) };
}

/** The rows of a SELECT, grouped and sorted, and the column of each result column; not yet distinct or limited. */
export function lowerRows(given: Select, context: LowerContext, ordered: boolean) {
  const select = ordered ? distinctAsGroups(given) : given;
  const frame = lowerSource(select, context);
  const terms = ordered ? select.orderBy : [];
  if (isAggregated(select)) {
    closeGroups(frame, context);
    const clauses = [
      ...select.columns.map(({ expr }) => expr),
      ...(select.having ? [select.having] : []),
      ...terms.map(({ expr }) => expr),
    ];
    const aggregates = aggregateColumns(clauses.flatMap(aggregatesIn), frame, context);
    groupRows(select.groupBy, aggregates, frame, context);
    if (select.having) filterRows(select.having, frame, context);
  }
  // A window sees the rows before they are cut, in whatever order they are.
  for (const { expr } of select.columns)
    for (const window of windowsIn(expr)) evaluateAsColumn(window, frame, context);
  sortRows(terms, frame, context);
  const keys = select.columns.map(({ expr }) => evaluateAsColumn(expr, frame, context));
  return { frame, keys, distinct: select.distinct };
}

/** Whether the rows of a SELECT are groups. */
export function isAggregated(select: Select): boolean {
  return (
    select.groupBy.length > 0 ||
    select.having !== null ||
    [...select.columns, ...select.orderBy].some(({ expr }) => aggregatesIn(expr).length > 0)
  );
}

/** Whether a SELECT answers one row of values computed from the whole table, and nothing of a single row. */
export function isWholeTable(select: Select): boolean {
  if (select.groupBy.length > 0 || select.having !== null) return false;
  const exprs = select.columns.map(({ expr }) => expr);
  return exprs.some((expr) => aggregatesIn(expr).length > 0) && !exprs.some(readsARow);
}

/** Whether an expression reads a column other than inside an aggregate. */
function readsARow(expr: Expr): boolean {
  let found = false;
  visitOwn(expr, (inner) => {
    if (inner.kind === 'column' || inner.kind === 'window') found = true;
    return inner.kind !== 'aggregate';
  });
  return found;
}

function windowsIn(expr: Expr): Expr[] {
  const found: Expr[] = [];
  visitOwn(expr, (inner) => {
    if (inner.kind === 'window') found.push(inner);
    return inner.kind !== 'window';
  });
  return found;
}

/** LIMIT and OFFSET as numbers; -1: no limit. */
export function limitOf(query: { limit: Select['limit'] }): { limit: number; offset: number } {
  if (!query.limit) return { limit: -1, offset: 0 };
  return {
    limit: Math.max(-1, wholeNumber(query.limit.count)),
    offset: query.limit.offset ? Math.max(0, wholeNumber(query.limit.offset)) : 0,
  };
}

function wholeNumber(expr: Expr): number {
  if (expr.kind === 'literal' && expr.type === 'integer') return Number(expr.value);
  if (expr.kind === 'unary' && expr.op === '-') return -wholeNumber(expr.expr);
  throw unsupported('limit', 'a LIMIT that is not a number');
}
