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
    this.#pool = new ChildPool({ module, ...pool, memoryMegabytes: statementMegabytes() });
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

/** Enough for the rows of a plan and of an answer; a few names can stand for millions of columns. */
const HEAP_MEGABYTES = 512;

/** Statements from outside, each in a child process that is killed at the limit. The processes are started when first needed. */
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

  /** What a statement says. Rejects with INVALID_PARAMETERS, QUERY_TIMEOUT, OVERLOADED, CALLER_GONE, NOT_READY. */
  async read(request: Omit<ReadRequest, 'kind'>, asker: Caller = OWN_CALLER): Promise<ReadStatement> {
    const reply = await this.#ask({ kind: 'read', ...request }, asker);
    if (reply.kind !== 'read') throw new Error(`a statement to be read was answered with ${reply.kind}`);
    return reply;
  }

  /**
   * A statement's rows. Rejects with INVALID_PARAMETERS, QUERY_TIMEOUT, OVERLOADED, QUERY_FAILED, QUERY_TOO_COMPLEX,
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

/** By name: it comes from a child. What SQLite says of a statement is about nothing but what that may name. */
function statementProblem(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  if (error.name === 'UnboundInputError')
    return new HttpProblem('UNBOUND_API_INPUT', `${error.message}.`, { cause: error });
  if (error.name === 'QueryFailedError' || error.name === 'SqliteError')
    return new HttpProblem('QUERY_FAILED', `SQLite: ${error.message}`.slice(0, 400), { cause: error });
  // The memory that it took was more than a process may have.
  if (error.name === 'ChildCrashedError')
    return new HttpProblem('QUERY_TOO_COMPLEX', 'The statement takes too much memory.', { cause: error });
  return asProblem(error);
}
