import type { Catalog } from '../contracts/catalog.ts';
import { Binder } from './bind-expr.ts';
import { bindQuery } from './bind-query.ts';
import type { Query } from './ir.ts';
import { carry, parseCarrier } from './parse.ts';

export interface SqlContext {
  readonly catalog: Catalog;
  /** `YYYY-MM-DD HH:MM:SS`, UTC. */
  readonly referenceTime: string;
}

/** Parses one SELECT. Throws SQL_NOT_PARSED, SQL_NOT_BOUND, SQL_UNSUPPORTED or NONDETERMINISTIC. */
export function parseQuery(sql: string, { catalog, referenceTime }: SqlContext): Query {
  const carrier = carry(sql);
  const tree = parseCarrier(carrier);
  const binder = new Binder(carrier, catalog, referenceTime);
  return bindQuery(tree, { binder, outer: null, ctes: new Map() });
}
