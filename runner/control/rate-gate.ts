import { setTimeout as sleep } from 'node:timers/promises';
import PQueue from 'p-queue';
import pRetry from 'p-retry';
import { ModelError } from '../models/failures.ts';

export interface RetryOptions {
  /** After the first request. */
  readonly retries: number;
  /** The first wait, in milliseconds; each further one is twice as long, a minute at most. */
  readonly baseMs: number;
  readonly signal: AbortSignal;
}

const LONGEST_MS = 60_000;
/** What a provider may ask to wait; who asks for more is not waited for. */
export const LONGEST_HOLD_MS = 300_000;

/**
 * Repeats a request as long as its failure may pass. A provider that says how long to wait is believed, up to five minutes; else waits
 * double, less up to a half by chance, so that requests which failed together do not come back together.
 */
export function withRetries<T>(
  request: (attempt: number) => Promise<T>,
  { retries, baseMs, signal }: RetryOptions,
): Promise<T> {
  return pRetry(request, {
    retries,
    minTimeout: 0,
    maxTimeout: 0,
    signal,
    shouldRetry: ({ error }) => error instanceof ModelError && error.transient,
    onFailedAttempt: async ({ error, attemptNumber, retriesLeft }) => {
      const passing = error instanceof ModelError && error.transient && retriesLeft > 0;
      if (!passing) return;
      const { retryAfterMs } = error;
      if (retryAfterMs !== null && retryAfterMs > LONGEST_HOLD_MS) {
        const seconds = Math.round(retryAfterMs / 1000);
        throw new ModelError(error.kind, `${error.message} (to be asked again in ${seconds} s)`, {
          status: error.status,
        });
      }
      const own = Math.min(LONGEST_MS, baseMs * 2 ** (attemptNumber - 1)) * (0.5 + Math.random() / 2);
      await sleep(retryAfterMs ?? own, undefined, { signal });
    },
  });
}

export interface RateLimits {
  /** Requests at once in the beginning, and at most. */
  readonly start: number;
  readonly max: number;
  readonly min?: number;
  /** Requests and tokens a minute, where the provider has told. */
  readonly requestsPerMinute?: number;
  readonly tokensPerMinute?: number;
}

/** How a request ended, as far as rates are concerned. */
export type RateSignal = 'ok' | 'limited' | 'failing';

/**
 * How many requests to one model may be under way: one in twenty more after a round without trouble, a fifth fewer
 * when the provider says that it is too much; none starts before the time it asked for.
 */
export class RateGate {
  readonly #queue: PQueue;
  readonly #limits: RateLimits;
  readonly #now: () => number;
  #allowed: number;
  #clean = 0;
  #holdUntil = 0;
  #lastCut = Number.NEGATIVE_INFINITY;
  #tokens: { readonly at: number; readonly count: number }[] = [];

  /** `now` gives milliseconds. */
  constructor(limits: RateLimits, now: () => number = Date.now) {
    const { start, max, requestsPerMinute } = limits;
    this.#limits = limits;
    this.#now = now;
    this.#allowed = Math.min(start, max);
    this.#queue = new PQueue({
      concurrency: this.#allowed,
      // A sixtieth each second: a burst of a whole minute's requests is what providers refuse.
      ...(requestsPerMinute === undefined
        ? {}
        : { interval: 60_000 / requestsPerMinute, intervalCap: 1, carryoverIntervalCount: false }),
    });
  }

  /** Requests that may be under way now. */
  get allowed(): number {
    return Math.floor(this.#allowed);
  }

  /** Runs a request when its turn has come. Rejects when `signal` is aborted before that. */
  run<T>(request: () => Promise<T>, signal: AbortSignal): Promise<T> {
    return this.#queue.add(
      async () => {
        await this.#waitUntilHeld(signal);
        return request();
      },
      { signal },
    );
  }

  /** After a request: what it tells of the provider, and for how long it asks to be left alone. */
  report(signal: RateSignal, more: { readonly holdMs?: number | null; readonly tokens?: number } = {}): void {
    const { max, min = 1, tokensPerMinute } = this.#limits;
    // Nobody waits for longer: see `withRetries`.
    if (more.holdMs && more.holdMs <= LONGEST_HOLD_MS)
      this.#holdUntil = Math.max(this.#holdUntil, this.#now() + more.holdMs);
    if (more.tokens && tokensPerMinute !== undefined)
      this.#tokens.push({ at: this.#now(), count: more.tokens });
    if (signal === 'limited') {
      this.#clean = 0;
      // Requests of one burst are all refused; that is one sign, not twenty.
      if (this.#now() - this.#lastCut < COOLDOWN_MS) return;
      this.#lastCut = this.#now();
      this.#allow(Math.max(min, Math.floor(this.#allowed * 0.8)));
    } else if (signal === 'failing') {
      this.#clean = 0;
    } else if (++this.#clean >= this.#allowed) {
      this.#clean = 0;
      this.#allow(Math.min(max, Math.max(this.#allowed + 1, this.#allowed * 1.05)));
    }
  }

  #allow(count: number): void {
    this.#allowed = count;
    this.#queue.concurrency = Math.max(1, Math.floor(count));
  }

  async #waitUntilHeld(signal: AbortSignal): Promise<void> {
    for (let wait = this.#waitMs(); wait > 0; wait = this.#waitMs()) await sleep(wait, undefined, { signal });
  }

  #waitMs(): number {
    const now = this.#now();
    const { tokensPerMinute } = this.#limits;
    if (now < this.#holdUntil) return this.#holdUntil - now;
    if (tokensPerMinute === undefined) return 0;
    this.#tokens = this.#tokens.filter(({ at }) => now - at < 60_000);
    const used = this.#tokens.reduce((sum, { count }) => sum + count, 0);
    const [oldest] = this.#tokens;
    return used < tokensPerMinute || oldest === undefined ? 0 : oldest.at + 60_000 - now;
  }
}

const COOLDOWN_MS = 15_000;
