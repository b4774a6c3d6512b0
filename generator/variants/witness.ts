import {
  type Block,
  type Column,
  conjunction,
  conjuncts,
  type Expr,
  type FromItem,
  freeSources,
  integerLiteral,
  node,
  type OutputColumn,
  ownExprs,
  type Query,
  type Select,
  type TableSource,
} from '../../sql/index.ts';
import type { TableShape } from './table-shape.ts';

/** Rows read per query. */
const WITNESSES = 6;

/** A table that a SELECT reads. */
interface WitnessSource {
  readonly source: TableSource;
  readonly shape: TableShape;
}

/** Queries for combinations of base rows that reach a SELECT's result. */
export interface Witness {
  readonly sources: readonly WitnessSource[];
  /** By position: the source and column of each result column. */
  readonly cells: readonly { readonly source: string; readonly column: string }[];
  /** With all conditions. */
  readonly exact: Query;
  /** With join conditions only; null when that is the same query. */
  readonly loose: Query | null;
  /** Without conditions, side by side. */
  readonly apart: Query;
  /** Pairs of columns that a condition equates. */
  readonly equalities: readonly (readonly [Column, Column])[];
  /** The conditions of ON and WHERE. */
  readonly conditions: readonly Expr[];
}

/** null for a SELECT that reads no table. Ignores conditions on outer rows. */
export function witnessOf({ select, ctes }: Block, shapes: ReadonlyMap<string, TableShape>): Witness | null {
  const sources = select.from.flatMap(({ source }) => {
    const shape = source.kind === 'table' ? shapes.get(source.table) : undefined;
    return source.kind === 'table' && shape ? [{ source, shape }] : [];
  });
  if (sources.length === 0) return null;

  const own = new Set(select.from.map(({ source }) => source.id));
  const isOwn = (expr: Expr) => [...freeSources(expr)].every((id) => own.has(id));
  const where = conjuncts(select.where).filter(isOwn);
  const connections = where.filter((expr) => equality(expr) !== null);
  const conditions = [...select.from.flatMap(({ on }) => conjuncts(on)), ...where];

  const cells = sources.flatMap(({ source, shape }) =>
    shape.columns.map(({ name }) => ({ source: source.id, column: name })),
  );
  const columns = cells.map(
    ({ source, column }, i): OutputColumn =>
      node({
        expr: node({ kind: 'column', source, name: column }),
        name: `c${i}`,
        alias: null,
      }),
  );
  const reading = (from: readonly FromItem[], kept: readonly Expr[]): Select =>
    node({
      kind: 'select',
      with: ctes,
      distinct: false,
      columns,
      from,
      where: kept.length > 0 ? conjunction(kept) : null,
      groupBy: [],
      having: null,
      orderBy: [],
      limit: { count: integerLiteral(BigInt(WITNESSES)), offset: null },
    });
  return {
    sources,
    cells,
    exact: reading(select.from, where),
    loose: where.length > connections.length ? reading(select.from, connections) : null,
    apart: reading(
      sources.map(({ source }, i) => node({ join: i === 0 ? 'from' : 'cross', source, on: null })),
      [],
    ),
    equalities: conditions.map(equality).filter((pair) => pair !== null),
    conditions,
  };
}

/** The two columns that a condition equates, or null. */
function equality(expr: Expr): readonly [Column, Column] | null {
  if (expr.kind !== 'compare' || (expr.op !== '=' && expr.op !== 'is')) return null;
  const { left, right } = expr;
  return left.kind === 'column' && right.kind === 'column' && left.source !== right.source
    ? [left, right]
    : null;
}

/** Columns whose extremes decide the answer: sort keys, MAX and MIN. */
export function contests(select: Select): { readonly column: Column; readonly greatest: boolean }[] {
  const found: { column: Column; greatest: boolean }[] = [];
  for (const { expr, direction } of select.orderBy) {
    for (const part of ownExprs(expr)) {
      if (part.kind === 'column') found.push({ column: part, greatest: direction === 'desc' });
    }
  }
  const exprs = [...select.columns.map(({ expr }) => expr), ...(select.having ? [select.having] : [])];
  for (const part of exprs.flatMap((expr) => [...ownExprs(expr)])) {
    const [arg] = part.kind === 'aggregate' ? part.args : [];
    if (part.kind === 'aggregate' && (part.name === 'max' || part.name === 'min') && arg?.kind === 'column') {
      found.push({ column: arg, greatest: part.name === 'max' });
    }
  }
  return found;
}
