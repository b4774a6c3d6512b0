import Database from 'better-sqlite3';
import type { FastifyInstance } from 'fastify';
import pMap from 'p-map';
import { describe, expect, test } from 'vitest';
import type { Catalog } from '../contracts/catalog.ts';
import { QueryError } from '../contracts/errors.ts';
import { SHARES, TABLE_API_STYLES } from '../contracts/hybrid.ts';
import type { Service } from '../contracts/service.ts';
import { readCatalog } from '../generator/read/catalog.ts';
import { readSplit } from '../generator/read/read-split.ts';
import { ambiguitiesOf, tieBrokenVersions } from '../generator/tie-breaking.ts';
import { ALLOWED_FUNCTIONS } from '../services/base/scalars/read-statement.ts';
import { jsonSql } from '../services/base/sqlite/driver.ts';
import { hiddenTables } from '../services/domain/hybrid/hybrid-tools.ts';
import { buildApp } from '../services/index.ts';
import { exprsOf, outputNames, parseQuery, printQuery, type Query, queriesOf } from '../sql/index.ts';
import { hasPublished, publishedSplit, withPublished } from './support/published-splits.ts';

/** One gold query in this many; 1 takes all of them, in some minutes. */
const EVERY = Number(process.env.ROOKERY_TEST_EVERY ?? 24);
/** The style of the tables' APIs; it changes from one gold query to the next unless one is named. */
const STYLE = TABLE_API_STYLES.map(String).indexOf(process.env.ROOKERY_TEST_STYLE ?? '');
const REFERENCE_TIME = '2024-03-05 06:07:08';

/** What was compared, to be told. */
interface Tally {
  /** Gold queries. */
  queries: number;
  /** That our front end does not read as a statement from outside: SQLite refuses them too, or they call what may not be called. */
  unread: number;
  /** Whose rows are left to SQLite's plan, even with ties broken: asked of one executor only. */
  open: number;
  /** Statements that executor B carried out: a query once for each set of its tables that some share hides. */
  plans: number;
  /** By share. */
  readonly costs: Map<number, Cost>;
}

/** Over the queries that were asked of executor B. */
interface Cost {
  queries: number;
  /** That read a hidden table. */
  byApi: number;
  calls: number;
  rows: number;
}

describe.each(['bird-dev', 'spider-dev'] as const)('%s', (name) => {
  test.skipIf(!hasPublished(name))(
    withPublished(name, 'both executors give the rows of SQLite for gold SQL at every share'),
    async () => {
      const { questions, domains } = await readSplit(publishedSplit(name));
      const costs = new Map(SHARES.map((share) => [share, { queries: 0, byApi: 0, calls: 0, rows: 0 }]));
      const tally: Tally = { queries: 0, unread: 0, open: 0, plans: 0, costs };
      for (const { db, file } of domains) {
        const golds = questions.filter(({ db_id }) => db_id === db).filter((_, i) => i % EVERY === 0);
        await withDomain(db, file, (domain) =>
          pMap(golds, (gold) => compareGold(gold.sql, domain, tally), { concurrency: 2 }),
        );
      }
      process.stdout.write(`${name}: ${JSON.stringify({ ...tally, costs: Object.fromEntries(costs) })}\n`);
      expect(tally.plans).toBeGreaterThan(tally.queries / 2);
      expect(tally.unread + tally.open).toBeLessThan(tally.queries / 5);
    },
    3_600_000,
  );
});

interface OpenDomain {
  /** One for each style. */
  readonly apps: readonly FastifyInstance[];
  readonly catalog: Catalog;
  readonly file: string;
  readonly db: Database.Database;
}

async function withDomain(
  name: string,
  file: string,
  use: (domain: OpenDomain) => Promise<unknown>,
): Promise<void> {
  const db = new Database(file, { readonly: true });
  const catalog = readCatalog(name, db);
  const service: Service = {
    format_version: 1,
    split: 'test',
    db: name,
    title: name,
    reference_time: REFERENCE_TIME,
    endpoints: [],
    start_tables: [],
    catalog,
  };
  const limits = { timeoutMs: 60_000, maxBytes: 512 * 1024 * 1024, maxRows: 10_000_000 };
  const apps = await Promise.all(
    TABLE_API_STYLES.map((tableApi) =>
      buildApp({ domains: [{ service, database: file }], logger: false, limits, tableApi }),
    ),
  );
  try {
    await use({ apps, catalog, file, db });
  } finally {
    await Promise.all(apps.map((app) => app.close()));
    db.close();
  }
}

async function compareGold(gold: string, domain: OpenDomain, tally: Tally): Promise<void> {
  const style = STYLE < 0 ? tally.queries % TABLE_API_STYLES.length : STYLE;
  const app = domain.apps[style] as FastifyInstance;
  tally.queries++;
  const query = readGold(gold, domain);
  if (query === null) {
    tally.unread++;
    return;
  }
  const sql = printQuery(query, { outputNames: outputNames(query) });
  const isOrdered = query.kind !== 'values' && query.orderBy.length > 0;
  const expected = expectedRows(sql, query, domain.db);
  if (expected === null) {
    tally.unread++;
    return;
  }
  const compare = async (more: object, told: string) => {
    const answer = await app.inject({
      method: 'POST',
      url: `/v1/test/${encodeURIComponent(domain.catalog.db)}/sql`,
      payload: { sql, ...more },
    });
    expect(answer.statusCode, `${told}: ${gold}: ${answer.body.slice(0, 500)}`).toBe(200);
    const text = answer.body;
    const data = text.slice(text.indexOf('"data":[') + 8, text.lastIndexOf('],"row_count"'));
    const sorted = (rows: string) =>
      isOrdered
        ? rows
        : rows
            .split(/(?<=\}),(?=\{)/)
            .sort()
            .join();
    expect(sorted(data) === sorted(expected), `${told}: ${gold}`).toBe(true);
    return answer.json() as { calls: number; rows_moved: number };
  };
  await compare({ executor: 'functions' }, 'functions');
  if (ambiguitiesOf(query, domain.catalog).length > 0) {
    tally.open++;
    return;
  }
  const tables = new Set(
    queriesOf(query)
      .flatMap((one) => (one.kind === 'select' ? one.from : []))
      .flatMap(({ source }) => (source.kind === 'table' ? source.table : [])),
  );
  const known = new Map<string, { calls: number; rows_moved: number }>();
  for (const share of SHARES) {
    const touched = hiddenTables(domain.catalog, { share, seed: 0 }).filter((table) => tables.has(table));
    const key = touched.join('\n');
    // Hiding the same of its tables is the same plan.
    const found = known.get(key) ?? (await compare({ executor: 'http', share }, `http at ${share} %`));
    if (!known.has(key)) tally.plans++;
    known.set(key, found);
    const cost = tally.costs.get(share) as Cost;
    cost.queries++;
    if (touched.length > 0) cost.byApi++;
    cost.calls += found.calls;
    cost.rows += found.rows_moved;
  }
}

/** The gold SQL with ties broken, so that a copy of some rows in another order gives the same; null where it cannot be read. */
function readGold(gold: string, { catalog, file }: OpenDomain): Query | null {
  // An API tells no row ids, so none may break a tie.
  const told = { ...catalog, tables: catalog.tables.map((table) => ({ ...table, has_rowid: false })) };
  try {
    const query = parseQuery(gold, { catalog: told, referenceTime: REFERENCE_TIME });
    const called = exprsOf(query).flatMap((expr) =>
      'name' in expr && expr.kind !== 'column' ? [expr.name] : [],
    );
    if (!called.every((name) => ALLOWED_FUNCTIONS.has(name))) return null;
    const open = ambiguitiesOf(query, told);
    if (open.length === 0) return query;
    const versions = tieBrokenVersions(query, open, file, told);
    return versions.find((version) => ambiguitiesOf(version, told).length === 0) ?? query;
  } catch (error) {
    if (error instanceof QueryError) return null;
    throw error;
  }
}

function expectedRows(sql: string, query: Query, db: Database.Database): string | null {
  try {
    return db
      .prepare(jsonSql(sql, outputNames(query)))
      .pluck()
      .all()
      .join(',');
  } catch (error) {
    if (error instanceof Database.SqliteError) return null;
    throw error;
  }
}
