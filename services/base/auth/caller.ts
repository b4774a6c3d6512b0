import { AsyncLocalStorage } from 'node:async_hooks';
import { hash, randomUUID } from 'node:crypto';
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  InjectOptions,
  LightMyRequestResponse,
} from 'fastify';
import { cameFromWorker, isInternalRequest } from '../http/listen.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Set where callers reach this process themselves: what they say about who they are is not believed. */
    facesCallers?: boolean;
  }
}

/** Who asks for something, and whether they still want it. */
export interface Caller {
  /** What is scarce is shared between callers: a run, or an address that requests come from. */
  readonly caller: string;
  /** Aborted when the caller hangs up. */
  readonly signal?: AbortSignal;
  /** Whether the answer must be computed for this caller: how soon a kept one comes tells that somebody asked before. */
  readonly fresh?: boolean;
}

/** A run as a caller: services know no more of it than a hash, since its id is its key. */
export function runCaller(runId: string): string {
  return `run ${hash('sha256', runId, 'hex').slice(0, 24)}`;
}

/** Whether a caller is a run. Many people may come from one address, but no run may hold up all others. */
export function isRun(caller: string): boolean {
  return caller.startsWith('run ');
}

/** A caller inside the process, which does not hang up. */
export const OWN_CALLER: Caller = { caller: '' };

/** The header field by which one process of a farm tells the next for whom it asks. */
export const CALLER_HEADER = 'x-rookery-caller';

type Connected = Pick<FastifyRequest, 'headers' | 'ip' | 'raw' | 'server'>;

/** For whom a request is made: as the process in front of this one says, else by the address that it came from. */
export function callerName(request: Connected): string {
  const told = request.headers[CALLER_HEADER];
  const believed =
    isInternalRequest(request) || cameFromWorker(request) || request.server.facesCallers !== true;
  return typeof told === 'string' && believed ? told.slice(0, 80) : request.ip;
}

/** The signal of the request on whose behalf the process asks itself. */
const within = new AsyncLocalStorage<AbortSignal>();

/** Does something on behalf of a caller, such as requests within this process, which have no connection to be closed. */
export function onBehalfOf<Result>(signal: AbortSignal, ask: () => Result): Result {
  return within.run(signal, ask);
}

/** That of the caller on whose behalf this is done, if there is one. */
export function callerSignal(): AbortSignal | undefined {
  return within.getStore();
}

/** Who makes a request. The signal is that of its connection, or of whoever had it made within this process. */
export function callerOfRequest(request: Connected, reply: Pick<FastifyReply, 'raw'>): Caller {
  const caller = callerName(request);
  const fresh = wantsFresh(request);
  if (isInternalRequest(request)) {
    const signal = within.getStore();
    return signal ? { caller, fresh, signal } : { caller, fresh };
  }
  const gone = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort();
  });
  return { caller, fresh, signal: gone.signal };
}

/** Marks a process's requests to itself, so that what meets requests from outside does not meet them. */
export const OWN_HEADER = 'x-rookery-internal';

/** The requests that a process makes to its own addresses: no guard and no fault is for them. */
export class OwnRequests {
  readonly #app: FastifyInstance;
  readonly #secret = randomUUID();

  constructor(app: FastifyInstance) {
    this.#app = app;
  }

  /** Whether a request is one of them. */
  has({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
    return headers[OWN_HEADER] === this.#secret;
  }

  /** Makes one, which ends early when the signal is aborted. */
  send({ headers, ...request }: InjectOptions, signal?: AbortSignal): Promise<LightMyRequestResponse> {
    const options = { ...request, headers: { ...headers, [OWN_HEADER]: this.#secret } };
    // What `inject` answers begins the request when it is awaited: that must be in there.
    const ask = async () => await this.#app.inject(options);
    return signal ? onBehalfOf(signal, ask) : ask();
  }
}

/** Whether a request asks for an answer that is neither kept nor was: `Cache-Control: no-store`. */
export function wantsFresh({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return headers['cache-control'] === 'no-store';
}
