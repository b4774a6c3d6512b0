import type { Catalog, CatalogColumn, CatalogTable } from '../../contracts/catalog.ts';
import type { Column, Cte, Expr, Query, Select, Source, SourceId } from './nodes.ts';
import { queriesOf } from './parts.ts';

/** Where the values of a column come from, followed through derived tables and CTEs. */
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

  /** The base table that a source is, or null for derived tables and CTEs. */
  tableOf(id: SourceId): CatalogTable | null {
    const source = this.#sources.get(id)?.source;
    return source?.kind === 'table' ? (this.#tables.get(source.table) ?? null) : null;
  }

  tableNamed(name: string): CatalogTable | null {
    return this.#tables.get(name) ?? null;
  }

  /** The query that a derived table or CTE reads, or null for base tables. */
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

  /** The column names of a derived table or CTE, in order; null for base tables. */
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

  /** The base column of an expression, followed through derived tables; null for anything computed. */
  baseColumn(expr: Expr): Extract<Origin, { kind: 'column' }> | null {
    if (expr.kind !== 'column') return null;
    const origin = this.of(expr);
    if (origin.kind === 'column') return origin;
    return null;
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

/** The SELECT (or VALUES) that names the columns of a query. */
export function leftmost(query: Query): Exclude<Query, { kind: 'set_operation' }> {
  return query.kind === 'set_operation' ? leftmost(query.left) : query;
}
