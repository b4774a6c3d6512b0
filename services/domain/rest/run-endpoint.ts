import type { SqlParameters } from '../../base/sqlite/driver.ts';
import { runJsonQuery } from '../../base/sqlite/json-query.ts';
import { BudgetSpentError, type JsonRows } from '../../base/sqlite/rows-as-json.ts';
import type { CompiledEndpoint } from '../runtime/compiled-endpoint.ts';
import type { RuntimeContext } from '../runtime/runtime-context.ts';
import type { ServedDomain } from '../runtime/served-domain.ts';
import { asProblem } from '../runtime/slow-queries.ts';

/**
 * An endpoint's rows: at once from the main thread when it is quick, else from a child process. A statement
 * cannot be stopped from within, but a quick one that lingers is left between two rows and begun again in a
 * child, and an endpoint that was slow twice goes there from then on.
 */
export function runEndpoint(
  context: RuntimeContext,
  domain: ServedDomain,
  endpoint: CompiledEndpoint,
  parameters: SqlParameters,
): JsonRows | Promise<JsonRows> {
  const { limits, metrics, slowQueries } = context;
  const caps = { maxRows: limits.maxRows, maxBytes: limits.maxBytes };
  const query = { sql: endpoint.sql, parameters, caps, keep: true };
  const inChild = () => slowQueries.run({ ...query, database: domain.database });
  if (endpoint.slow) return inChild();

  const began = performance.now();
  try {
    const connection = domain.connection();
    const bounded = endpoint.bounded(connection, parameters);
    return runJsonQuery(connection, { ...query, bounded, caps: { ...caps, budgetMs: limits.quickMs } });
  } catch (error) {
    if (error instanceof BudgetSpentError) return inChild();
    throw asProblem(error);
  } finally {
    if (endpoint.observe(performance.now() - began, limits.quickMs)) metrics.demotions++;
  }
}
