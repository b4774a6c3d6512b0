import { type CatalogColumn, type CatalogTable, declaredAffinity } from '../../../contracts/catalog.ts';
import type { TableApiStyle } from '../../../contracts/hybrid.ts';
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
  plainSelect,
  type Query,
  type Select,
  type SourceId,
  selectsOf,
  sourceIds,
  subqueryOf,
  type TableSource,
} from '../../../sql/index.ts';
import { getOrInsert } from '../../base/concurrency.ts';
import type { PlanScope } from './hybrid-tools.ts';

/** A mention of a hidden table, whose rows come from an API. */
export interface ApiSource {
  readonly source: TableSource;
  readonly table: CatalogTable;
  readonly columns: readonly string[];
  /** Conditions that the statement puts on its rows alone. */
  readonly constraint: readonly Conjunction[];
  /** Conditions that tie its rows to those of other sources. */
  readonly links: readonly Link[];
}

/** A restriction: rows of a source matter only where a column has one of the values of a query. */
export interface Link {
  readonly column: string;
  /**
   * The query of the values, once `needs` have their rows. The more other sources are ready, the fewer values it gives.
   */
  readonly keys: (isReady: (id: SourceId) => boolean) => Query;
  /** Sources whose rows must be fetched first. */
  readonly needs: ReadonlySet<SourceId>;
}

/** The mentions of hidden tables in a query, in the order of their ids. */
export function apiSources(query: Query, scope: PlanScope, style: TableApiStyle): ApiSource[] {
  const { catalog, hidden, virtual } = scope;
  const origins = new Origins(query, catalog);
  const tables = new Map(catalog.tables.map((table) => [table.name, table]));
  const read = new Map<SourceId, Set<string>>();
  for (const { source, name } of columnsOfQuery(query)) {
    getOrInsert(read, source, () => new Set<string>()).add(name);
  }
  return selectsOf(query).flatMap((select) =>
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

/**
 * Conditions that a row of a source must fulfil to matter at all. WHERE always counts: every constraint built below
 * rejects the NULLs of an unmatched row. ON counts for an inner join, and for the right side of a left join.
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
    // Columns of a common table expression are not visible outside it.
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
 * Whether `own = other` matches the same rows as `own = value` for each value of `other`. It may not for two columns:
 * SQLite converts one to the affinity of the other, and uses the collation of one.
 */
function comparesAlike(own: Expr, other: Expr, origins: Origins): boolean {
  const column = origins.baseColumn(own)?.column;
  if (column?.collation !== 'BINARY') return false;
  const from = origins.baseColumn(other)?.column;
  if (other.kind === 'column' && from?.collation !== 'BINARY') return false;
  const [mine, theirs] = [affinityOf(own, origins), affinityOf(other, origins)];
  if (column.type !== 'string') return isNumeric(mine);
  return !isNumeric(mine) && !isNumeric(theirs);
}

/** The values of a column, in the rows that remain after the ready sources are joined. */
function valuesOf(column: Column, select: Select, isReady: (id: SourceId) => boolean): Query {
  const isInner = select.from.every(({ join }) => join === 'from' || join === 'inner' || join === 'cross');
  const conditions = [
    ...conjuncts(select.where),
    ...(isInner ? select.from.flatMap(({ on }) => conjuncts(on)) : []),
  ].filter(isPlain);
  const joined = new Set([column.source]);
  // Only sources that an equality links to the rest: any other would multiply rows.
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
  return plainSelect({
    distinct: true,
    columns: [node({ expr: column, name: 'key', alias: null })],
    from: from.map(({ source }, i) => node({ join: i === 0 ? 'from' : 'cross', source, on: null } as const)),
    where: holding.length === 0 ? null : conjunction(holding),
  });
}

/** Whether a condition can be evaluated beforehand: it contains no query and no API call. */
function isPlain(condition: Expr): boolean {
  return exprsWithin(condition).every(
    (part) =>
      subqueryOf(part) === null &&
      part.kind !== 'call' &&
      part.kind !== 'aggregate' &&
      part.kind !== 'window',
  );
}

/** A comparison of a column with a value, which an API can evaluate. */
export interface Atom {
  readonly column: string;
  readonly operator: 'eq' | 'gt' | 'ge' | 'lt' | 'le' | 'like';
  readonly value: string | number | bigint;
}

export type Conjunction = readonly Atom[];

const MOST_DISJUNCTS = 64;

/** The source being constrained: its id, its columns, and the comparisons of its API. */
export interface ConstrainedSource {
  readonly id: SourceId;
  readonly column: (name: string) => CatalogColumn | undefined;
  readonly style: TableApiStyle;
}

/**
 * The constraint that several conditions put on a source, in disjunctive normal form: every row that fulfils them all
 * fulfils one disjunct. Conditions that the API cannot evaluate are dropped, since the statement evaluates them again.
 */
export function constraintOf(conditions: readonly Expr[], source: ConstrainedSource): readonly Conjunction[] {
  return conditions.reduce<readonly Conjunction[]>(
    (all, condition) => both(all, disjunctsOf(condition, source)),
    ANYTHING,
  );
}

/** No constraint: one disjunct without conditions. */
export const ANYTHING: readonly Conjunction[] = [[]];

function disjunctsOf(expr: Expr, source: ConstrainedSource): readonly Conjunction[] {
  switch (expr.kind) {
    case 'and':
      return constraintOf(expr.items, source);
    case 'or': {
      const sides = expr.items.map((item) => disjunctsOf(item, source));
      const all = sides.flat();
      const isOpen = all.length > MOST_DISJUNCTS || all.some((disjunct) => disjunct.length === 0);
      return isOpen ? ANYTHING : all;
    }
    case 'compare':
      return atoms(comparison(expr, source));
    case 'between': {
      if (expr.negated) return ANYTHING;
      return atoms(atom(expr.expr, 'ge', expr.low, source), atom(expr.expr, 'le', expr.high, source));
    }
    case 'in_list': {
      if (expr.negated || expr.items.length > MOST_DISJUNCTS) return ANYTHING;
      const values = expr.items.map((item) => atom(expr.expr, 'eq', item, source));
      return values.every((value) => value !== null) ? values.map((value) => [value]) : ANYTHING;
    }
    case 'like':
      if (expr.negated || expr.op !== 'like' || expr.escape !== null) return ANYTHING;
      return atoms(atom(expr.expr, 'like', expr.pattern, source));
    default:
      return ANYTHING;
  }
}

function atoms(...found: readonly (Atom | null)[]): readonly Conjunction[] {
  return [found.filter((each) => each !== null)];
}

function both(a: readonly Conjunction[], b: readonly Conjunction[]): readonly Conjunction[] {
  if (a.length * b.length > MOST_DISJUNCTS) return a.length <= b.length ? a : b;
  return a.flatMap((left) => b.map((right) => [...left, ...right.filter((each) => !isAsked(left, each))]));
}

/** Whether the API's one slot for this column and operator is taken. */
function isAsked(atoms: Conjunction, { column, operator }: Atom): boolean {
  return atoms.some((each) => each.column === column && each.operator === operator);
}

const OPERATORS = { '=': 'eq', '>': 'gt', '>=': 'ge', '<': 'lt', '<=': 'le' } as const;
const MIRRORED = { eq: 'eq', gt: 'lt', ge: 'le', lt: 'gt', le: 'ge', like: 'like' } as const;

function comparison(expr: Extract<Expr, { kind: 'compare' }>, source: ConstrainedSource): Atom | null {
  const { op, left, right } = expr;
  if (!(op in OPERATORS)) return null;
  const operator = OPERATORS[op as keyof typeof OPERATORS];
  return atom(left, operator, right, source) ?? atom(right, MIRRORED[operator], left, source);
}

function atom(expr: Expr, operator: Atom['operator'], value: Expr, source: ConstrainedSource): Atom | null {
  if (expr.kind !== 'column' || expr.source !== source.id) return null;
  if (operator !== 'eq' && source.style !== 'rich') return null;
  const column = source.column(expr.name);
  const literal = literalOf(value);
  if (!column || literal === null) return null;
  if (operator === 'like')
    return typeof literal === 'string' ? { column: expr.name, operator, value: literal } : null;
  const asked = apiValue(column, literal);
  return asked === null ? null : { column: expr.name, operator, value: asked };
}

/** The value of a literal, signed or not. */
function literalOf(expr: Expr): string | number | bigint | null {
  if (expr.kind === 'literal') return expr.type === 'blob' ? null : expr.value;
  if (expr.kind !== 'unary' || expr.op !== '-' || expr.expr.kind !== 'literal') return null;
  const { value } = expr.expr;
  return typeof value === 'bigint' || typeof value === 'number' ? -value : null;
}

const INTEGER = /^-?(?:0|[1-9]\d{0,17})$/;

/**
 * A value in the form that a column's API takes, where the API's comparison gives the same result as the statement's;
 * null where it may differ.
 */
export function apiValue(
  { type, declared_type }: Pick<CatalogColumn, 'type' | 'declared_type'>,
  value: string | number | bigint,
): string | number | bigint | null {
  const affinity = declaredAffinity(declared_type);
  if (type === 'string') {
    if (typeof value === 'string') return value;
    return typeof value === 'bigint' && affinity === 'text' ? String(value) : null;
  }
  if (typeof value === 'bigint') return BigInt.asIntN(64, value) === value ? value : null;
  if (typeof value === 'number') return type === 'number' && Number.isFinite(value) ? value : null;
  // A quoted number is a number for a numeric column, and text for any other.
  return isNumeric(affinity) && INTEGER.test(value) ? BigInt(value) : null;
}
