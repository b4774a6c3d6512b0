import Database from 'better-sqlite3';
import type { Catalog } from '../../contracts/catalog.ts';
import {
  type Column,
  conjunction,
  conjuncts,
  type Expr,
  type FromItem,
  node,
  printQuery,
  type Query,
  queriesOf,
  realLiteral,
  rewriteNodes,
  type Select,
  selectBlocks,
} from '../../sql/index.ts';
import { type Oracle, VISITED } from '../oracle/oracle.ts';
import { type TableShape, tableShapes } from './table-shape.ts';
import { witnessOf } from './witness.ts';

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
    const shapes = this.#shapesOf(file);
    return mayMultiply(query, shapes) && ((await this.visits(query, file, MAX_VISITS)) ?? 0) > MAX_VISITS;
  }

  /** At most `most` + 1; null when SQLite refuses to count. */
  visits(query: Query, file: string, most: number): Promise<number | null> {
    return this.#oracle.visits(file, printQuery(countVisits(query, VISITED, this.#shapesOf(file))), most);
  }

  #shapesOf(file: string): ReadonlyMap<string, TableShape> {
    if (this.#shapes) return this.#shapes;
    const db = new Database(file, { readonly: true, fileMustExist: true });
    try {
      this.#shapes = new Map(tableShapes(db, this.#catalog).map((shape) => [shape.name, shape]));
      return this.#shapes;
    } finally {
      db.close();
    }
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
 * Adds to the query a call that is always true for each table row visited, by which it can be stopped. It
 * reads only what every index holds and, with `likelihood(…, 1.0)`, does not change the plan.
 */
export function countVisits(query: Query, visited: string, shapes: ReadonlyMap<string, TableShape>): Query {
  const selects = queriesOf(query).filter((each) => each.kind === 'select');
  return rewriteNodes(
    query,
    new Map(selects.map((each) => [each, (now) => counting(now as Select, visited, shapes)])),
  );
}

function counting(select: Select, visited: string, shapes: ReadonlyMap<string, TableShape>): Select {
  const inWhere: Expr[] = [];
  const from = select.from.map((item): FromItem => {
    const count = countOf(item, visited, shapes);
    if (!count) return item;
    // Rows unmatched by an outer join never reach WHERE.
    if (isOuter(item)) return node({ ...item, on: conjunction([count, ...conjuncts(item.on)]) });
    inWhere.push(count);
    return item;
  });
  const where = [...inWhere, ...conjuncts(select.where)];
  return node({ ...select, from, where: where.length > 0 ? conjunction(where) : null });
}

function countOf(
  { source }: FromItem,
  visited: string,
  shapes: ReadonlyMap<string, TableShape>,
): Expr | null {
  const shape = source.kind === 'table' ? shapes.get(source.table) : undefined;
  if (!shape) return null;
  const args = shape.identity.map((name): Expr => node({ kind: 'column', source: source.id, name }));
  return node({
    kind: 'call',
    name: 'likelihood',
    args: [node({ kind: 'call', name: visited, args }), realLiteral('1.0')],
  });
}

function isOuter({ join }: FromItem): boolean {
  return join === 'left' || join === 'right' || join === 'full';
}
