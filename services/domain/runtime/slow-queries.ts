import { ArgumentError } from '../../base/arguments.ts';
import { type Caller, isRun, OWN_CALLER } from '../../base/auth/caller.ts';
import { argumentProblem, HttpProblem, tooManySlowQueries } from '../../base/http/problem.ts';
import type {
  ReadRequest,
  RunReply,
  RunRequest,
  WorkspaceReply,
  WorkspaceRequest,
} from '../../base/scalars/messages.ts';
import type { ReadStatement } from '../../base/scalars/read-statement.ts';
import {
  AbandonedError,
  ChildNotStartedError,
  ChildPool,
  type ChildPoolOptions,
  OverloadedError,
  PoolClosedError,
  TimeoutError,
} from '../../base/sqlite/child-pool.ts';
import { type JsonRows, statementMegabytes } from '../../base/sqlite/driver.ts';
import type { ChildQuery } from '../../base/sqlite/query-child.ts';

export interface SlowQueriesOptions {
  readonly size: number;
  readonly maxQueue: number;
  /** Limit of a query's processor time, in milliseconds. */
  readonly timeoutMs: number;
  /** Factor between the wall-clock and the processor time limit; see ChildPool. */
  readonly patience?: number;
  /** Called in the caller's async context with the fraction of its limit that a query used. */
  readonly onCost?: (share: number) => void;
}

/** Runs queries in child processes, and stops each at the time limit. */
export class SlowQueries {
  readonly #pool: ChildPool<ChildQuery, JsonRows>;
  readonly #timeoutMs: number;
  timeouts = 0;
  refused = 0;

  readonly #onCost: SlowQueriesOptions['onCost'];

  constructor({ timeoutMs, onCost, ...pool }: SlowQueriesOptions) {
    const module = new URL('../../base/sqlite/query-child.ts', import.meta.url);
    this.#pool = new ChildPool({ module, ...pool, memoryMegabytes: statementMegabytes() });
    this.#timeoutMs = timeoutMs;
    this.#onCost = onCost;
  }

  get load(): { running: number; waiting: number } {
    return this.#pool.load;
  }

  /**
   * Runs a query, stopped after `timeoutMs` (default: the common limit). Rejects with QUERY_TIMEOUT, OVERLOADED,
   * QUERY_FAILED, CALLER_GONE, NOT_READY, or another error of the child.
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

  /** Starts a child process for queries expected soon. */
  warm(): void {
    this.#pool.warm();
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}

/** The error of a query as a problem, without internal details. */
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
  // Compares the name, since the error may come from a child process.
  if (error instanceof Error && error.name === 'QueryFailedError') {
    const detail =
      'SQLite cannot compute the answer for these values: a number or a text became too large, or a text is no JSON.';
    return new HttpProblem('QUERY_FAILED', detail, { cause: error });
  }
  return error;
}

/** Enough for the rows of a plan and of an answer. A few names can expand to millions of columns. */
const HEAP_MEGABYTES = 512;

/** Runs callers' statements in child processes, each killed at the limit. The processes start on first use. */
export class Workspaces {
  readonly #pool: ChildPool<WorkspaceRequest, WorkspaceReply>;
  readonly #timeoutMs: number;

  constructor({
    timeoutMs,
    ...pool
  }: { readonly timeoutMs: number } & Pick<ChildPoolOptions, 'size' | 'maxQueue' | 'patience'>) {
    const module = new URL('../../base/scalars/workspace-child.ts', import.meta.url);
    this.#pool = new ChildPool({
      module,
      ...pool,
      heapMegabytes: HEAP_MEGABYTES,
      memoryMegabytes: statementMegabytes(),
    });
    this.#timeoutMs = timeoutMs;
  }

  /** Parses a statement. Rejects with INVALID_PARAMETERS, QUERY_TIMEOUT, OVERLOADED, CALLER_GONE, NOT_READY. */
  async read(request: Omit<ReadRequest, 'kind'>, asker: Caller = OWN_CALLER): Promise<ReadStatement> {
    const reply = await this.#ask({ kind: 'read', ...request }, asker);
    if (reply.kind !== 'read') throw new Error(`a statement to be read was answered with ${reply.kind}`);
    return reply;
  }

  /**
   * Runs a statement. Rejects with INVALID_PARAMETERS, QUERY_TIMEOUT, OVERLOADED, QUERY_FAILED, QUERY_TOO_COMPLEX,
   * CALLER_GONE, NOT_READY, UNBOUND_API_INPUT.
   */
  async run(request: Omit<RunRequest, 'kind'>, asker: Caller = OWN_CALLER): Promise<RunReply> {
    const reply = await this.#ask({ kind: 'run', ...request }, asker);
    if (reply.kind === 'read') throw new Error('a statement to be run was answered with what it says');
    return reply;
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  async #ask(
    request: WorkspaceRequest,
    asker: Caller,
  ): Promise<Exclude<WorkspaceReply, { kind: 'refused' }>> {
    const sharing = isRun(asker.caller);
    const reply = await this.#pool.run(request, this.#timeoutMs, { ...asker, sharing }).catch((error) => {
      throw statementProblem(error);
    });
    if (reply.kind === 'refused') throw argumentProblem(new ArgumentError(reply.errors));
    return reply;
  }
}

/**
 * Compares the name, since the error comes from a child process. SQLite's message can only mention what the statement
 * may name.
 */
function statementProblem(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  if (error.name === 'UnboundInputError')
    return new HttpProblem('UNBOUND_API_INPUT', `${error.message}.`, { cause: error });
  if (error.name === 'QueryFailedError' || error.name === 'SqliteError')
    return new HttpProblem('QUERY_FAILED', `SQLite: ${error.message}`.slice(0, 400), { cause: error });
  // It exceeded the memory limit of the process.
  if (error.name === 'ChildCrashedError')
    return new HttpProblem('QUERY_TOO_COMPLEX', 'The statement takes too much memory.', { cause: error });
  return asProblem(error);
}
