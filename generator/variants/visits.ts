import type { Catalog } from '../../contracts/catalog.ts';
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
  plainSelect,
  printQuery,
  type Query,
  queriesOf,
  realLiteral,
  rewriteNodes,
  type Select,
  selectBlocks,
  type TableSource,
} from '../../sql/index.ts';
import { VISITED, withDatabase } from '../oracle/engines.ts';
import type { Oracle } from '../oracle/oracle.ts';
import { type TableShape, tableShapes } from './changes.ts';

/** Rows that a gold query may visit on a neighbour: seconds of work, well below any time limit. */
const MAX_VISITS = 5_000_000;

/** Detects joins that multiply on a neighbour by counting rows, not time, so that every machine agrees. */
export class VisitLimit {
  readonly #oracle: Oracle;
  readonly #catalog: Catalog;
  /** Shared by all variants of a domain. */
  #shapes: ReadonlyMap<string, TableShape> | null = null;

  constructor(oracle: Oracle, catalog: Catalog) {
    this.#oracle = oracle;
    this.#catalog = catalog;
  }

  /** Whether a query visits too many rows of a database to be run there. */
  async isExceeded(query: Query, file: string): Promise<boolean> {
    return this.isRisky(query, file) && ((await this.visits(query, file, MAX_VISITS)) ?? 0) > MAX_VISITS;
  }

  /** At most `most` + 1; null when SQLite refuses to count. */
  async visits(query: Query, file: string, most: number): Promise<number | null> {
    const [visits = null] = await this.visitsOfEach([query], file, most);
    return visits;
  }

  visitsOfEach(queries: readonly Query[], file: string, most: number): Promise<readonly (number | null)[]> {
    const shapes = this.#shapesOf(file);
    const counting = queries.map((query) => printQuery(countVisits(query, VISITED, shapes)));
    return this.#oracle.visits(file, counting, most);
  }

  /** Whether only `isExceeded` can find out if a query may be run on a database. */
  isRisky(query: Query, file: string): boolean {
    return mayMultiply(query, this.#shapesOf(file));
  }

  #shapesOf(file: string): ReadonlyMap<string, TableShape> {
    if (this.#shapes) return this.#shapes;
    return withDatabase(file, (db) => {
      this.#shapes = new Map(tableShapes(db, this.#catalog).map((shape) => [shape.name, shape]));
      return this.#shapes;
    });
  }
}

/** Whether tables are joined on neither one's key, so that equal values pair up. */
function mayMultiply(query: Query, shapes: ReadonlyMap<string, TableShape>): boolean {
  return selectBlocks(query).some((block) => {
    const witness = witnessOf(block, shapes);
    if (!witness || witness.sources.length < 2) return false;
    const isUnique = ({ source, name }: Column) =>
      witness.sources
        .find((each) => each.source.id === source)
        ?.shape.columns.some((column) => column.name === name && column.unique) ?? false;
    const joins = witness.equalities.filter((pair) => pair.some(isUnique));
    return joins.length < witness.sources.length - 1;
  });
}

/**
 * Adds to the query a call that is always true for each row visited of a table or of a recursive CTE, by which it can
 * be stopped. It reads only what every index holds and, with `likelihood(…, 1.0)`, does not change the plan.
 */
export function countVisits(query: Query, visited: string, shapes: ReadonlyMap<string, TableShape>): Query {
  const all = queriesOf(query);
  const recursive = all.flatMap((each) => each.with).filter((cte) => cte.recursive);
  const columns = new Map(recursive.map((cte) => [cte.name, cte.columns.slice(0, 1)]));
  const identityOf = ({ source }: FromItem): readonly string[] | undefined => {
    if (source.kind === 'table') return shapes.get(source.table)?.identity;
    return source.kind === 'cte' ? columns.get(source.name) : undefined;
  };
  const selects = all.filter((each) => each.kind === 'select');
  return rewriteNodes(
    query,
    new Map(selects.map((each) => [each, (now) => counting(now as Select, visited, identityOf)])),
  );
}

/** The columns that tell a source's rows apart, or any that differ in many; undefined if its rows are not counted. */
type IdentityOf = (item: FromItem) => readonly string[] | undefined;

function counting(select: Select, visited: string, identityOf: IdentityOf): Select {
  const inWhere: Expr[] = [];
  const from = select.from.map((item): FromItem => {
    const identity = identityOf(item);
    const count = identity && countOf(item, visited, identity);
    if (!count) return item;
    // Rows unmatched by an outer join never reach WHERE.
    if (isOuter(item)) return node({ ...item, on: conjunction([count, ...conjuncts(item.on)]) });
    inWhere.push(count);
    return item;
  });
  const where = [...inWhere, ...conjuncts(select.where)];
  return node({ ...select, from, where: where.length > 0 ? conjunction(where) : null });
}

function countOf({ source }: FromItem, visited: string, identity: readonly string[]): Expr {
  const args = identity.map((name): Expr => node({ kind: 'column', source: source.id, name }));
  return node({
    kind: 'call',
    name: 'likelihood',
    args: [node({ kind: 'call', name: visited, args }), realLiteral('1.0')],
  });
}

function isOuter({ join }: FromItem): boolean {
  return join === 'left' || join === 'right' || join === 'full';
}

const WITNESSES = 6;

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
      node({ expr: node({ kind: 'column', source, name: column }), name: `c${i}`, alias: null }),
  );
  const reading = (from: readonly FromItem[], kept: readonly Expr[]): Select =>
    plainSelect({
      with: ctes,
      columns,
      from,
      where: kept.length > 0 ? conjunction(kept) : null,
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
