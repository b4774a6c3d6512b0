import type { Catalog, CatalogColumn, CatalogTable } from '../../contracts/catalog.ts';
import {
  type Column,
  type Expr,
  ownExprs,
  type Query,
  queriesOf,
  queryExprs,
  type SourceId,
} from '../../sql/index.ts';

/** An index to be made: a table and its columns, as the catalog spells them. */
export interface Index {
  readonly table: string;
  readonly columns: readonly string[];
}

/** A table of fewer rows fits a page or two: reading it whole costs no more than an index. */
const MIN_ROWS = 100;

/**
 * A value that more of a table's rows have than this is found as quickly without an index, whose pages would only make
 * the copy larger.
 */
const LARGEST_SHARE = 0.1;
/** The index of a table of fewer rows is too small to matter. */
const MANY_ROWS = 5_000;

/**
 * The indexes that a domain's queries can use: one for each column that is joined on, looked up by equality
 * or range, or asked for its MIN or MAX. In the catalog's order, none twice, none for a table too small,
 * for a column that is the row id itself or for one of a few values.
 */
export function planIndexes(queries: readonly Query[], catalog: Catalog): Index[] {
  const tables = new Map(catalog.tables.map((table) => [table.name, table]));
  const wanted = new Set<string>();
  for (const query of queries) {
    const sources = tableSources(query);
    for (const column of searchedColumns(query)) {
      wanted.add(`${sources.get(column.source)}\0${column.name}`);
    }
  }
  return [...tables.values()]
    .filter(({ view, rows }) => !view && rows >= MIN_ROWS)
    .flatMap((table) =>
      table.columns
        .filter(({ name }) => wanted.has(`${table.name}\0${name}`) && !isRowid(table, name))
        .filter(isSelective)
        .map(({ name }) => ({ table: table.name, columns: [name] })),
    );
}

/** Whether looking up a value, or what is missing, leaves a small part of the rows. */
function isSelective({ statistics: { rows, nulls, distinct } }: CatalogColumn): boolean {
  if (rows < MANY_ROWS) return true;
  const shares = [distinct > 0 ? (rows - nulls) / distinct / rows : 1, nulls > 0 ? nulls / rows : 1];
  return Math.min(...shares) <= LARGEST_SHARE;
}

/** The table behind each source of a query and its subqueries. */
function tableSources(query: Query): Map<SourceId, string> {
  const tables = new Map<SourceId, string>();
  for (const inner of queriesOf(query)) {
    if (inner.kind !== 'select') continue;
    for (const { source } of inner.from) if (source.kind === 'table') tables.set(source.id, source.table);
  }
  return tables;
}

function* searchedColumns(query: Query): Generator<Column> {
  for (const inner of queriesOf(query)) {
    for (const clause of queryExprs(inner)) {
      for (const expr of ownExprs(clause)) yield* searchedIn(expr);
    }
  }
}

/** The columns by which an index could find the rows for a condition. */
function searchedIn(expr: Expr): Column[] {
  switch (expr.kind) {
    case 'compare':
      return expr.op === '!=' || expr.op === 'is_not' ? [] : bare(expr.left, expr.right);
    case 'between':
    case 'in_list':
    case 'in_query':
      return expr.negated ? [] : bare(expr.expr);
    case 'like':
    case 'is_null':
      return expr.negated ? [] : bare(expr.expr);
    case 'aggregate':
      return expr.name === 'min' || expr.name === 'max' ? bare(...expr.args) : [];
    default:
      return [];
  }
}

function bare(...exprs: readonly Expr[]): Column[] {
  return exprs.filter((expr): expr is Column => expr.kind === 'column');
}

function isRowid(table: CatalogTable, column: string): boolean {
  const keys = table.columns.filter(({ primary_key }) => primary_key > 0);
  const [key] = keys;
  return (
    table.has_rowid &&
    keys.length === 1 &&
    key?.name === column &&
    key.declared_type.toUpperCase() === 'INTEGER'
  );
}
