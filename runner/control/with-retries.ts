import { setTimeout as sleep } from 'node:timers/promises';
import pRetry from 'p-retry';
import { ModelError } from '../model/model-error.ts';

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
