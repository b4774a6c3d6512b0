import { type Caller, isRun, OWN_CALLER } from '../../base/access/asker.ts';
import { ArgumentError } from '../../base/arguments/argument-error.ts';
import { argumentProblem } from '../../base/http/argument-problem.ts';
import { HttpProblem } from '../../base/http/problem.ts';
import { ChildPool, type ChildPoolOptions } from '../../base/sandbox/index.ts';
import type {
  ReadRequest,
  RunReply,
  RunRequest,
  WorkspaceReply,
  WorkspaceRequest,
} from '../../base/workspace/messages.ts';
import type { ReadStatement } from '../../base/workspace/read-statement.ts';
import { asProblem } from './slow-queries.ts';

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
    const module = new URL('../../base/workspace/workspace-child.ts', import.meta.url);
    this.#pool = new ChildPool({ module, ...pool, heapMegabytes: HEAP_MEGABYTES });
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

  async #ask(request: WorkspaceRequest, asker: Caller): Promise<Exclude<WorkspaceReply, { kind: 'refused' }>> {
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
