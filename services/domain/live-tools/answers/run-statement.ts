import type { Caller } from '../../../base/access/asker.ts';
import { HttpProblem } from '../../../base/http/problem.ts';
import type { SqlParameters } from '../../../base/sqlite/driver.ts';
import { runJsonQuery } from '../../../base/sqlite/json-query.ts';
import { BudgetSpentError, type JsonRows, type RowCaps } from '../../../base/sqlite/rows-as-json.ts';
import type { ServedDomain } from '../../runtime/served-domain.ts';
import { asProblem, type SlowQueries } from '../../runtime/slow-queries.ts';

/** A statement made by `jsonSql` or `jsonValueSql`, and its bounds. */
export interface BoundedStatement {
  readonly sql: string;
  readonly parameters: SqlParameters;
  readonly caps: RowCaps;
  readonly timeoutMs: number;
}

/** Measured times of a domain's quick statements. */
export interface StatementPace {
  /** The most steps (see plan-cost.ts) of one statement on the main thread. */
  quickSteps: number;
}

interface Runner {
  readonly slowQueries: SlowQueries;
  readonly quickMs: number;
  readonly asker: Caller;
}

/**
 * Runs a statement: on the main thread when its plan takes few steps, else in a child process, where it is
 * stopped at the limit. When the main thread was held up all the same, the domain's next statements must be
 * smaller to run there. Throws QUERY_TIMEOUT, OVERLOADED, QUERY_FAILED, QUERY_TOO_COMPLEX.
 */
export async function runStatement(
  statement: BoundedStatement,
  steps: number,
  domain: ServedDomain,
  pace: StatementPace,
  runner: Runner,
): Promise<JsonRows> {
  const { sql, parameters, caps, timeoutMs } = statement;
  const query = { sql, parameters, caps, keep: false };
  const inChild = () =>
    runner.slowQueries.run({ ...query, database: domain.database }, timeoutMs, runner.asker);
  try {
    if (steps > pace.quickSteps) return await inChild();
    const [began, before] = [performance.now(), process.cpuUsage()];
    try {
      return runJsonQuery(domain.connection(), { ...query, caps: { ...caps, budgetMs: runner.quickMs } });
    } catch (error) {
      if (error instanceof BudgetSpentError) return await inChild();
      throw error;
    } finally {
      // On a busy machine a quick statement takes long too, and must not be taken for a slow one: then the processor tells.
      if (performance.now() - began > runner.quickMs && cpuMsSince(before) > runner.quickMs)
        pace.quickSteps = Math.floor(Math.min(steps, pace.quickSteps) / 2);
    }
  } catch (error) {
    throw isTooComplex(error) ? tooComplex(error) : asProblem(error);
  }
}

function cpuMsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** SQLite's errors for a valid statement that is too complex to prepare. */
const TOO_MUCH = /too (many|large|big|complex|long)|at most \d+ tables|parser stack overflow/i;

/** By name: it may come from a child. */
function isTooComplex(error: unknown): error is Error {
  return error instanceof Error && error.name === 'SqliteError' && TOO_MUCH.test(error.message);
}

function tooComplex(cause: Error): HttpProblem {
  const detail = 'The result is made of too many steps, tables or columns for one SQL statement.';
  return new HttpProblem('QUERY_TOO_COMPLEX', detail, { cause });
}
