import { AsyncLocalStorage } from 'node:async_hooks';
import { hash, randomUUID } from 'node:crypto';
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  InjectOptions,
  LightMyRequestResponse,
} from 'fastify';
import { cameFromWorker, isInternalRequest } from './listen.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Set if callers reach this process directly, so that their claims about identity are not trusted. */
    facesCallers?: boolean;
  }
}

/** The sender of a request, and whether it still waits. */
export interface Caller {
  /** Key for sharing scarce resources: a run, or a client address. */
  readonly caller: string;
  /** Aborted when the caller disconnects. */
  readonly signal?: AbortSignal | undefined;
  /** Whether to bypass the cache: the speed of a cached answer would reveal that it was requested before. */
  readonly fresh?: boolean;
}

/** The method of a request. HEAD makes the same call as GET. */
export function methodOf({ method }: Pick<FastifyRequest, 'method'>): string {
  return method === 'HEAD' ? 'GET' : method;
}

/** A run as a caller: a hash, since a run's id is also its key. */
export function runCaller(runId: string): string {
  return `run ${hash('sha256', runId, 'hex').slice(0, 24)}`;
}

/** Whether a caller is a run. Many clients may share an address, but a single run must not hold up all others. */
export function isRun(caller: string): boolean {
  return caller.startsWith('run ');
}

/** A caller within the process, which never disconnects. */
export const OWN_CALLER: Caller = { caller: '' };

/** Header field with which one process of a farm passes the caller to the next. */
export const CALLER_HEADER = 'x-rookery-caller';

type Connected = Pick<FastifyRequest, 'headers' | 'ip' | 'raw' | 'server'>;

/** The caller of a request: as stated by the process in front of this one, else the client address. */
export function callerName(request: Connected): string {
  const told = request.headers[CALLER_HEADER];
  const believed =
    isInternalRequest(request) || cameFromWorker(request) || request.server.facesCallers !== true;
  return typeof told === 'string' && believed ? told.slice(0, 80) : request.ip;
}

/** The signal of the request on whose behalf the process calls itself. */
const within = new AsyncLocalStorage<AbortSignal>();

/** Runs `ask` on behalf of a caller. In-process requests have no connection whose closing could abort them. */
export function onBehalfOf<Result>(signal: AbortSignal, ask: () => Result): Result {
  return within.run(signal, ask);
}

export function callerSignal(): AbortSignal | undefined {
  return within.getStore();
}

/** The caller of a request, with the signal of its connection, or of the caller that made it within this process. */
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

/** Marks a process's requests to itself, which skip the handling of external requests. */
export const OWN_HEADER = 'x-rookery-internal';

/** The requests of a process to its own URLs, which bypass guards and faults. */
export class OwnRequests {
  readonly #app: FastifyInstance;
  readonly #secret = randomUUID();

  constructor(app: FastifyInstance) {
    this.#app = app;
  }

  has({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
    return headers[OWN_HEADER] === this.#secret;
  }

  send({ headers, ...request }: InjectOptions, signal?: AbortSignal): Promise<LightMyRequestResponse> {
    const options = { ...request, headers: { ...headers, [OWN_HEADER]: this.#secret } };
    // `inject` starts the request when awaited, which must happen inside the callback.
    const ask = async () => await this.#app.inject(options);
    return signal ? onBehalfOf(signal, ask) : ask();
  }
}

/** Whether a request asks to bypass the cache: `Cache-Control: no-store`. */
export function wantsFresh({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return headers['cache-control'] === 'no-store';
}
