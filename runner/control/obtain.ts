import type { CompletionClient } from '../attempt/model-session.ts';
import type { Model } from '../model/model.ts';
import { ModelError } from '../model/model-error.ts';
import type { CompletionCache } from './completion-cache.ts';
import { costOf, type Prices } from './prices.ts';
import type { RateGate } from './rate-gate.ts';
import { requestHash } from './request-hash.ts';
import { withRetries } from './with-retries.ts';

export interface CompletionClientOptions {
  readonly model: Model;
  /** Distinguishes servers that have a model of the same name. */
  readonly target: string;
  readonly gate: RateGate;
  readonly cache: CompletionCache | null;
  readonly prices: Prices | null;
  readonly retries: number;
  readonly retryBaseMs: number;
  readonly requestTimeoutMs: number;
}

/** Completions of one model: from the cache, or by requests that wait their turn and are repeated as long as it may help. */
export function completionClient(options: CompletionClientOptions): CompletionClient {
  const { model, gate, cache, prices, retries, retryBaseMs, requestTimeoutMs } = options;
  let answered = false;
  return async (request, signal) => {
    const hash = requestHash(options.target, request);
    const cached = cache?.get(hash) ?? null;
    if (cached !== null) {
      return { ...cached, attempts: 0, cached: true, cost: 0, requestHash: hash };
    }
    let attempts = 0;
    const once = async () => {
      attempts++;
      const timeout = AbortSignal.timeout(requestTimeoutMs);
      const started = performance.now();
      try {
        const completion = await model.complete(request, AbortSignal.any([signal, timeout]));
        answered = true;
        const { usage, holdMs = 0 } = completion;
        gate.report('ok', { holdMs, tokens: (usage.input ?? 0) + (usage.output ?? 0) });
        return { completion, latencyMs: performance.now() - started };
      } catch (error) {
        signal.throwIfAborted();
        const failure = timeout.aborted
          ? new ModelError('timeout', `no answer within ${requestTimeoutMs / 1000} s`)
          : afterAnswers(error, answered);
        if (failure instanceof ModelError) {
          gate.report(failure.kind === 'rate_limit' ? 'limited' : 'failing', {
            holdMs: failure.retryAfterMs,
          });
        }
        throw failure;
      }
    };
    // A request that waits to be repeated holds no place in the queue.
    const retry = { retries, baseMs: retryBaseMs, signal };
    const { completion, latencyMs } = await withRetries(() => gate.run(once, signal), retry);
    cache?.put(hash, { completion, latencyMs });
    const cost = costOf(completion.usage, latencyMs, model.id, prices);
    return { completion, latencyMs, attempts, cached: false, cost, requestHash: hash };
  };
}

/** A server that has answered before and is gone now may come back. */
function afterAnswers(error: unknown, answered: boolean): unknown {
  if (!answered || !(error instanceof ModelError) || error.kind !== 'unreachable') return error;
  return new ModelError('network', error.message, { cause: error });
}
