import {
  aggregatesIn,
  childExprs,
  type Expr,
  exprKey,
  isAggregated,
  type Query,
  type Select,
  type SetOperation,
} from '../../../../sql/index.ts';
import { evaluateAsColumn } from '../sequence/columns.ts';
import type { LowerContext } from '../sequence/context.ts';
import type { Frame } from '../sequence/frame.ts';
import { oneOrMore } from '../sequence/one-or-more.ts';
import { unsupported } from '../sequence/unsupported.ts';
import { cutByNumber, isComputed } from './computed-limit.ts';
import { countUses } from './count-uses.ts';
import { aggregateColumns, closeGroups, groupRows } from './group-rows.ts';
import { lowerFrom } from './lower-from.ts';
import { sortRows } from './sort-rows.ts';

/** The rows of FROM and WHERE; `alsoUsed` are expressions over them that are wanted besides the query's own. */
export function lowerSource(select: Select, context: LowerContext, alsoUsed: readonly Expr[] = []): Frame {
  registerCtes(select, context);
  const { frame, conditions } = lowerFrom(select, context);
  countUses(select, frame, [...conditions, ...alsoUsed]);
  for (const condition of conditions) context.filter(condition, frame);
  return frame;
}

/** Makes a query's common table expressions known; their names are unique in the whole query. */
export function registerCtes(query: Query, context: LowerContext): void {
  for (const cte of query.with) {
    if (!context.ctes.has(cte.name)) context.ctes.set(cte.name, { cte, table: null });
  }
}

interface RowsWanted {
  /** Whether ORDER BY matters. */
  readonly ordered: boolean;
  /** Whether a single column may still have to be made distinct, as it is read. */
  readonly distinct: 'rows' | 'values';
}

interface LoweredRows {
  readonly frame: Frame;
  /** The column of each result column. */
  readonly keys: readonly string[];
  /** The one column has still to be made distinct. */
  readonly distinct: boolean;
}

/** The rows of a SELECT, grouped, sorted and distinct, but not yet limited; a LIMIT that is computed cuts them here. */
export function lowerRows(select: Select, context: LowerContext, wanted: RowsWanted): LoweredRows {
  const computed = isComputed(select.limit);
  const rows = sortedRows(select, context, computed ? { ...wanted, distinct: 'rows' } : wanted);
  if (computed && select.limit) cutByNumber(select.limit, rows.frame, context);
  return rows;
}

function sortedRows(select: Select, context: LowerContext, wanted: RowsWanted): LoweredRows {
  const frame = lowerSource(select, context);
  const terms = wanted.ordered ? select.orderBy : [];
  if (isAggregated(select)) lowerGroups(select, terms, frame, context);
  // A window sees the rows before they are cut, in whatever order they are.
  for (const { expr } of select.columns)
    for (const window of windowsIn(expr)) evaluateAsColumn(window, frame, context);

  const outputs = () => select.columns.map(({ expr }) => evaluateAsColumn(expr, frame, context));
  const distinct = select.distinct && !isDistinctAnyway(select);
  if (distinct && sortsByHidden(select, terms)) {
    // DISTINCT keeps the first of equal rows before ORDER BY sorts them.
    const keys = outputs();
    keepDistinct(frame, keys, context);
    sortRows(decisive(terms, select), frame, context);
    return { frame, keys, distinct: false };
  }
  sortRows(decisive(terms, select), frame, context);
  const keys = outputs();
  if (distinct && (keys.length > 1 || wanted.distinct === 'rows')) {
    keepDistinct(frame, keys, context);
    return { frame, keys, distinct: false };
  }
  return { frame, keys, distinct };
}

function lowerGroups(select: Select, terms: Select['orderBy'], frame: Frame, context: LowerContext): void {
  closeGroups(frame, context);
  const clauses = [
    ...select.columns.map(({ expr }) => expr),
    ...(select.having ? [select.having] : []),
    ...terms.map(({ expr }) => expr),
  ];
  const aggregates = aggregateColumns(clauses.flatMap(aggregatesIn), frame, context);
  groupRows(select.groupBy, aggregates, frame, context);
  if (select.having) context.filter(select.having, frame);
}

function keepDistinct(frame: Frame, keys: readonly string[], context: LowerContext): void {
  frame.label = context.sequence.call('select_unique_values', {
    unique_array: `$${frame.label}$`,
    key_name: oneOrMore([...new Set(keys)]),
  });
}

/** Groups differ in their keys: sort terms after all of these have no effect. */
function decisive(terms: Select['orderBy'], { groupBy }: Select): Select['orderBy'] {
  const missing = new Set(groupBy.map(exprKey));
  const last = terms.findIndex(({ expr }) => missing.delete(exprKey(expr)) && missing.size === 0);
  return last < 0 ? terms : terms.slice(0, last + 1);
}

function sortsByHidden(select: Select, terms: Select['orderBy']): boolean {
  const shown = new Set(select.columns.map(({ expr }) => exprKey(expr)));
  return terms.some(
    ({ expr }) => !shown.has(exprKey(expr)) && (readsARow(expr) || aggregatesIn(expr).length > 0),
  );
}

/** Groups differ in their keys: when all keys are shown, so do the rows. */
function isDistinctAnyway(select: Select): boolean {
  if (!isAggregated(select) || select.columns.length === 1) return false;
  const shown = new Set(select.columns.map(({ expr }) => exprKey(expr)));
  return select.groupBy.every((expr) => shown.has(exprKey(expr)));
}

/** Whether a SELECT returns one row, computed from the whole table only. */
export function isWholeTable(select: Select): boolean {
  if (select.groupBy.length > 0 || select.having !== null) return false;
  const exprs = select.columns.map(({ expr }) => expr);
  return exprs.some((expr) => aggregatesIn(expr).length > 0) && !exprs.some(readsARow);
}

/** Whether an expression reads a column other than inside an aggregate. */
function readsARow(expr: Expr): boolean {
  if (expr.kind === 'aggregate') return false;
  return expr.kind === 'column' || expr.kind === 'window' || childExprs(expr).some(readsARow);
}

function windowsIn(expr: Expr): readonly Expr[] {
  return expr.kind === 'window' ? [expr] : childExprs(expr).flatMap(windowsIn);
}

/** LIMIT and OFFSET as numbers; -1: no limit, or that of a SELECT which `lowerRows` applies. */
export function limitOf(query: Pick<Select | SetOperation, 'limit'> & { readonly kind?: Query['kind'] }): {
  limit: number;
  offset: number;
} {
  if (!query.limit || (query.kind === 'select' && isComputed(query.limit))) return { limit: -1, offset: 0 };
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
