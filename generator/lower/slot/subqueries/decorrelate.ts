import {
  conjunction,
  conjuncts,
  type Expr,
  isCorrelated,
  type Query,
  type Select,
  sameExpr,
  sourceIds,
  visitExpr,
} from '../../../../sql/index.ts';
import { unsupported } from '../sequence/unsupported.ts';

/** `inner = outer`, which correlates a subquery's rows with those of the enclosing query. */
export interface Tie {
  readonly inner: Expr;
  readonly outer: Expr;
}

export interface Decorrelated {
  /** The subquery without the conditions that correlate it. */
  readonly select: Select;
  readonly ties: readonly Tie[];
  /** Conditions on columns of both that are not such equalities. */
  readonly conditions: readonly Expr[];
}

/**
 * Removes the conditions on the enclosing query from a subquery. Throws when it depends on that query in another way.
 */
export function decorrelate(query: Query, clause: string): Decorrelated {
  if (query.kind !== 'select') throw unsupported(`correlated ${clause}`, 'a correlated set operation');
  const own = sourceIds(query);
  const ties: Tie[] = [];
  const conditions: Expr[] = [];
  const rest = conjuncts(query.where).filter((expr) => {
    if (!readsOthers(expr, own)) return true;
    const tie = asTie(expr, own);
    if (tie) ties.push(tie);
    else conditions.push(expr);
    return false;
  });
  const select: Select = { ...query, where: rest.length === 0 ? null : conjunction(rest) };
  const { columns: _columns, ...clauses } = select;
  if (isCorrelated({ ...clauses, columns: [] })) {
    throw unsupported(`correlated ${clause}`, 'a subquery tied other than in its WHERE');
  }
  return { select, ties, conditions };
}

/** Whether the rows tied to one row of the query around it are one group, or none. */
export function isGroupedByTies({ select, ties, conditions }: Decorrelated): boolean {
  return (
    select.groupBy.length > 0 &&
    conditions.length === 0 &&
    select.groupBy.every((expr) => ties.some(({ inner }) => sameExpr(inner, expr)))
  );
}

function asTie(expr: Expr, own: ReadonlySet<string>): Tie | null {
  if (expr.kind !== 'compare' || expr.op !== '=') return null;
  const { left, right } = expr;
  const isOwn = (side: Expr) => !readsOthers(side, own) && readsOwn(side, own);
  const isOther = (side: Expr) => readsOthers(side, own) && !readsOwn(side, own);
  if (isOwn(left) && isOther(right)) return { inner: left, outer: right };
  if (isOwn(right) && isOther(left)) return { inner: right, outer: left };
  return null;
}

function readsOwn(expr: Expr, own: ReadonlySet<string>): boolean {
  return readsColumn(expr, (source) => own.has(source));
}

/** Whether an expression reads columns of another query. */
export function readsOthers(expr: Expr, own: ReadonlySet<string>): boolean {
  return readsColumn(expr, (source) => !own.has(source));
}

function readsColumn(expr: Expr, wanted: (source: string) => boolean): boolean {
  let found = false;
  const own = new Set<string>();
  visitExpr(expr, {
    // Sources of a nested subquery do not matter here.
    query: (inner) => {
      if (inner.kind === 'select') for (const { source } of inner.from) own.add(source.id);
    },
    expr: (inner) => {
      if (inner.kind === 'column' && !own.has(inner.source) && wanted(inner.source)) found = true;
    },
  });
  return found;
}
