import type { IncomingHttpHeaders } from 'node:http';
import { type Dispatcher, Pool } from 'undici';

export interface ReplicaLimits {
  /** A connection that is not there by then is given up. */
  readonly connectMs: number;
  /** From the request to the first byte of the answer. */
  readonly answerMs: number;
  /** Between two pieces of an answer; 0: as long as it likes. Default: as `answerMs`. */
  readonly silenceMs?: number;
}

export const DEFAULT_REPLICA_LIMITS: ReplicaLimits = { connectMs: 1000, answerMs: 60_000 };

/** A request of our own, to be answered whole. */
export interface WholeRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface WholeAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Above what a service lets wait for slow queries, so that these cannot use up the connections of quick ones. */
const MAX_CONNECTIONS = 256;
/** How long a replica that could not be reached is left alone. */
const PAUSE_MS = 1000;

/** One running copy of a domain's service: its address and the connections kept to it. */
export class Replica {
  /** `http://172.18.0.3:8080` */
  readonly origin: string;
  /** Requests under way. */
  inFlight = 0;
  /** Open connections. */
  connections = 0;
  readonly #pool: Pool;
  #pausedUntil = 0;
  #closed: Promise<void> | undefined;

  /** `onLost` hears of every connection that ends. */
  constructor(
    origin: string,
    { connectMs, answerMs, silenceMs = answerMs }: ReplicaLimits,
    onLost: () => void,
  ) {
    this.origin = origin;
    this.#pool = new Pool(origin, {
      connections: MAX_CONNECTIONS,
      pipelining: 1,
      connect: { timeout: connectMs },
      headersTimeout: answerMs,
      bodyTimeout: silenceMs,
    });
    this.#pool.on('connect', () => {
      this.connections++;
    });
    this.#pool.on('disconnect', () => {
      this.connections--;
      onLost();
    });
  }

  /** Whether a request may be tried here. */
  get usable(): boolean {
    return this.#pausedUntil === 0 || performance.now() >= this.#pausedUntil;
  }

  /** It could not be reached: others are tried first for a while. */
  pause(): void {
    this.#pausedUntil = performance.now() + PAUSE_MS;
  }

  /** It answered. */
  resume(): void {
    this.#pausedUntil = 0;
  }

  dispatch(request: Omit<Dispatcher.DispatchOptions, 'origin'>, handler: Dispatcher.DispatchHandler): void {
    this.#pool.dispatch(request, handler);
  }

  /** Rejects when there is no answer, it takes longer than `limitMs` from the request to its last byte, or `gone` is aborted. */
  async ask(
    { method, path, headers, body }: WholeRequest,
    limitMs: number,
    gone?: AbortSignal,
  ): Promise<WholeAnswer> {
    // Not undici's own limits: those begin anew with every piece of an answer.
    const late = AbortSignal.timeout(limitMs);
    const signal = gone ? AbortSignal.any([late, gone]) : late;
    const answer = await this.#pool.request({ method, path, headers, body: body ?? null, signal });
    return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
  }

  get(
    path: string,
    limitMs: number,
    headers: Readonly<Record<string, string>> = { accept: 'application/json' },
  ): Promise<WholeAnswer> {
    return this.ask({ method: 'GET', path, headers }, limitMs);
  }

  /** Ends when what is under way is answered. Safe to call twice. */
  close(): Promise<void> {
    this.#closed ??= this.#pool.close();
    return this.#closed;
  }
}
