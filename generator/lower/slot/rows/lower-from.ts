import {
  aggregatesIn,
  conjuncts,
  type Expr,
  type FromItem,
  type Query,
  type Select,
  type SourceId,
  visitExpr,
} from '../../../../sql/index.ts';
import { evaluateAsColumn, numberRows } from '../sequence/columns.ts';
import type { LowerContext } from '../sequence/context.ts';
import { Frame } from '../sequence/frame.ts';
import { joinFrames } from '../sequence/join-frames.ts';
import { unsupported } from '../sequence/unsupported.ts';
import { ORDER_SENSITIVE } from './aggregates.ts';
import { type JoinClauses, joinPair, startFrame } from './start-frame.ts';

/** The rows of FROM, and the conditions of WHERE and of inner joins that are still to be applied. */
export interface LoweredFrom {
  readonly frame: Frame;
  readonly conditions: readonly Expr[];
}

/**
 * FROM as a start table of all base tables that can be joined on equal columns, to which derived tables (and
 * what cannot be so joined) are joined by calls.
 */
export function lowerFrom(select: Select, context: LowerContext): LoweredFrom {
  const where = conjuncts(select.where);
  const from = turned(select.from);
  const inner = from.filter(({ join }) => join === 'inner' || join === 'cross');
  const clauses: JoinClauses = {
    on: inner.flatMap(({ on }) => conjuncts(on)),
    // A join without ON is meant to have its condition in WHERE.
    where: inner.some(({ on }) => on === null) ? where : [],
    used: new Set(),
  };
  const [first, ...others] = sourceGroups(from);
  if (!first) throw unsupported('from', 'rows that no table holds');
  const frame = groupFrame(first, clauses, context, from.length === 1 && keepsOrder(select));
  for (const group of others) joinGroup(frame, group, clauses, context);
  const conditions = [...clauses.on, ...where].filter((expr) => !clauses.used.has(expr));
  return { frame, conditions };
}

/** Whether the order of a derived table affects the SELECT's result. */
function keepsOrder(select: Select): boolean {
  if (select.limit !== null && select.orderBy.length === 0) return true;
  const aggregates = select.columns.flatMap(({ expr }) => aggregatesIn(expr));
  return aggregates.some(({ name }) => ORDER_SENSITIVE.has(name));
}

/** Items of FROM that make one frame: several when they are base tables. */
type SourceGroup = readonly FromItem[];

/**
 * Inner joins may come in any order, so all base tables are one start table, which comes first unless FROM begins with
 * a derived table. Else base tables are one start table as far as FROM begins with them and plain equalities join them.
 */
function sourceGroups(items: readonly FromItem[]): SourceGroup[] {
  const isTable = ({ source }: FromItem) => source.kind === 'table';
  if (items.every(({ join }) => join === 'from' || join === 'inner' || join === 'cross')) {
    const tables = items.filter(isTable);
    const derived = items.filter((item) => !isTable(item)).map((item) => [item]);
    if (tables.length === 0) return derived;
    const [first] = items;
    return first && isTable(first)
      ? [tables, ...derived]
      : [...derived.slice(0, 1), tables, ...derived.slice(1)];
  }
  const sources = new Set<SourceId>();
  const joined = items.findIndex((item) => {
    const plain =
      item.join === 'from' || item.join === 'inner' || item.join === 'cross' || joinsPlainly(item, sources);
    sources.add(item.source.id);
    return !isTable(item) || !plain;
  });
  const own = joined < 0 ? items.length : Math.max(1, joined);
  return [items.slice(0, own), ...items.slice(own).map((item) => [item])];
}

/** `a RIGHT JOIN b` as `b LEFT JOIN a`, where base tables and plain equalities do not make a start table of it. */
function turned(items: readonly FromItem[]): readonly FromItem[] {
  const [first, second, ...rest] = items;
  if (!first || second?.join !== 'right') return items;
  const tables = first.source.kind === 'table' && second.source.kind === 'table';
  if (tables && joinsPlainly(second, new Set([first.source.id]))) return items;
  return [{ ...second, join: 'from', on: null }, { ...first, join: 'left', on: second.on }, ...rest];
}

/** Whether an outer join is on equal columns of its table and of earlier ones, and on nothing else. */
function joinsPlainly(item: FromItem, earlier: ReadonlySet<SourceId>): boolean {
  const conditions = conjuncts(item.on);
  return (
    conditions.length > 0 && conditions.every((expr) => joinPair(expr, item.source.id, earlier) !== null)
  );
}

/** One group of sources by itself. */
function groupFrame(group: SourceGroup, clauses: JoinClauses, context: LowerContext, ordered = false): Frame {
  const { source } = group[0] as FromItem;
  if (source.kind === 'table') return startFrame(group, clauses, context);
  const { table, names } =
    source.kind === 'cte'
      ? cteTable(source.name, context, ordered)
      : derivedTable(source.query, context, ordered);
  const frame = new Frame(table.label);
  table.keys.forEach((key, i) => {
    frame.holdColumn(source.id, names[i] as string, key);
  });
  return frame;
}

function derivedTable(query: Query, context: LowerContext, ordered: boolean) {
  return { table: context.table(query, ordered), names: outputNames(query) };
}

function cteTable(name: string, context: LowerContext, ordered: boolean) {
  const entry = context.ctes.get(name);
  if (!entry || entry.cte.recursive) throw unsupported('recursive CTE', 'no tool repeats itself');
  entry.table ??= context.table(entry.cte.query, ordered);
  return { table: entry.table, names: entry.cte.columns };
}

/** The names by which a derived table's columns are read. */
export function outputNames(query: Query): readonly string[] {
  switch (query.kind) {
    case 'select':
      return query.columns.map(({ name }) => name);
    case 'set_operation':
      return outputNames(query.left);
    case 'values':
      return (query.rows[0] ?? []).map((_, i) => `column${i + 1}`);
  }
}

/** Joins one more group to the frame by a call. */
function joinGroup(frame: Frame, group: SourceGroup, clauses: JoinClauses, context: LowerContext): void {
  const { join, on } = group[0] as FromItem;
  if (join === 'right' || join === 'full') {
    throw unsupported(`${join} join`, `a ${join} join of more than base tables on equal columns`);
  }
  const outer = join === 'left';
  const other = groupFrame(
    group.map((item, i) => (i === 0 && outer ? { ...item, on: null, join: 'from' } : item)),
    clauses,
    context,
  );
  const keys: string[] = [];
  const otherKeys: string[] = [];
  const paired: Expr[] = [];
  for (const expr of outer ? conjuncts(on) : [...clauses.on, ...clauses.where]) {
    if (clauses.used.has(expr)) continue;
    const sides = equalSides(expr, frame, other);
    if (sides) {
      keys.push(evaluateAsColumn(sides.here, frame, context));
      otherKeys.push(evaluateAsColumn(sides.there, other, context));
      clauses.used.add(expr);
    } else if (outer && readsNothingElse(expr, other)) {
      // Conditions of a left join on its right side alone can be applied before the join.
      context.filter(expr, other);
    } else if (outer) {
      paired.push(expr);
    }
  }
  if (paired.length > 0) joinPaired(frame, other, keys, otherKeys, paired, context);
  else joinFrames(frame, other, keys, otherKeys, outer ? 'left' : 'inner', context);
}

/** A left join on more than equal columns: the pairs that belong together, joined back to the numbered rows. */
function joinPaired(
  frame: Frame,
  other: Frame,
  keys: readonly string[],
  otherKeys: readonly string[],
  conditions: readonly Expr[],
  context: LowerContext,
): void {
  const id = numberRows(frame, context);
  const pairs = frame.fork();
  joinFrames(pairs, other, keys, otherKeys, 'inner', context);
  for (const condition of conditions) context.filter(condition, pairs);
  joinFrames(frame, pairs, [id], [id], 'left', context);
}

/** The two sides of `=`, one of each frame. */
function equalSides(expr: Expr, here: Frame, there: Frame): { here: Expr; there: Expr } | null {
  if (expr.kind !== 'compare' || expr.op !== '=') return null;
  if (reads(expr.left, here) && reads(expr.right, there)) return { here: expr.left, there: expr.right };
  if (reads(expr.right, here) && reads(expr.left, there)) return { here: expr.right, there: expr.left };
  return null;
}

/** Whether an expression reads columns of a frame and of nothing else. */
function reads(expr: Expr, frame: Frame): boolean {
  let some = false;
  visitExpr(expr, {
    expr: (inner) => {
      if (inner.kind === 'column' && frame.sources.has(inner.source)) some = true;
    },
  });
  return some && readsNothingElse(expr, frame);
}

function readsNothingElse(expr: Expr, frame: Frame): boolean {
  let all = true;
  visitExpr(expr, {
    expr: (inner) => {
      if (inner.kind === 'in_query' || inner.kind === 'exists' || inner.kind === 'scalar_query') all = false;
      if (inner.kind === 'column' && !frame.sources.has(inner.source)) all = false;
    },
  });
  return all;
}
