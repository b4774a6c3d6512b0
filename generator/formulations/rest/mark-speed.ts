import Database from 'better-sqlite3';
import type { Catalog } from '../../../contracts/catalog.ts';
import type { Endpoint } from '../../../contracts/service.ts';
import { spellOutLists } from '../../../services/domain/rest/spell-out-lists.ts';
import type { Query } from '../../../sql/index.ts';
import { estimateVisits } from '../../served-copy/estimate-visits.ts';

/** Rows that SQLite visits in a few milliseconds; an endpoint that visits more runs in a child process. */
const QUICK_VISITS = 20_000;

/**
 * The endpoints with their speed, by SQLite's own estimate of the rows visited on the served copy, so that the farm is
 * the same on every machine. `queries` has a query of each, by name.
 */
export function markSpeed(
  endpoints: readonly Endpoint[],
  queries: ReadonlyMap<string, Query>,
  { database, catalog }: { readonly database: string; readonly catalog: Catalog },
): Endpoint[] {
  const db = new Database(database, { readonly: true, fileMustExist: true });
  try {
    return endpoints.map((endpoint) => {
      const query = queries.get(endpoint.name);
      if (!query) throw new Error(`endpoint ${endpoint.name} has no query`);
      const visits = estimateVisits(db, asRun(endpoint), query, catalog);
      return { ...endpoint, speed: visits > QUICK_VISITS ? 'slow' : 'quick' };
    });
  } finally {
    db.close();
  }
}

/** The SQL of an endpoint for lists of two values. */
function asRun({ sql, parameters }: Endpoint): string {
  const lists = parameters.flatMap(({ name, array }) => (array ? [[name, [null, null]] as const] : []));
  return spellOutLists(sql, { values: {}, lists: Object.fromEntries(lists) }).sql;
}
