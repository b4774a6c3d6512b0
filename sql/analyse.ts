import {
  type Catalog,
  type CatalogColumn,
  type CatalogTable,
  type ColumnAffinity,
  declaredAffinity,
} from '../contracts/catalog.ts';
import {
  type Aggregate,
  type Call,
  type Column,
  type CompareOp,
  type Cte,
  childExprs,
  childQueries,
  conjuncts,
  type Expr,
  type ExprKind,
  type FromItem,
  type Literal,
  type Query,
  queryExprs,
  type Select,
  type Source,
  type SourceId,
  sameExpr,
  subqueryOf,
  visitExpr,
  visitQuery,
} from './ir.ts';

const DATE_FUNCTIONS = new Set('date time datetime julianday unixepoch strftime timediff'.split(' '));
const TEXT_FUNCTIONS = new Set(
  'instr length lower ltrim printf format replace rtrim substr substring trim upper'.split(' '),
);

/** The names of the SQL constructs in a query, sorted; coverage is counted by them. */
export function constructsOf(query: Query): string[] {
  const found = [
    ...queriesOf(query).flatMap((inner) => [...queryConstructs(inner)]),
    ...exprsOf(query).flatMap((expr) => [...exprConstructs(expr)]),
  ];
  return [...new Set(found)].sort();
}

function* queryConstructs(query: Query): Iterable<string> {
  if (query.with.length > 0) yield query.with.some((cte) => cte.recursive) ? 'recursive_cte' : 'cte';
  if (query.kind === 'values') return yield 'values';
  if (query.kind === 'set_operation') yield query.op;
  else yield* selectConstructs(query);
  if (query.orderBy.length > 0) yield query.orderBy.length > 1 ? 'order_by_several' : 'order_by';
  if (query.limit) yield query.limit.offset ? 'offset' : 'limit';
}

function* selectConstructs(select: Select): Iterable<string> {
  if (select.distinct) yield 'distinct';
  if (select.groupBy.length > 0) yield 'group_by';
  if (select.having) yield 'having';
  if (select.from.length > 1) yield 'join';
  const tables = new Set<string>();
  for (const { join, source, on } of select.from) {
    if (join === 'left' || join === 'right' || join === 'full' || join === 'cross') yield `${join}_join`;
    if (source.kind === 'derived') yield 'derived_table';
    if (on?.kind === 'and') yield 'join_on_several';
    if (source.kind !== 'table') continue;
    if (tables.has(source.table)) yield 'self_join';
    tables.add(source.table);
  }
  if (select.columns.filter(({ expr }) => expr.kind === 'aggregate').length > 1) yield 'several_aggregates';
}

function* exprConstructs(expr: Expr): Iterable<string> {
  const query = subqueryOf(expr);
  if (query) {
    yield SUBQUERIES[expr.kind] ?? 'subquery';
    if (isCorrelated(query)) yield 'correlated_subquery';
  }
  switch (expr.kind) {
    case 'aggregate':
      yield 'aggregate';
      if (expr.distinct) yield 'aggregate_distinct';
      if (expr.filter) yield 'aggregate_filter';
      break;
    case 'compare':
      if (expr.left.kind === 'column' && expr.right.kind === 'column') yield 'column_comparison';
      break;
    case 'binary':
      yield expr.op === '||' ? 'concatenation' : 'arithmetic';
      break;
    case 'call':
      yield callConstruct(expr);
      break;
    case 'or':
    case 'not':
    case 'is_null':
    case 'between':
    case 'like':
    case 'in_list':
    case 'case':
    case 'cast':
    case 'collate':
    case 'window':
      yield expr.kind;
      break;
    default:
  }
}

const SUBQUERIES: Readonly<Partial<Record<Expr['kind'], string>>> = {
  exists: 'exists',
  in_query: 'in_subquery',
  scalar_query: 'scalar_subquery',
};

function callConstruct({ name }: Call): string {
  if (DATE_FUNCTIONS.has(name)) return 'date_function';
  return TEXT_FUNCTIONS.has(name) ? 'text_function' : 'function';
}

/** The aggregates in an expression, outermost first, without those of subqueries. */
export function aggregatesIn(expr: Expr): readonly Aggregate[] {
  return expr.kind === 'aggregate' ? [expr] : childExprs(expr).flatMap(aggregatesIn);
}

/** Whether an expression holds an aggregate of its own query. */
export function holdsAggregate(expr: Expr): boolean {
  return expr.kind === 'aggregate' || childExprs(expr).some(holdsAggregate);
}

/** Whether a SELECT groups rows, even if into a single group. */
export function isAggregated(select: Select): boolean {
  return (
    select.groupBy.length > 0 ||
    select.having !== null ||
    [...select.columns, ...select.orderBy].some(({ expr }) => holdsAggregate(expr))
  );
}

export { declaredAffinity };

/** `none` for an expression without affinity. */
export type Affinity = ColumnAffinity | 'none';

/** The affinity that a comparison sees on one of its sides. */
export function affinityOf(expr: Expr, origins: Origins): Affinity {
  switch (expr.kind) {
    case 'column': {
      const origin = origins.of(expr);
      if (origin.kind === 'column') return declaredAffinity(origin.column.declared_type);
      return origin.kind === 'computed' ? affinityOf(origin.expr, origins) : 'none';
    }
    case 'cast':
      return declaredAffinity(expr.type);
    case 'collate':
      return affinityOf(expr.expr, origins);
    case 'scalar_query': {
      const { query } = expr;
      const first = query.kind === 'select' ? query.columns[0]?.expr : undefined;
      return first === undefined ? 'none' : affinityOf(first, origins);
    }
    default:
      return 'none';
  }
}

/** Whether numeric affinity is applied to the other side of a comparison. */
export function isNumeric(affinity: Affinity): boolean {
  return affinity === 'numeric' || affinity === 'integer' || affinity === 'real';
}

/** A SELECT somewhere in a query, and the CTEs it can read. */
export interface Block {
  readonly select: Select;
  readonly ctes: readonly Cte[];
}

/** Outermost first. */
export function selectBlocks(query: Query, ctes: readonly Cte[] = []): readonly Block[] {
  const visible = [...ctes, ...query.with];
  const blocks = innerQueries(query).flatMap((inner) => selectBlocks(inner, visible));
  return query.kind === 'select' ? [{ select: query, ctes: visible }, ...blocks] : blocks;
}

const CONDITIONS = [
  'compare',
  'and',
  'or',
  'not',
  'is_null',
  'between',
  'like',
  'in_list',
  'in_query',
  'exists',
] as const satisfies readonly ExprKind[];

const KINDS: ReadonlySet<string> = new Set(CONDITIONS);

/** Whether an expression is 1, 0 or NULL for true, false and unknown. */
export function isCondition(
  expr: Expr,
): expr is Extract<Expr, { readonly kind: (typeof CONDITIONS)[number] }> {
  return KINDS.has(expr.kind);
}

/** Whether a literal counts as true: text by its numeric prefix; null for a blob. */
export function literalTruth(literal: Literal): boolean | null {
  switch (literal.type) {
    case 'integer':
      return literal.value !== 0n;
    case 'real':
      return literal.value !== 0;
    case 'text':
      return Number(NUMBER.exec(literal.value)?.[0] ?? 0) !== 0;
    case 'null':
      return false;
    case 'blob':
      return null;
  }
}

const NUMBER = /^[ \t\n\v\f\r]*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/;

/** The equivalent operator when the sides are swapped. */
export const MIRRORED: Readonly<Record<CompareOp, CompareOp>> = {
  '=': '=',
  is: 'is',
  '!=': '!=',
  is_not: 'is_not',
  '>=': '<=',
  '>': '<',
  '<=': '>=',
  '<': '>',
};

/** Outside in, with subqueries. */
export function exprsWithin(expr: Expr): readonly Expr[] {
  const found: Expr[] = [];
  visitExpr(expr, { expr: (part) => found.push(part) });
  return found;
}

/** Outside in, without subqueries. */
export function* ownExprs(expr: Expr): Generator<Expr> {
  yield expr;
  for (const child of childExprs(expr)) yield* ownExprs(child);
}

export function exprsOf(query: Query): readonly Expr[] {
  const found: Expr[] = [];
  visitQuery(query, { expr: (part) => found.push(part) });
  return found;
}

export function queriesOf(query: Query): readonly Query[] {
  const found: Query[] = [];
  visitQuery(query, { query: (inner) => found.push(inner) });
  return found;
}

export function selectsOf(query: Query): readonly Select[] {
  return queriesOf(query).filter((one) => one.kind === 'select');
}

/** CTEs, derived tables, sides of a set operation, subqueries of expressions; not deeper. */
export function innerQueries(query: Query): readonly Query[] {
  const subqueries = queryExprs(query).flatMap((clause) =>
    [...ownExprs(clause)].flatMap((expr) => subqueryOf(expr) ?? []),
  );
  return [...childQueries(query), ...subqueries];
}

export function columnsOf(expr: Expr): readonly Column[] {
  return exprsWithin(expr).filter((part) => part.kind === 'column');
}

export function columnsOfQuery(query: Query): readonly Column[] {
  return exprsOf(query).filter((part) => part.kind === 'column');
}

export function sourceIds(query: Query): Set<SourceId> {
  return new Set(selectsOf(query).flatMap(({ from }) => from.map(({ source }) => source.id)));
}

/** The sources an expression reads from outside itself. */
export function freeSources(expr: Expr): Set<SourceId> {
  const subqueries = exprsWithin(expr).flatMap((part) => subqueryOf(part) ?? []);
  const inside = new Set(subqueries.flatMap((query) => [...sourceIds(query)]));
  return new Set(
    columnsOf(expr)
      .map(({ source }) => source)
      .filter((id) => !inside.has(id)),
  );
}

/** Whether a subquery reads columns of a query around it. */
export function isCorrelated(query: Query): boolean {
  const own = sourceIds(query);
  return columnsOfQuery(query).some(({ source }) => !own.has(source));
}

/** Whether a source has rows only together with those it is joined to. */
export function isInner({ join }: FromItem): boolean {
  return join === 'from' || join === 'inner' || join === 'cross';
}

/** Where a column's values come from, through derived tables and CTEs. */
export type Origin =
  | {
      readonly kind: 'column';
      readonly table: CatalogTable;
      readonly column: CatalogColumn;
      readonly source: SourceId;
    }
  | { readonly kind: 'computed'; readonly expr: Expr }
  | { readonly kind: 'unknown' };

const UNKNOWN: Origin = { kind: 'unknown' };

/** The sources of one query, subqueries included, and the origins of their columns. */
export class Origins {
  readonly catalog: Catalog;
  readonly #sources = new Map<SourceId, { readonly source: Source; readonly select: Select }>();
  readonly #ctes = new Map<string, Cte>();
  readonly #tables: ReadonlyMap<string, CatalogTable>;

  constructor(query: Query, catalog: Catalog) {
    this.catalog = catalog;
    this.#tables = new Map(catalog.tables.map((table) => [table.name, table]));
    for (const one of queriesOf(query)) {
      for (const cte of one.with) this.#ctes.set(cte.name, cte);
      if (one.kind !== 'select') continue;
      for (const { source } of one.from) this.#sources.set(source.id, { source, select: one });
    }
  }

  /** The SELECT whose FROM holds the source. */
  selectOf(source: SourceId): Select | null {
    return this.#sources.get(source)?.select ?? null;
  }

  sourceOf(source: SourceId): Source | null {
    return this.#sources.get(source)?.source ?? null;
  }

  /** null for derived tables and CTEs. */
  tableOf(id: SourceId): CatalogTable | null {
    const source = this.#sources.get(id)?.source;
    return source?.kind === 'table' ? (this.#tables.get(source.table) ?? null) : null;
  }

  tableNamed(name: string): CatalogTable | null {
    return this.#tables.get(name) ?? null;
  }

  /** null for base tables. */
  queryOf(source: Source): Query | null {
    switch (source.kind) {
      case 'table':
        return null;
      case 'derived':
        return source.query;
      case 'cte':
        return this.#ctes.get(source.name)?.query ?? null;
    }
  }

  queryAt(id: SourceId): Query | null {
    const source = this.sourceOf(id);
    return source === null ? null : this.queryOf(source);
  }

  /** In order; null for base tables. */
  outputNames(id: SourceId): readonly string[] | null {
    const source = this.sourceOf(id);
    if (source === null || source.kind === 'table') return null;
    if (source.kind === 'cte') return this.#ctes.get(source.name)?.columns ?? null;
    const first = leftmost(source.query);
    return first.kind === 'values' ? null : first.columns.map((column) => column.name);
  }

  of(column: Column): Origin {
    return this.#follow(column, 0);
  }

  /** Followed through derived tables; null for anything computed. */
  baseColumn(expr: Expr): Extract<Origin, { kind: 'column' }> | null {
    if (expr.kind !== 'column') return null;
    const origin = this.of(expr);
    return origin.kind === 'column' ? origin : null;
  }

  #follow(column: Column, depth: number): Origin {
    const source = this.#sources.get(column.source)?.source;
    if (source === undefined || depth > 50) return UNKNOWN;
    if (source.kind === 'table') {
      const table = this.#tables.get(source.table);
      const found = table?.columns.find((one) => one.name === column.name);
      if (table === undefined || found === undefined) return UNKNOWN;
      return { kind: 'column', table, column: found, source: source.id };
    }
    const query = this.queryOf(source);
    if (query === null) return UNKNOWN;
    const at = this.outputNames(source.id)?.indexOf(column.name) ?? -1;
    const first = leftmost(query);
    const expr = first.kind === 'values' ? undefined : first.columns[at]?.expr;
    if (expr === undefined) return UNKNOWN;
    return expr.kind === 'column' ? this.#follow(expr, depth + 1) : { kind: 'computed', expr };
  }
}

/** The names of a query's result columns, by which outer queries read them. */
export function outputNames(query: Query): readonly string[] {
  const first = leftmost(query);
  if (first.kind === 'select') return first.columns.map(({ name }) => name);
  return (first.rows[0] ?? []).map((_, i) => `column${i + 1}`);
}

/** The SELECT (or VALUES) that names the columns of a query. */
export function leftmost(query: Query): Exclude<Query, { kind: 'set_operation' }> {
  return query.kind === 'set_operation' ? leftmost(query.left) : query;
}

/** The table that a column identifies rows of, as its key or a reference to it, or null. */
export function keyTable(expr: Expr, origins: Origins): CatalogTable | null {
  const base = origins.baseColumn(expr);
  if (base === null) return null;
  const { table, column } = base;
  if (soleKey(table) === column) return table;
  for (const key of table.foreign_keys) {
    if (key.columns.length !== 1 || key.columns[0] !== column.name) continue;
    const other = origins.tableNamed(key.references_table);
    const referred = other?.columns.find(({ name }) => name === key.references_columns[0]);
    if (other !== null && referred !== undefined && isUnique(other, referred)) return other;
  }
  return null;
}

/** null for a table with no primary key, or one of several columns. */
export function soleKey(table: CatalogTable): CatalogColumn | null {
  const [key, ...others] = table.columns.filter(({ primary_key }) => primary_key > 0);
  return others.length === 0 ? (key ?? null) : null;
}

/** Whether a column by itself is declared to refer to rows of a table. */
export function isReferenceTo(
  { table, column }: { readonly table: CatalogTable; readonly column: CatalogColumn },
  rows: CatalogTable,
): boolean {
  return table.foreign_keys.some(
    ({ columns, references_table }) =>
      columns.length === 1 && columns[0] === column.name && references_table === rows.name,
  );
}

/** The INTEGER PRIMARY KEY that is an alias of the row id, or null. */
export function rowidAlias(table: CatalogTable): CatalogColumn | null {
  const key = table.has_rowid ? soleKey(table) : null;
  return key?.declared_type.toUpperCase() === 'INTEGER' ? key : null;
}

/** Whether values are unique: as declared, or by the values stored. */
export function isUnique(table: CatalogTable, column: CatalogColumn): boolean {
  const keys = table.columns.filter(({ primary_key }) => primary_key > 0);
  if (column.primary_key > 0) return keys.length === 1;
  const { rows, nulls, distinct } = column.statistics;
  return keys.length === 0 && rows > 1 && nulls === 0 && distinct === rows;
}

/** The values of a joined row that follow from known ones: a key determines its table's columns, an equality its other side. */
export class Determined {
  readonly #select: Select;
  readonly #tables: ReadonlyMap<SourceId, CatalogTable>;
  readonly #own: ReadonlySet<SourceId>;
  readonly #known: Expr[];
  readonly #columns = new Set<string>();
  readonly #fixed = new Set<SourceId>();

  constructor(select: Select, catalog: Catalog, known: readonly Expr[]) {
    this.#select = select;
    this.#tables = new Map(
      select.from.flatMap(({ source }) => {
        const table = source.kind === 'table' && catalog.tables.find(({ name }) => name === source.table);
        return table ? [[source.id, table] as const] : [];
      }),
    );
    this.#own = new Set(select.from.map(({ source }) => source.id));
    this.#known = known.filter((expr) => !this.#folds(expr));
    for (const expr of this.#known) this.#learn(expr);
    this.#close();
  }

  /** Whether every source gives at most one row. */
  get singleRow(): boolean {
    return [...this.#own].every((id) => this.#fixed.has(id));
  }

  /** Whether the expression can have only one value. */
  has(expr: Expr): boolean {
    if (this.#known.some((each) => sameExpr(each, expr))) return true;
    if (expr.kind === 'column') return !this.#own.has(expr.source) || this.#columns.has(keyOf(expr));
    if (expr.kind === 'aggregate' || expr.kind === 'window') return false;
    const query = subqueryOf(expr);
    return (
      childExprs(expr).every((part) => this.has(part)) &&
      (query === null || columnsOfQuery(query).every((column) => this.has(column)))
    );
  }

  #learn(expr: Expr): boolean {
    if (expr.kind !== 'column' || this.#columns.has(keyOf(expr)) || !this.#own.has(expr.source)) return false;
    if (this.#folds(expr)) return false;
    this.#columns.add(keyOf(expr));
    return true;
  }

  /** Whether equal values may be different texts: under NOCASE or RTRIM. */
  #folds(expr: Expr): boolean {
    if (expr.kind === 'collate') return expr.collation.toUpperCase() !== 'BINARY';
    if (expr.kind === 'cast' || expr.kind === 'unary') return this.#folds(expr.expr);
    if (expr.kind !== 'column') return false;
    const column = this.#tables.get(expr.source)?.columns.find(({ name }) => name === expr.name);
    return column !== undefined && column.collation !== 'BINARY';
  }

  #close(): void {
    for (let grown = true; grown; ) {
      grown = false;
      for (const [id, table] of this.#tables) {
        if (!this.#fixed.has(id) && this.#hasKey(id, table)) {
          grown = true;
          this.#fixed.add(id);
          for (const { name } of [...table.columns, { name: 'rowid' }]) this.#columns.add(`${id}\0${name}`);
        }
      }
      for (const [from, to] of this.#equalities()) if (this.has(from) && this.#learn(to)) grown = true;
    }
  }

  #hasKey(id: SourceId, table: CatalogTable): boolean {
    if (table.has_rowid && this.#columns.has(`${id}\0rowid`)) return true;
    const key = table.columns.filter(({ primary_key }) => primary_key > 0);
    // SQLite lets NULLs into most primary keys, any number of them.
    const unique = key.length > 0 && key.every(({ statistics }) => statistics.nulls === 0);
    return unique && key.every(({ name }) => this.#columns.has(`${id}\0${name}`));
  }

  /** Pairs where the first value determines the second. */
  *#equalities(): Generator<readonly [Expr, Expr]> {
    for (const condition of conjuncts(this.#select.where)) yield* bothWays(condition);
    for (const { join, on, source } of this.#select.from) {
      for (const condition of conjuncts(on)) {
        for (const [from, to] of bothWays(condition)) {
          // The left side of a LEFT JOIN determines the right; a NULL on the right does not determine the
          // left.
          if (join === 'inner' || join === 'cross' || join === 'from') yield [from, to];
          if (join === 'left' && to.kind === 'column' && to.source === source.id) yield [from, to];
        }
      }
    }
  }
}

function bothWays(condition: Expr): (readonly [Expr, Expr])[] {
  if (condition.kind === 'is_null' && !condition.negated) return [];
  if (condition.kind !== 'compare' || (condition.op !== '=' && condition.op !== 'is')) return [];
  const { left, right } = condition;
  return [
    [left, right],
    [right, left],
  ];
}

function keyOf({ source, name }: Column): string {
  return `${source}\0${name}`;
}
