import type { Catalog } from '../../../contracts/catalog.ts';
import { printExactJson } from '../../../contracts/exact-json.ts';
import { sameCell } from '../../../contracts/same-rows.ts';
import type { Cell, Row } from '../../../contracts/value.ts';
import {
  Determined,
  type Expr,
  node,
  type OutputColumn,
  ownExprs,
  type Query,
  type Select,
  sameExpr,
} from '../../../sql/index.ts';
import { collationOf } from './collation.ts';

/** How to read the sort keys of an answer: a query that returns them, and their positions. */
export interface KeyedQuery {
  /** The query with its sort keys as further result columns, where it does not return them already. */
  readonly query: Query;
  /** Positions of the sort keys among its columns. */
  readonly keys: readonly { readonly index: number; readonly collation: string }[];
  /** Whether its keys belong to the answer's rows; otherwise SQLite may take them from other rows. */
  readonly exact: boolean;
}

/**
 * The query with its sort keys as result columns. null when it has no ORDER BY, or when they cannot be returned: in a
 * set operation, or with DISTINCT groups.
 */
export function withSortKeys(query: Query, catalog: Catalog): KeyedQuery | null {
  if (query.kind === 'values' || query.orderBy.length === 0) return null;
  if (query.kind === 'set_operation') {
    const keys = query.orderBy.map(({ expr }) => {
      const inner = expr.kind === 'collate' ? expr.expr : expr;
      return {
        index: inner.kind === 'output' ? inner.index : -1,
        collation: collationOf(expr, query, catalog),
      };
    });
    return keys.every(({ index }) => index >= 0) ? { query, keys, exact: true } : null;
  }
  const columns: OutputColumn[] = [...query.columns];
  const keys = query.orderBy.map(({ expr }) => {
    let index = columns.findIndex((column) => sameExpr(column.expr, bare(expr)));
    if (index < 0) {
      index = columns.length;
      columns.push(node({ expr: bare(expr), name: `sort_key_${index}`, alias: null }));
    }
    return { index, collation: collationOf(expr, query, catalog) };
  });
  const added = columns.slice(query.columns.length);
  if (query.distinct && added.length > 0) {
    const row = new Determined(
      query,
      catalog,
      query.columns.map(({ expr }) => expr),
    );
    if (!added.every(({ expr }) => row.has(expr))) return firstAppearances(query, columns, keys);
  }
  return { query: node({ ...query, columns: Object.freeze(columns) }), keys, exact: true };
}

function bare(expr: Expr): Expr {
  return expr.kind === 'collate' ? bare(expr.expr) : expr;
}

/** SELECT DISTINCT as groups: each result row has the sort keys of the first row equal to it. */
function firstAppearances(
  select: Select,
  columns: readonly OutputColumn[],
  keys: KeyedQuery['keys'],
): KeyedQuery | null {
  const parts = [...select.columns, ...select.orderBy].flatMap(({ expr }) => [...ownExprs(expr)]);
  const plain = !parts.some(({ kind }) => kind === 'aggregate' || kind === 'window');
  if (select.groupBy.length > 0 || !plain) return null;
  const groupBy = Object.freeze(select.columns.map(({ expr }) => expr));
  return {
    query: node({ ...select, distinct: false, columns: Object.freeze([...columns]), groupBy }),
    keys,
    exact: false,
  };
}

/**
 * SELECT DISTINCT with its sort keys as result columns: each row once for each of its keys. null for any other query.
 */
export function withEveryKey(query: Query, catalog: Catalog): KeyedQuery | null {
  if (query.kind !== 'select' || !query.distinct || query.orderBy.length === 0) return null;
  const columns: OutputColumn[] = [...query.columns];
  const keys = query.orderBy.map(({ expr }, i) => {
    columns.push(node({ expr: bare(expr), name: `sort_key_${i}`, alias: null }));
    return { index: columns.length - 1, collation: collationOf(expr, query, catalog) };
  });
  return { query: node({ ...query, columns: Object.freeze(columns), limit: null }), keys, exact: false };
}

/**
 * For each row of a SELECT DISTINCT the number of its run of equal sort keys, from its rows with every key. A row that
 * has several keys could stand in several places, so it is a run of its own.
 */
export function groupsOfDistinct(
  rows: readonly Row[],
  every: readonly Row[],
  { keys }: KeyedQuery,
): number[] {
  const [width] = keys.map(({ index }) => index);
  const textOf = (row: Row) => printExactJson(row.slice(0, width));
  const keyed = new Map<string, Row | null>();
  for (const row of every) {
    const text = textOf(row);
    const known = keyed.get(text);
    const isOther = known && !keys.every((key) => sameKey(known, row, key));
    keyed.set(text, known === null || isOther ? null : (known ?? row));
  }
  const found = rows.map((row) => keyed.get(textOf(row)) ?? null);
  let group = -1;
  return found.map((row, i) => {
    const before = found[i - 1];
    const tied = row && before && keys.every((key) => sameKey(row, before, key));
    if (!tied) group++;
    return group;
  });
}

/** For each row the number of its run of equal sort keys: 0, 0, 1, … */
export function groupsOf(rows: readonly Row[], { keys }: KeyedQuery): number[] {
  let group = -1;
  return rows.map((row, i) => {
    const before = rows[i - 1];
    const tied = before && keys.every((key) => sameKey(row, before, key));
    if (!tied) group++;
    return group;
  });
}

/** Whether two rows sort together. */
export function sameKey(a: Row, b: Row, key: KeyedQuery['keys'][number]): boolean {
  return sameCell(fold(a[key.index] ?? null, key.collation), fold(b[key.index] ?? null, key.collation));
}

function fold(cell: Cell, collation: string): Cell {
  if (typeof cell !== 'string') return cell;
  if (collation === 'NOCASE') return cell.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  return collation === 'RTRIM' ? cell.replace(/ +$/, '') : cell;
}
