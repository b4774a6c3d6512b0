import { setTimeout as sleep } from 'node:timers/promises';
import PQueue from 'p-queue';
import pRetry from 'p-retry';
import { ModelError } from '../models/failures.ts';

export interface RetryOptions {
  readonly retries: number;
  /** The first delay, in milliseconds; doubles each time, up to a minute. */
  readonly baseMs: number;
  readonly signal: AbortSignal;
}

const LONGEST_MS = 60_000;
/** Longest wait requested by a provider that is honoured; beyond it, the request fails. */
export const LONGEST_HOLD_MS = 300_000;

/**
 * Retries a request while its failure is transient. Waits as long as the provider requests, up to five
 * minutes; else with exponential backoff and up to half of it as jitter, so that requests that failed
 * together are spread out.
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
        throw new ModelError(error.kind, `${error.message} (the provider asks to wait ${seconds} s)`, {
          status: error.status,
        });
      }
      const own = Math.min(LONGEST_MS, baseMs * 2 ** (attemptNumber - 1)) * (0.5 + Math.random() / 2);
      await sleep(retryAfterMs ?? own, undefined, { signal });
    },
  });
}

export interface RateLimits {
  /** Initial and maximum number of concurrent requests. */
  readonly start: number;
  readonly max: number;
  readonly min?: number;
  /** Requests and tokens per minute, if the provider publishes them. */
  readonly requestsPerMinute?: number;
  readonly tokensPerMinute?: number;
}

/** The outcome of a request, with regard to rates. */
export type RateSignal = 'ok' | 'limited' | 'failing';

/**
 * Limits concurrent requests to one model: grows by 5 % after a round without trouble, shrinks by 20 % when
 * the provider signals overload, and starts none before the time it requested.
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

  /** `now` returns milliseconds. */
  constructor(limits: RateLimits, now: () => number = Date.now) {
    const { start, max, requestsPerMinute } = limits;
    this.#limits = limits;
    this.#now = now;
    this.#allowed = Math.min(start, max);
    this.#queue = new PQueue({
      concurrency: this.#allowed,
      // Evenly spaced: providers refuse a burst of a whole minute's requests.
      ...(requestsPerMinute === undefined
        ? {}
        : { interval: 60_000 / requestsPerMinute, intervalCap: 1, carryoverIntervalCount: false }),
    });
  }

  /** Current limit of concurrent requests. */
  get allowed(): number {
    return Math.floor(this.#allowed);
  }

  /** Runs a request when a slot is free. Rejects if `signal` is aborted before. */
  run<T>(request: () => Promise<T>, signal: AbortSignal): Promise<T> {
    return this.#queue.add(
      async () => {
        await this.#waitUntilHeld(signal);
        return request();
      },
      { signal },
    );
  }

  /** Reports the outcome of a request, and how long the provider asked to wait. */
  report(signal: RateSignal, more: { readonly holdMs?: number | null; readonly tokens?: number } = {}): void {
    const { max, min = 1, tokensPerMinute } = this.#limits;
    // Longer waits are not honoured: see `withRetries`.
    if (more.holdMs && more.holdMs <= LONGEST_HOLD_MS)
      this.#holdUntil = Math.max(this.#holdUntil, this.#now() + more.holdMs);
    if (more.tokens && tokensPerMinute !== undefined)
      this.#tokens.push({ at: this.#now(), count: more.tokens });
    if (signal === 'limited') {
      this.#clean = 0;
      // A burst is refused as a whole; that is one signal, not twenty.
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
