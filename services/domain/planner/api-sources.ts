import type { CatalogTable } from '../../../contracts/catalog.ts';
import type { TableApiStyle } from '../../../contracts/table-api.ts';
import {
  affinityOf,
  type Column,
  columnsOfQuery,
  conjunction,
  conjuncts,
  type Expr,
  exprsWithin,
  freeSources,
  isCorrelated,
  isNumeric,
  leftmost,
  node,
  Origins,
  type Query,
  queriesOf,
  type Select,
  type SourceId,
  sourceIds,
  subqueryOf,
  type TableSource,
} from '../../../sql/index.ts';
import { type Conjunction, constraintOf } from './constraint.ts';
import type { PlanScope } from './plan-scope.ts';

/** A mention of a hidden table: its rows come from an API. */
export interface ApiSource {
  readonly source: TableSource;
  readonly table: CatalogTable;
  /** Which columns the statement reads. */
  readonly columns: readonly string[];
  /** What the statement says of its rows by itself. */
  readonly constraint: readonly Conjunction[];
  /** Where else its rows are tied to others. */
  readonly links: readonly Link[];
}

/** Rows of a source matter only where a column has a value that a query gives. */
export interface Link {
  readonly column: string;
  /** What gives the values, once `needs` have their rows: the more others have theirs, the fewer values. */
  readonly keys: (isReady: (id: SourceId) => boolean) => Query;
  /** Sources that must have their rows first. */
  readonly needs: ReadonlySet<SourceId>;
}

/** The mentions of hidden tables in a query, in the order of their names there. */
export function apiSources(query: Query, scope: PlanScope, style: TableApiStyle): ApiSource[] {
  const { catalog, hidden, virtual } = scope;
  const origins = new Origins(query, catalog);
  const tables = new Map(catalog.tables.map((table) => [table.name, table]));
  const read = new Map<SourceId, Set<string>>();
  for (const { source, name } of columnsOfQuery(query)) {
    const names = read.get(source) ?? new Set<string>();
    read.set(source, names.add(name));
  }
  return selects(query).flatMap((select) =>
    select.from.flatMap(({ source }) => {
      const table =
        source.kind === 'table' && hidden.has(source.table) ? tables.get(source.table) : undefined;
      if (source.kind !== 'table' || !table) return [];
      const conditions = necessaryConditions(select, source.id);
      const column = (name: string) => table.columns.find((each) => each.name === name);
      return [
        {
          source,
          table,
          columns: [...(read.get(source.id) ?? [])],
          constraint: constraintOf(conditions, { id: source.id, column, style }),
          links: conditions.flatMap((condition) => linkOf(condition, source.id, { origins, virtual })),
        },
      ];
    }),
  );
}

function selects(query: Query): Select[] {
  return queriesOf(query).filter((one) => one.kind === 'select');
}

/**
 * Conditions that a row of a source must fulfil to matter at all. WHERE is one wherever the source stands: all that is made
 * of conditions below rejects the NULLs that stand for a row that is left out. ON of an inner join is one; ON of a left join
 * for its right side.
 */
function necessaryConditions(select: Select, id: SourceId): readonly Expr[] {
  const where = conjuncts(select.where);
  if (select.from.some(({ join }) => join === 'right' || join === 'full')) return where;
  const on = select.from.flatMap(({ join, on: condition, source }) =>
    join !== 'left' || source.id === id ? conjuncts(condition) : [],
  );
  return [...where, ...on];
}

interface LinkContext {
  readonly origins: Origins;
  readonly virtual: ReadonlySet<string>;
}

/** `source.column = other.column`, or `source.column IN (SELECT …)`. */
function linkOf(condition: Expr, id: SourceId, context: LinkContext): Link[] {
  if (condition.kind === 'in_query') {
    const { expr, query, negated } = condition;
    if (negated || expr.kind !== 'column' || expr.source !== id || isCorrelated(query)) return [];
    // What a common table expression holds is not known outside of it.
    const own = sourceIds(query);
    const reads = [...own].every((source) => context.origins.sourceOf(source)?.kind !== 'cte');
    const first = leftmost(query);
    const given = first.kind === 'select' ? first.columns[0]?.expr : undefined;
    if (!reads || !given || !comparesAlike(expr, given, context.origins)) return [];
    return [{ column: expr.name, keys: () => query, needs: own }];
  }
  if (condition.kind !== 'compare' || condition.op !== '=') return [];
  const { left, right } = condition;
  return [linkTo(left, right, id, context), linkTo(right, left, id, context)].filter((link) => link !== null);
}

function linkTo(own: Expr, other: Expr, id: SourceId, { origins, virtual }: LinkContext): Link | null {
  if (own.kind !== 'column' || own.source !== id) return null;
  if (other.kind !== 'column' || other.source === id) return null;
  const select = origins.selectOf(other.source);
  const source = origins.sourceOf(other.source);
  if (!select || source?.kind !== 'table' || virtual.has(source.table)) return null;
  if (!comparesAlike(own, other, origins)) return null;
  const isTable = (each: SourceId) => {
    const found = origins.sourceOf(each);
    return found?.kind === 'table' && !virtual.has(found.table);
  };
  const needs = new Set([other.source]);
  const keys: Link['keys'] = (isReady) => valuesOf(other, select, (each) => isTable(each) && isReady(each));
  return { column: own.name, keys, needs };
}

/**
 * Whether a column equals another value exactly where it equals the same value alone: of two columns SQLite converts one to
 * the kind of the other, and compares by the collation of one.
 */
function comparesAlike(own: Expr, other: Expr, origins: Origins): boolean {
  const column = origins.baseColumn(own)?.column;
  if (!column || column.collation !== 'BINARY') return false;
  const from = origins.baseColumn(other)?.column;
  if (other.kind === 'column' && from?.collation !== 'BINARY') return false;
  const [mine, theirs] = [affinityOf(own, origins), affinityOf(other, origins)];
  if (column.type !== 'string') return isNumeric(mine);
  return !isNumeric(mine) && !isNumeric(theirs);
}

/** The values of a column, in rows that other sources with rows leave over. */
function valuesOf(column: Column, select: Select, isReady: (id: SourceId) => boolean): Query {
  const isInner = select.from.every(({ join }) => join === 'from' || join === 'inner' || join === 'cross');
  const conditions = [
    ...conjuncts(select.where),
    ...(isInner ? select.from.flatMap(({ on }) => conjuncts(on)) : []),
  ].filter(isPlain);
  const joined = new Set([column.source]);
  // Only what an equality ties to the rest: anything else would multiply rows.
  for (let grows = isInner; grows; ) {
    grows = false;
    for (const condition of conditions) {
      if (condition.kind !== 'compare' || condition.op !== '=') continue;
      const sides = [...freeSources(condition)];
      const next = sides.filter((side) => !joined.has(side));
      const [only] = next;
      if (only === undefined || next.length > 1 || sides.length < 2 || !isReady(only)) continue;
      if (!select.from.some(({ source }) => source.id === only)) continue;
      joined.add(only);
      grows = true;
    }
  }
  const from = select.from.filter(({ source }) => joined.has(source.id));
  const holding = conditions.filter((condition) =>
    [...freeSources(condition)].every((each) => joined.has(each)),
  );
  return node({
    kind: 'select',
    with: [],
    distinct: true,
    columns: [node({ expr: column, name: 'key', alias: null })],
    from: from.map(({ source }, i) => node({ join: i === 0 ? 'from' : 'cross', source, on: null } as const)),
    where: holding.length === 0 ? null : conjunction(holding),
    groupBy: [],
    having: null,
    orderBy: [],
    limit: null,
  } as const);
}

/** Whether a condition can be asked beforehand: nothing of it is a query or takes a call. */
function isPlain(condition: Expr): boolean {
  return exprsWithin(condition).every(
    (part) =>
      subqueryOf(part) === null &&
      part.kind !== 'call' &&
      part.kind !== 'aggregate' &&
      part.kind !== 'window',
  );
}
