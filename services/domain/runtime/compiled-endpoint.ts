import type { Endpoint } from '../../../contracts/service.ts';
import type { Connection, SqlParameters } from '../../base/sqlite/driver.ts';
import { isBounded } from '../../base/sqlite/is-bounded.ts';
import { jsonSql } from '../../base/sqlite/json-sql.ts';

/** Times over the limit after which an endpoint is no longer trusted on the main thread. */
const MAX_STRIKES = 2;
/** One call so slow is no accident of a busy machine. */
const FAR_OVER = 5;

/** A prepared endpoint, and its measured speed. */
export class CompiledEndpoint {
  readonly endpoint: Endpoint;
  /** Gives each row as JSON text. */
  readonly sql: string;
  #slow: boolean;
  #bounded: boolean | undefined;
  #strikes = 0;

  constructor(endpoint: Endpoint) {
    this.endpoint = endpoint;
    this.sql = jsonSql(
      endpoint.sql,
      endpoint.columns.map((column) => column.name),
    );
    this.#slow = endpoint.speed === 'slow';
  }

  /** Whether it never returns more than a few rows. */
  bounded(connection: Connection, parameters: SqlParameters): boolean {
    this.#bounded ??= isBounded(connection, this.endpoint.sql, parameters);
    return this.#bounded;
  }

  /** Whether it runs in a child process: marked so in the farm, or found out since. */
  get slow(): boolean {
    return this.#slow;
  }

  /** Records the time of a call on the main thread. Returns true when the endpoint has just become slow. */
  observe(milliseconds: number, quickMs: number): boolean {
    if (this.#slow || milliseconds <= quickMs) return false;
    this.#strikes += milliseconds > quickMs * FAR_OVER ? MAX_STRIKES : 1;
    this.#slow = this.#strikes >= MAX_STRIKES;
    return this.#slow;
  }
}
