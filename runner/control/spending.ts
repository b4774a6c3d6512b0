import { z } from 'zod';
import type { CompletionClient } from '../attempt/model-session.ts';
import type { ModelRequest, Usage } from '../models/model.ts';

const price = z.number().nonnegative();

/** Per million tokens. Subkinds without a price are charged at the price of their kind. */
const ofTokens = z.object({
  input_per_million: price,
  output_per_million: price,
  cached_input_per_million: price.optional(),
  cache_write_per_million: price.optional(),
  reasoning_per_million: price.optional(),
});

/** For a self-hosted server: the price of a machine hour, and the number of requests that share it. */
const ofTime = z.object({
  machine_per_hour: price,
  requests_at_once: z.number().int().positive().default(1),
});

/** Prices by model, in any one currency. */
export const prices = z.record(z.string(), z.union([ofTokens, ofTime]));
export type Prices = z.infer<typeof prices>;

/** The cost of a completion; null if price or usage is unknown. Models are looked up by full id, then name. */
export function costOf(
  usage: Usage,
  latencyMs: number | null,
  modelId: string,
  table: Prices | null,
): number | null {
  const found = table?.[modelId] ?? table?.[modelId.slice(modelId.indexOf('/') + 1)];
  if (found === undefined) return null;
  if ('machine_per_hour' in found) {
    const { machine_per_hour, requests_at_once } = found;
    return latencyMs === null ? null : ((latencyMs / 3_600_000) * machine_per_hour) / requests_at_once;
  }
  if (usage.input === null || usage.output === null) return null;
  const cached = usage.cached_input ?? 0;
  const written = usage.cache_write ?? 0;
  const reasoning = usage.reasoning ?? 0;
  const sum =
    Math.max(0, usage.input - cached - written) * found.input_per_million +
    cached * (found.cached_input_per_million ?? found.input_per_million) +
    written * (found.cache_write_per_million ?? found.input_per_million) +
    Math.max(0, usage.output - reasoning) * found.output_per_million +
    reasoning * (found.reasoning_per_million ?? found.output_per_million);
  return sum / 1e6;
}

/** Thrown in place of a completion that would exceed the cost limit. */
export class CostLimitError extends Error {
  override readonly name = 'CostLimitError';
}

/** A paid completion, as recorded in `costs.jsonl`. */
export interface Payment {
  readonly sample_id: string;
  readonly epoch: number;
  readonly request_hash: string;
  readonly cost: number;
}

export interface SpendingOptions {
  /** In the currency of the prices. */
  readonly limit: number | null;
  /** Payments of earlier sessions. */
  readonly paid: readonly number[];
  readonly prices: Prices | null;
  readonly modelId: string;
  readonly record: (payment: Payment) => Promise<void>;
}

/**
 * Tracks the cost of a run by completion, not by attempt. Under a limit, a request starts only if it and the
 * pending ones fit, each assumed to cost as much as the most expensive so far and at least its prompt; until
 * a first payment, requests run one at a time.
 */
export class Spending {
  /** null until something with a price was paid. */
  total: number | null = null;
  readonly #options: SpendingOptions;
  #dearest: number | null = null;
  #underWay = 0;
  #reserved = 0;
  #waiting: (() => void)[] = [];

  constructor(options: SpendingOptions) {
    this.#options = options;
    for (const cost of options.paid) this.#count(cost);
  }

  /** Wraps a client so that its completions are paid from here. Rejects with CostLimitError. */
  guard(obtain: CompletionClient): CompletionClient {
    return async (request, signal) => {
      const reserved = await this.#admit(request, signal);
      try {
        const obtained = await obtain(request, signal);
        const { cost, cached, requestHash } = obtained;
        if (cost !== null && !cached) {
          this.#count(cost);
          const { sampleId, epoch } = request.origin;
          await this.#options.record({ sample_id: sampleId, epoch, request_hash: requestHash, cost });
        }
        return obtained;
      } finally {
        this.#underWay--;
        this.#reserved -= reserved;
        for (const wake of this.#waiting.splice(0)) wake();
      }
    };
  }

  #count(cost: number): void {
    this.total = (this.total ?? 0) + cost;
    this.#dearest = Math.max(this.#dearest ?? 0, cost);
  }

  async #admit(request: ModelRequest, signal: AbortSignal): Promise<number> {
    const { limit } = this.#options;
    for (;;) {
      signal.throwIfAborted();
      const expected = limit === null ? 0 : Math.max(this.#dearest ?? 0, this.#costOfPrompt(request));
      const isKnown = this.#dearest !== null || this.#underWay === 0;
      if (limit === null || (isKnown && (this.total ?? 0) + this.#reserved + expected <= limit)) {
        this.#underWay++;
        this.#reserved += expected;
        return expected;
      }
      if (this.#underWay === 0) {
        const spent = (this.total ?? 0).toFixed(4);
        throw new CostLimitError(
          `the run has cost ${spent}, the next request would cost some ${expected.toFixed(4)}, and ${limit} is its limit`,
        );
      }
      await new Promise<void>((wake) => this.#waiting.push(wake));
    }
  }

  /** Estimated at four characters per token. */
  #costOfPrompt({ prompt, tools }: ModelRequest): number {
    const input = Math.ceil(JSON.stringify([prompt, tools]).length / 4);
    const usage = { input, output: 0, cached_input: 0, cache_write: 0, reasoning: 0 };
    return costOf(usage, null, this.#options.modelId, this.#options.prices) ?? 0;
  }
}
