import type Database from 'better-sqlite3';
import type { Catalog } from '../../contracts/catalog.ts';
import { type Query, visitQuery } from '../../sql/index.ts';

/** One step of EXPLAIN QUERY PLAN. */
interface Step {
  readonly id: number;
  readonly parent: number;
  readonly detail: string;
}

const LOOP = /^(SCAN|SEARCH) (\S+)(?: USING (.*?))?(?: LEFT-JOIN| RIGHT-JOIN)*$/;
const RANGE_SHARE = 1 / 4;
/** Rows that an equality on something without statistics leaves. */
const ASSUMED_ROWS = 10;

/**
 * The estimated number of rows that SQLite visits to answer a query on the served copy. It comes from the plan and the
 * copy's own statistics, so it is the same on every machine, busy or not. `sql` is what the endpoint runs, printed from
 * `query`.
 */
export function estimateVisits(db: Database.Database, sql: string, query: Query, catalog: Catalog): number {
  // The plan does not depend on the values, but better-sqlite3 requires some.
  const values = Object.fromEntries([...sql.matchAll(/:([\w$]+)/g)].map(([, name]) => [name, null]));
  const steps = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(values) as Step[];
  const children = new Map<number, Step[]>();
  for (const step of steps) children.set(step.parent, [...(children.get(step.parent) ?? []), step]);
  return new Estimate(children, rowsBySource(query, catalog), statistics(db)).level(0, 1).visits;
}

/** The cost of some steps: rows visited, and rows returned. */
interface Cost {
  readonly visits: number;
  readonly rows: number;
}

class Estimate {
  readonly #children: ReadonlyMap<number, readonly Step[]>;
  readonly #tables: ReadonlyMap<string, number>;
  readonly #statistics: ReadonlyMap<string, readonly number[]>;

  constructor(
    children: ReadonlyMap<number, readonly Step[]>,
    tables: ReadonlyMap<string, number>,
    statistics: ReadonlyMap<string, readonly number[]>,
  ) {
    this.#children = children;
    this.#tables = tables;
    this.#statistics = statistics;
  }

  /** The steps below one, run `times` times: loops nest in each other, subqueries are run beside them. */
  level(parent: number, times: number): Cost {
    let visits = 0;
    let rows = 1;
    const made = new Map<string, number>();
    for (const step of this.#children.get(parent) ?? []) {
      const loop = LOOP.exec(step.detail);
      if (loop) {
        const [, how = '', source = '', access = ''] = loop;
        const size = this.#tables.get(source) ?? made.get(source) ?? ASSUMED_ROWS;
        const found = how === 'SCAN' ? size : this.#matches(size, access);
        if (access.startsWith('AUTOMATIC')) visits += 2 * size;
        visits += rows * found;
        rows *= found;
      } else if (step.detail === 'MULTI-INDEX OR') {
        const inside = this.level(step.id, 1);
        visits += rows * inside.visits;
        rows *= inside.rows;
      } else {
        const inside = this.level(step.id, 1);
        const again = step.detail.startsWith('CORRELATED') ? rows : 1;
        visits += again * inside.visits;
        const name = /^(?:MATERIALIZE|CO-ROUTINE) (\S+)$/.exec(step.detail)?.[1];
        if (name !== undefined) made.set(name, inside.rows);
        // The parts of UNION ALL run one after the other; a sort reads rows already visited.
        if (/^(LEFT-MOST SUBQUERY|UNION|INTERSECT|EXCEPT|INDEX \d+)/.test(step.detail)) rows += inside.rows;
        if (step.detail.startsWith('USE TEMP B-TREE')) visits += rows;
      }
    }
    return { visits: visits * times, rows };
  }

  #matches(size: number, access: string): number {
    if (/INTEGER PRIMARY KEY \(rowid=\?\)|PRIMARY KEY \(\w+=\?\)/.test(access)) return 1;
    const equalities = access.match(/=\?/g)?.length ?? 0;
    const ranged = /[<>]\?/.test(access) ? RANGE_SHARE : 1;
    const index = /INDEX (\S+) \(/.exec(access)?.[1];
    const known = index === undefined ? undefined : this.#statistics.get(index)?.[equalities];
    if (known !== undefined) return known * ranged;
    return equalities > 0 ? Math.min(size, ASSUMED_ROWS) : size * ranged;
  }
}

/** Rows of the table behind each source of a query. */
function rowsBySource(query: Query, catalog: Catalog): Map<string, number> {
  const rows = new Map(catalog.tables.map((table) => [table.name, table.rows]));
  const sources = new Map<string, number>();
  visitQuery(query, {
    query: (inner) => {
      if (inner.kind !== 'select') return;
      for (const { source } of inner.from) {
        if (source.kind === 'table') sources.set(source.id, rows.get(source.table) ?? ASSUMED_ROWS);
      }
    },
  });
  return sources;
}

/** sqlite_stat1: for each index its rows, then rows for one value of the first column, of the first two, … */
function statistics(db: Database.Database): Map<string, number[]> {
  const rows = db.prepare('SELECT idx, stat FROM sqlite_stat1 WHERE idx IS NOT NULL').all() as {
    idx: string;
    stat: string;
  }[];
  return new Map(
    rows.map(({ idx, stat }) => [
      idx,
      stat
        .split(' ')
        .map(Number)
        .filter((number) => Number.isFinite(number)),
    ]),
  );
}
