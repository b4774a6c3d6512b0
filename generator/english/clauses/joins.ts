import type { CatalogColumn, CatalogTable } from '../../../contracts/catalog.ts';
import {
  type Column,
  type Compare,
  conjuncts,
  type Expr,
  isUnique,
  type Origins,
  type Query,
  type Select,
  selectsOf,
  soleKey,
} from '../../../sql/index.ts';
import { KEY_WORDS } from '../words/common-words.ts';
import { singular } from '../words/nouns.ts';
import { splitWords } from '../words/split-words.ts';

/** `child.column = parent.column`: many rows of the child belong to one of the parent. */
export interface JoinEdge {
  readonly child: Column;
  readonly parent: Column;
  /** True when other columns would do as well: a source or a destination. */
  readonly alternative: boolean;
}

/** The joins of base tables in every SELECT of a query, each with its direction where that can be told. */
export function joinEdges(query: Query, origins: Origins): readonly JoinEdge[] {
  return selectsOf(query).flatMap((select) =>
    joinConditions(select).flatMap((condition) => {
      const edge = edgeOf(condition, origins);
      return edge === null ? [] : [edge];
    }),
  );
}

/** The conjuncts of ON and WHERE. */
export function joinConditions(select: Select): readonly Expr[] {
  return [...select.from.map(({ on }) => on), select.where].flatMap(conjuncts);
}

/** Whether an expression only says which rows of two sources belong together. */
export function isJoin(expr: Expr): boolean {
  if (expr.kind === 'or') return expr.items.every(isJoin);
  return (
    expr.kind === 'compare' &&
    (expr.op === '=' || expr.op === 'is') &&
    expr.left.kind === 'column' &&
    expr.right.kind === 'column' &&
    expr.left.source !== expr.right.source
  );
}

/** An equality of columns of two sources. */
export type ColumnJoin = Compare & { readonly left: Column; readonly right: Column };

/** The equalities that a join is made of: itself, or its alternatives; none of what is no join. */
export function equalities(expr: Expr): readonly ColumnJoin[] {
  if (expr.kind === 'or') return expr.items.flatMap(equalities);
  return isJoin(expr) ? [expr as ColumnJoin] : [];
}

/** The reference that an equality of columns follows; null when it follows none. */
export function edgeOf(expr: Expr, origins: Origins): JoinEdge | null {
  if (!isJoin(expr)) return null;
  if (expr.kind === 'or') {
    const edge = expr.items[0] === undefined ? null : edgeOf(expr.items[0], origins);
    return edge === null ? null : { ...edge, alternative: true };
  }
  if (expr.kind !== 'compare') return null;
  const { left, right } = expr;
  if (left.kind !== 'column' || right.kind !== 'column') return null;
  const [a, b] = [sideOf(left, origins), sideOf(right, origins)];
  if (a === null || b === null) return null;
  // Some databases declare their references the wrong way round: what is unique is referred to.
  if (a.unique !== b.unique) {
    const [child, parent] = b.unique ? [a, b] : [b, a];
    if (!mayRefer(child, parent)) return null;
    return b.unique ? edge(left, right) : edge(right, left);
  }
  const [forth, back] = [refersTo(a, b), refersTo(b, a)];
  if (!forth && !back) {
    const [apart, otherApart] = [a, b].map(({ table, column }) => tellsApart(table, column));
    if (apart === otherApart) return null;
    return otherApart && mayRefer(a, b)
      ? edge(left, right)
      : apart && mayRefer(b, a)
        ? edge(right, left)
        : null;
  }
  return isReferredTo(b, a) || (forth && !isReferredTo(a, b)) ? edge(left, right) : edge(right, left);
}

/**
 * Whether, of two columns that the schema says nothing else of, the rows show that the first is what is referred to: it
 * has another value in each row and the other does not, or there are more rows of it.
 */
function isReferredTo(one: Side, other: Side): boolean {
  const [apart, otherApart] = [one, other].map(({ table, column }) => tellsApart(table, column));
  if (apart !== otherApart) return apart ?? false;
  const mutual = refersTo(one, other) && refersTo(other, one);
  return mutual && one.unique && one.column.statistics.rows > other.column.statistics.rows;
}

function edge(child: Column, parent: Column): JoinEdge {
  return { child, parent, alternative: false };
}

interface Side {
  readonly table: CatalogTable;
  readonly column: CatalogColumn;
  readonly unique: boolean;
}

function sideOf(column: Column, origins: Origins): Side | null {
  const table = origins.tableOf(column.source);
  const found = table?.columns.find(({ name }) => name === column.name);
  return table === null || found === undefined
    ? null
    : { table, column: found, unique: isUnique(table, found) };
}

/** A column and its table. */
export type Place = Pick<Side, 'table' | 'column'>;

/**
 * Whether columns of two tables may be joined as a matter of course: as declared, or where nothing else is declared
 * of the two tables.
 */
export function mayJoin(a: Place, b: Place): boolean {
  if (refersTo(a, b) || refersTo(b, a)) return true;
  const declared = (one: Place, other: Place) =>
    one.table.foreign_keys.some((key) => key.references_table === other.table.name);
  return !(declared(a, b) || declared(b, a)) && sharesWord(a, b);
}

/** Whether the names of two columns have to do with each other, or one with the other's table: Channel and channel ID. */
function sharesWord(a: Place, b: Place): boolean {
  const wordsOf = (text: string) => singular(splitWords(text)).map((word) => word.toLowerCase());
  const [left, right] = [a, b].map(({ column }) =>
    wordsOf(column.name).filter((word) => !KEY_WORDS.has(word)),
  );
  const of = ({ table }: Place) => wordsOf(table.name);
  const among = (words: readonly string[] = [], others: readonly string[] = []) =>
    words.some((word) => others.some((other) => word.includes(other) || other.includes(word)));
  const bare = (words: readonly string[] = []) => words.length === 0;
  return among(left, right) || among(left, of(b)) || among(right, of(a)) || (bare(left) && bare(right));
}

/** Whether a column refers to what is unique: as declared, or where nothing else is declared of these. */
function mayRefer(child: Side, parent: Side): boolean {
  if (refersTo(child, parent)) return true;
  const elsewhere = child.table.foreign_keys.some(({ columns }) => columns.includes(child.column.name));
  return mayJoin(child, parent) && (!elsewhere || refersTo(parent, child));
}

function refersTo(child: Place, parent: Place): boolean {
  return child.table.foreign_keys.some(
    (key) =>
      key.references_table === parent.table.name &&
      key.columns.includes(child.column.name) &&
      key.references_columns[key.columns.indexOf(child.column.name)] === parent.column.name,
  );
}

/** The same of any column that has another value in each row (`orMissing`: that has one), as far as the rows show. */
export function tellsApart(
  table: CatalogTable,
  column: CatalogColumn,
  { orMissing }: { readonly orMissing: boolean } = { orMissing: false },
): boolean {
  const { rows, nulls, distinct } = column.statistics;
  if (isUnique(table, column)) return true;
  return rows > 1 && distinct > 1 && distinct === rows - nulls && (orMissing || nulls === 0);
}

/** A table that ties others together: keys of two of them, and at most one thing to say of the pair. */
export function isLinkTable(table: CatalogTable): boolean {
  const tied = linked(table);
  if (tied.length < 2 || table.columns.length > 4) return false;
  const others = table.columns.filter((column) => !tied.includes(column) && column.primary_key === 0);
  const keys = table.columns.filter(({ primary_key }) => primary_key > 0);
  return others.length <= 1 && (keys.length === 1 || keys.every((key) => tied.includes(key)));
}

/** Whether the rows of a link table are things of their own, which may tie the same pair again: copies of a film in a store. */
export function hasOwnKey(table: CatalogTable): boolean {
  const key = soleKey(table);
  return key !== null && !linked(table).includes(key);
}

/** Keys of other tables, as declared or as named. */
function linked(table: CatalogTable): readonly CatalogColumn[] {
  const foreign = new Set(table.foreign_keys.flatMap(({ columns }) => columns));
  const own = soleKey(table);
  return table.columns.filter(
    (column) =>
      foreign.has(column.name) || (column !== own && /[_ ]id$|[a-z]I[Dd]$|^link_to_/.test(column.name)),
  );
}

/** Whether the rows of a table are rows of another with more columns: its key is the other's. */
export function extendsParent({ child, parent }: JoinEdge, origins: Origins): boolean {
  const [a, b] = [sideOf(child, origins), sideOf(parent, origins)];
  return a !== null && b !== null && a.unique && b.unique;
}
