import {
  columnsOf,
  type Expr,
  exprsWithin,
  holdsAggregate,
  isInner,
  type Origins,
  queryExprs,
  type Select,
  type SourceId,
} from '../../../sql/index.ts';
import { isCorrelation } from './correlation.ts';
import { extendsParent, type JoinEdge, joinConditions } from './joins.ts';
import { plainJoins } from './plain-joins.ts';
import { referredKey } from './referred-key.ts';

/** A source that only keeps the rows that have some row there, and what joins it to these. */
export interface ExistencePartner {
  readonly source: SourceId;
  /** True when its rows are those that it is joined to, with more columns. */
  readonly same: boolean;
}

interface Joined {
  readonly edges: readonly JoinEdge[];
  readonly origins: Origins;
}

/** The idle sources of a SELECT that say something: what is looked up and not read does not, for a loan has its account. */
export function existencePartners(select: Select, { edges, origins }: Joined): readonly ExistencePartner[] {
  const idle = new Set(idleSources(select, { edges, origins }));
  const reached = new Set(select.from.map(({ source }) => source.id).filter((id) => !idle.has(id)));
  const found: ExistencePartner[] = [];
  for (let grown = true; grown; ) {
    grown = false;
    for (const edge of edges) {
      const [child, parent] = [edge.child.source, edge.parent.source];
      if (reached.has(parent) && idle.has(child) && !reached.has(child)) {
        found.push({ source: child, same: extendsParent(edge, origins) });
      }
      if (reached.has(parent) === reached.has(child)) continue;
      reached.add(child).add(parent);
      grown = true;
    }
  }
  return found;
}

/**
 * The sources that a SELECT joins and reads nothing of, and that join nothing else: they only keep rows that have
 * some row there. None where rows are counted or added up, for that may be what they are joined for.
 */
function idleSources(select: Select, { edges, origins }: Joined): readonly SourceId[] {
  const { from } = select;
  if (from.length < 2 || !from.every(isInner)) return [];
  const plain = plainJoins(select, origins);
  const joins = joinConditions(select).filter((one) => plain.has(one) || isCorrelation(one, select));
  const exprs = queryExprs(select);
  // Counted once a value, rows that are there several times make no difference.
  if (exprs.some((expr) => holdsAggregate(expr) && !isSteady(expr))) return [];
  const own = new Set(from.map(({ source }) => source.id));
  // What joins an enclosing query is what a subquery is about.
  const used = new Set(joins.map(sourcesOf).flatMap((ids) => (ids.every((id) => own.has(id)) ? [] : ids)));
  // A key that is shown is told as that of the row it refers to: what refers to it is not told by that.
  const shown = select.columns.map(({ expr }) => expr);
  const note = (expr: Expr): void => {
    if (joins.includes(expr)) return;
    const referred = shown.includes(expr) ? referredKey(expr, select, { edges, origins }) : null;
    if (referred !== null) return void used.add(referred.source);
    if (expr.kind === 'and') return expr.items.forEach(note);
    for (const { source } of columnsOf(expr)) used.add(source);
  };
  exprs.forEach(note);
  return prune(
    from.map(({ source }) => source.id),
    used,
    joins.map(sourcesOf),
  );
}

/** Whether the aggregates of an expression answer the same however often a row is there. */
function isSteady(expr: Expr): boolean {
  return exprsWithin(expr).every(
    (part) => part.kind !== 'aggregate' || part.distinct || /^(max|min)$/.test(part.name),
  );
}

/** Takes off leaves that nothing is read of, one after the other. */
function prune(
  all: readonly SourceId[],
  used: ReadonlySet<SourceId>,
  joins: readonly (readonly SourceId[])[],
): readonly SourceId[] {
  const left = new Set(all);
  const neighbours = (id: SourceId) =>
    new Set(
      joins
        .filter((pair) => pair.includes(id))
        .flat()
        .filter((other) => other !== id && left.has(other)),
    );
  for (let changed = true; changed && left.size > 1; ) {
    const leaf = [...left].find((id) => !used.has(id) && neighbours(id).size === 1);
    changed = leaf !== undefined;
    if (leaf !== undefined) left.delete(leaf);
  }
  return all.filter((id) => !left.has(id));
}

function sourcesOf(join: Expr): readonly SourceId[] {
  return [...new Set(columnsOf(join).map(({ source }) => source))];
}
