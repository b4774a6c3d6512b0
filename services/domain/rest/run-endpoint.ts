import type { Caller } from '../../base/access/asker.ts';
import { runJsonQuery } from '../../base/sqlite/json-query.ts';
import { BudgetSpentError, type JsonRows } from '../../base/sqlite/rows-as-json.ts';
import type { CompiledEndpoint } from '../runtime/compiled-endpoint.ts';
import type { RuntimeContext } from '../runtime/runtime-context.ts';
import type { ServedDomain } from '../runtime/served-domain.ts';
import { asProblem } from '../runtime/slow-queries.ts';
import { type BoundParameters, spellOutLists } from './spell-out-lists.ts';

/** An endpoint of a domain, asked with some values. */
export interface EndpointQuery {
  readonly domain: ServedDomain;
  readonly endpoint: CompiledEndpoint;
  readonly parameters: BoundParameters;
}

/**
 * An endpoint's rows at once, from the main thread; null when they take a child process. A statement cannot be
 * stopped from within, but a quick one that lingers is left between two rows, and an endpoint that was slow twice
 * counts as slow from then on.
 */
export function runOnMainThread(
  { limits, metrics }: RuntimeContext,
  { domain, endpoint, parameters }: EndpointQuery,
): JsonRows | null {
  if (endpoint.slow) return null;
  const caps = { maxRows: limits.maxRows, maxBytes: limits.maxBytes, budgetMs: limits.quickMs };
  const began = performance.now();
  try {
    const connection = domain.connection();
    const bounded = endpoint.bounded(connection, parameters.values);
    const statement = spellOutLists(endpoint.sql, parameters);
    return runJsonQuery(connection, { ...statement, caps, keep: true, bounded });
  } catch (error) {
    if (error instanceof BudgetSpentError) return null;
    throw asProblem(error);
  } finally {
    if (endpoint.observe(performance.now() - began, limits.quickMs)) metrics.demotions++;
  }
}

/** An endpoint's rows from a child process. Rejects as `SlowQueries.run` does. */
export function runInChild(
  { limits, slowQueries }: RuntimeContext,
  { domain, endpoint, parameters }: EndpointQuery,
  asker: Caller,
): Promise<JsonRows> {
  const caps = { maxRows: limits.maxRows, maxBytes: limits.maxBytes };
  const statement = spellOutLists(endpoint.sql, parameters);
  const query = { ...statement, caps, keep: true, database: domain.database };
  return slowQueries.run(query, limits.timeoutMs, asker);
}
