import {
  type Block,
  type Column,
  columnsOfQuery,
  conjuncts,
  type Expr,
  integerLiteral,
  isCorrelated,
  node,
  type OrderTerm,
  type OutputColumn,
  ownExprs,
  printQuery,
  type Query,
  queryExprs,
  selectBlocks,
  selectsOf,
} from '../../sql/index.ts';
import type { Stored } from '../oracle/messages.ts';
import { VISITED } from '../oracle/messages.ts';
import { mentionsOf } from '../variants/conditions.ts';
import { countVisits } from '../variants/count-visits.ts';
import type { TableShape } from '../variants/table-shape.ts';
import { contests, witnessOf } from '../variants/witness.ts';

/** Combinations of rows looked at per SELECT. */
const COMBINATIONS = 8;

/** A column of one of a SELECT's tables, by the table's position. */
export interface Place {
  readonly source: number;
  readonly column: string;
}

/** One SELECT of a question's gold SQL: whose rows reach its result, and what is looked at in them. */
export interface Part {
  readonly tables: readonly TableShape[];
  /** Gives combinations of rows that meet all conditions: the identities of the tables' rows, side by side. */
  readonly rows: string;
  /** What ON and WHERE look at. */
  readonly conditions: readonly Place[];
  /** What else is looked at: result, groups, sort keys. */
  readonly reads: readonly Place[];
  /** Queries for single values that conditions compare columns with; they count their visits. */
  readonly computed: readonly { readonly place: Place; readonly sql: string }[];
  /** Values that conditions compare columns with. */
  readonly literals: readonly { readonly place: Place; readonly value: Stored }[];
}

/** A gold query whose answer is to differ from the farm's. */
export interface Target {
  /** The gold SQL, counting its visits. */
  readonly sql: string;
  readonly parts: readonly Part[];
  /** All columns that the query looks at, by table. */
  readonly reads: ReadonlyMap<string, ReadonlySet<string>>;
}

/** How to look at a gold query's answer, and at the rows that reach it. */
export function targetOf(query: Query, shapes: ReadonlyMap<string, TableShape>): Target {
  return {
    sql: printCounted(query, shapes),
    parts: selectBlocks(query).flatMap((block) => partOf(block, shapes) ?? []),
    reads: readsOf(query),
  };
}

function readsOf(query: Query): Map<string, Set<string>> {
  const tables = new Map<string, string>();
  const reads = new Map<string, Set<string>>();
  for (const { source } of selectsOf(query).flatMap(({ from }) => from)) {
    if (source.kind !== 'table') continue;
    tables.set(source.id, source.table);
    reads.set(source.table, reads.get(source.table) ?? new Set());
  }
  for (const { source, name } of columnsOfQuery(query)) reads.get(tables.get(source) ?? '')?.add(name);
  return reads;
}

function printCounted(query: Query, shapes: ReadonlyMap<string, TableShape>): string {
  return printQuery(countVisits(query, VISITED, shapes));
}

function partOf(block: Block, shapes: ReadonlyMap<string, TableShape>): Part | null {
  const witness = witnessOf(block, shapes);
  const { exact } = witness ?? {};
  if (!witness || exact?.kind !== 'select') return null;
  const { select } = block;
  const position = new Map(witness.sources.map(({ source }, i) => [source.id, i]));
  const identities = witness.sources.flatMap(({ source, shape }) =>
    shape.identity.map((name): Column => node({ kind: 'column', source: source.id, name })),
  );
  const rows = node({
    ...exact,
    columns: identities.map((expr, i): OutputColumn => node({ expr, name: `c${i}`, alias: null })),
    orderBy: orderOf(block, new Set(position.keys())),
    limit: { count: integerLiteral(BigInt(COMBINATIONS)), offset: null },
  });
  const places = (exprs: readonly Expr[]): Place[] => {
    const found = exprs.flatMap((expr) => [...ownExprs(expr)]).flatMap((expr) => placeOf(expr) ?? []);
    return [...new Map(found.map((place) => [`${place.source}/${place.column}`, place])).values()];
  };
  const placeOf = (expr: Expr): Place | null => {
    const source = expr.kind === 'column' ? position.get(expr.source) : undefined;
    if (expr.kind !== 'column' || source === undefined) return null;
    const stored = witness.sources[source]?.shape.columns.some(({ name }) => name === expr.name);
    return stored ? { source, column: expr.name } : null;
  };
  const inConditions = new Set([
    ...conjuncts(select.where),
    ...select.from.flatMap(({ on }) => conjuncts(on)),
  ]);
  const others = queryExprs(select).filter((expr) => expr !== select.where && !isOn(expr, select));
  return {
    tables: witness.sources.map(({ shape }) => shape),
    rows: printCounted(rows, shapes),
    conditions: places([...inConditions]),
    reads: places(others),
    computed: [...inConditions, ...others]
      .flatMap((expr) => [...ownExprs(expr)])
      .flatMap((expr) => {
        const pair = computedBound(expr);
        const place = pair && placeOf(pair.column);
        return place ? [{ place, sql: printCounted(pair.query, shapes) }] : [];
      }),
    literals: [...inConditions, ...others].flatMap(mentionsOf).flatMap(({ column, literals }) => {
      const place = placeOf(column);
      return place ? literals.map((value) => ({ place, value })) : [];
    }),
  };
}

/** A column that is compared with what a subquery gives; null where there is none, or it reads the rows around it. */
function computedBound(expr: Expr): { readonly column: Column; readonly query: Query } | null {
  if (expr.kind !== 'compare') return null;
  const [column, bound] = expr.left.kind === 'column' ? [expr.left, expr.right] : [expr.right, expr.left];
  if (column.kind !== 'column' || bound.kind !== 'scalar_query' || isCorrelated(bound.query)) return null;
  return { column, query: bound.query };
}

function isOn(expr: Expr, { from }: Block['select']): boolean {
  return from.some(({ on }) => on === expr);
}

/** So that the rows found are those which sort keys, MAX and MIN put first. */
function orderOf({ select }: Block, own: ReadonlySet<string>): OrderTerm[] {
  const [first] = contests(select);
  const plain = select.orderBy.filter(({ expr }) =>
    [...ownExprs(expr)].every((part) => part.kind !== 'aggregate' && part.kind !== 'window'),
  );
  if (select.groupBy.length === 0 && plain.length > 0 && plain.length === select.orderBy.length) {
    return plain.filter(({ expr }) => [...ownExprs(expr)].every((part) => isOwnColumn(part, own)));
  }
  if (!first || !own.has(first.column.source)) return [];
  return [node({ expr: first.column, direction: first.greatest ? 'desc' : 'asc', nulls: null })];
}

function isOwnColumn(expr: Expr, own: ReadonlySet<string>): boolean {
  return expr.kind !== 'column' || own.has(expr.source);
}
