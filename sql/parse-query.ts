import type { Catalog } from '../contracts/catalog.ts';
import { bindQuery } from './bind/bind-query.ts';
import { Binder } from './bind/binder.ts';
import type { Query } from './ir/nodes.ts';
import { carry } from './parse/carrier.ts';
import { parseCarrier } from './parse/parse.ts';

/** What a query is bound against. */
export interface SqlContext {
  readonly catalog: Catalog;
  /** What `'now'` means: `YYYY-MM-DD HH:MM:SS`, UTC. */
  readonly referenceTime: string;
}

/**
 * Parses one SELECT statement of SQLite's and binds it against the catalog.
 * Throws a QueryError: SQL_NOT_PARSED, SQL_NOT_BOUND, SQL_UNSUPPORTED or NONDETERMINISTIC.
 */
export function parseQuery(sql: string, { catalog, referenceTime }: SqlContext): Query {
  const carrier = carry(sql);
  const tree = parseCarrier(carrier);
  const binder = new Binder(carrier, catalog, referenceTime);
  return bindQuery(tree, { binder, outer: null, ctes: new Map() });
}
