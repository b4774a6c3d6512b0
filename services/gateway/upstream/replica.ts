import { type Dispatcher, Pool } from 'undici';

export interface ReplicaLimits {
  /** A connection that is not there by then is given up. */
  readonly connectMs: number;
  /** From the request to the first byte of the answer. */
  readonly answerMs: number;
}

/** Above what a service lets wait for slow queries, so that these cannot use up the connections of quick ones. */
const MOST_CONNECTIONS = 256;
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

  /** `onLost` hears of every connection that ends. */
  constructor(origin: string, { connectMs, answerMs }: ReplicaLimits, onLost: () => void) {
    this.origin = origin;
    this.#pool = new Pool(origin, {
      connections: MOST_CONNECTIONS,
      pipelining: 1,
      connect: { timeout: connectMs },
      headersTimeout: answerMs,
      bodyTimeout: answerMs,
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

  /** A GET of the gateway's own, whole. Rejects when it takes longer than `limitMs`. */
  async get(
    path: string,
    limitMs: number,
    accept = 'application/json',
  ): Promise<{ status: number; text: string }> {
    const signal = AbortSignal.timeout(limitMs);
    const { statusCode, body } = await this.#pool.request({
      method: 'GET',
      path,
      signal,
      headers: { accept },
    });
    return { status: statusCode, text: await body.text() };
  }

  /** Ends when what is under way is answered. */
  async close(): Promise<void> {
    await this.#pool.close();
  }
}
