import type Database from 'better-sqlite3';
import {
  type Column,
  columnsOfQuery,
  node,
  type OrderTerm,
  printQuery,
  type Query,
  type SourceId,
  selectBlocks,
} from '../../sql/index.ts';

/** The order in which SQLite visits the rows of a query's tables in one database. */
export interface VisitOrder {
  /** Tables as their loops nest, outermost first; all SELECTs of the query, one after the other. */
  readonly sources: readonly SourceId[];
  /** The sort order of each loop's rows: columns of the index it follows, then the row id. */
  keys(source: SourceId): readonly OrderTerm[];
  /** Whether some ORDER BY is satisfied by an index, perhaps backwards, instead of a sort. */
  readonly sortsByIndex: boolean;
}

const LOOP = /^(?:SCAN|SEARCH) (T\d+)(?: USING (.*?))?(?: LEFT-JOIN| RIGHT-JOIN)*$/;
const INDEX = /^(AUTOMATIC )?(?:PARTIAL )?(?:COVERING )?INDEX(?: ([^\s(]\S*))?(?: \((.*)\))?$/;

/** SQLite's plan of the query on this database. */
export function visitOrder(db: Database.Database, query: Query): VisitOrder {
  const steps = db.prepare(`EXPLAIN QUERY PLAN ${printQuery(query)}`).all() as { detail: string }[];
  const loops = new Map<SourceId, string>();
  for (const { detail } of steps) {
    const [, source, access = ''] = LOOP.exec(detail) ?? [];
    if (source !== undefined && !loops.has(source)) loops.set(source, access);
  }
  return {
    sources: [...loops.keys()],
    keys: (source) => [...indexKeys(db, query, source, loops.get(source) ?? ''), term(source, 'rowid')],
    sortsByIndex: !steps.some(({ detail }) => /^USE TEMP B-TREE FOR .*ORDER BY$/.test(detail)),
  };
}

function indexKeys(db: Database.Database, query: Query, source: SourceId, access: string): OrderTerm[] {
  const [found, automatic, name, conditions = ''] = INDEX.exec(access) ?? [];
  if (!found) return [];
  const bound = new Set([...conditions.matchAll(/(\w+)=\?/g)].map(([, column]) => column));
  if (automatic) {
    // An automatic index: the columns looked up, then the other columns the query uses, in the table's order.
    const used = new Set(
      columnsOfQuery(query).flatMap((column) => (column.source === source ? [column.name] : [])),
    );
    return columnNames(db, tableOf(query, source))
      .filter((column) => used.has(column) && !bound.has(column))
      .map((column) => term(source, column));
  }
  const columns = db
    .prepare(
      'SELECT name, "desc" FROM pragma_index_xinfo(?) WHERE key = 1 AND name IS NOT NULL ORDER BY seqno',
    )
    .all(name ?? '') as { name: string; desc: number }[];
  return columns
    .filter((column) => !bound.has(column.name))
    .map((column) => term(source, column.name, column.desc === 1 ? 'desc' : 'asc'));
}

function columnNames(db: Database.Database, table: string): string[] {
  return db.prepare('SELECT name FROM pragma_table_xinfo(?) ORDER BY cid').pluck().all(table) as string[];
}

/** The table that a source reads, '' if it is none. */
function tableOf(query: Query, id: SourceId): string {
  const sources = selectBlocks(query).flatMap(({ select }) => select.from.map(({ source }) => source));
  const found = sources.find((source) => source.id === id);
  return found?.kind === 'table' ? found.table : '';
}

/** `source.column` as a sort key. */
export function term(source: SourceId, name: string, direction: 'asc' | 'desc' = 'asc'): OrderTerm {
  const expr: Column = node({ kind: 'column', source, name });
  return node({ expr, direction, nulls: null });
}
