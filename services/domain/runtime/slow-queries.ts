import { type Caller, isRun, OWN_CALLER } from '../../base/access/asker.ts';
import { tooManySlowQueries } from '../../base/http/busy-problems.ts';
import { HttpProblem } from '../../base/http/problem.ts';
import {
  AbandonedError,
  ChildNotStartedError,
  ChildPool,
  OverloadedError,
  PoolClosedError,
  TimeoutError,
} from '../../base/sandbox/index.ts';
import type { ChildQuery } from '../../base/sqlite/query-child.ts';
import type { JsonRows } from '../../base/sqlite/rows-as-json.ts';

export interface SlowQueriesOptions {
  readonly size: number;
  readonly maxQueue: number;
  /** Milliseconds of processor time that a query may take. */
  readonly timeoutMs: number;
  /** How many times as long it may take by the clock; see ChildPool. */
  readonly patience?: number;
  /** Called in the context of whoever asked, with the part of its limit that a query took. */
  readonly onCost?: (share: number) => void;
}

/** Queries in child processes, each stopped at the limit. */
export class SlowQueries {
  readonly #pool: ChildPool<ChildQuery, JsonRows>;
  readonly #timeoutMs: number;
  timeouts = 0;
  refused = 0;

  readonly #onCost: SlowQueriesOptions['onCost'];

  constructor({ timeoutMs, onCost, ...pool }: SlowQueriesOptions) {
    const module = new URL('../../base/sqlite/query-child.ts', import.meta.url);
    this.#pool = new ChildPool({ module, ...pool });
    this.#timeoutMs = timeoutMs;
    this.#onCost = onCost;
  }

  get load(): { running: number; waiting: number } {
    return this.#pool.load;
  }

  /**
   * Stopped after `timeoutMs`, the limit of every query unless given. Rejects with QUERY_TIMEOUT, OVERLOADED,
   * QUERY_FAILED, CALLER_GONE, NOT_READY, or what else the child threw.
   */
  async run(query: ChildQuery, timeoutMs = this.#timeoutMs, asker: Caller = OWN_CALLER): Promise<JsonRows> {
    let cost = 0;
    const onCost = (cpuMs: number) => {
      cost = cpuMs;
    };
    try {
      return await this.#pool.run(query, timeoutMs, { ...asker, sharing: isRun(asker.caller), onCost });
    } catch (error) {
      if (error instanceof TimeoutError) this.timeouts++;
      if (error instanceof OverloadedError) this.refused++;
      throw asProblem(error);
    } finally {
      this.#onCost?.(cost / timeoutMs);
    }
  }

  /** Makes a child ready for queries that are to be expected soon. */
  warm(): void {
    this.#pool.warm();
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}

/** The error of a query, without internal details. */
export function asProblem(error: unknown): unknown {
  if (error instanceof TimeoutError) {
    const detail = `The query was stopped after ${error.limitMs} ms. Other parameter values may be quicker.`;
    return new HttpProblem('QUERY_TIMEOUT', detail, { cause: error });
  }
  if (error instanceof OverloadedError) return tooManySlowQueries('1', error);
  if (error instanceof AbandonedError)
    return new HttpProblem('CALLER_GONE', 'The caller hung up before the query was answered.', {
      cause: error,
    });
  if (error instanceof PoolClosedError)
    return new HttpProblem('NOT_READY', 'The server is stopping.', { cause: error });
  if (error instanceof ChildNotStartedError)
    return new HttpProblem('NOT_READY', 'The process for such queries does not start.', { cause: error });
  // By name: it may come from a child.
  if (error instanceof Error && error.name === 'QueryFailedError') {
    const detail =
      'SQLite cannot compute the answer for these values: a number or a text became too large, or a text is no JSON.';
    return new HttpProblem('QUERY_FAILED', detail, { cause: error });
  }
  return error;
}
