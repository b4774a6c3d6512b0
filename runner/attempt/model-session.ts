import { z } from 'zod';
import type { TaskPart } from '../../contracts/prediction.ts';
import { ModelError } from '../models/failures.ts';
import {
  type Completion,
  type Model,
  type ModelRequest,
  type ReplyFormat,
  type RequestOrigin,
  textOf,
} from '../models/model.ts';
import { AttemptEnd, type BudgetMeter } from './budget.ts';
import type { AttemptSpans } from './spans.ts';

const count = z.number().nonnegative().nullable();

export const usage = z.object({
  input: count,
  output: count,
  cached_input: count,
  cache_write: count,
  reasoning: count,
});

const part = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text'), text: z.string() }),
  z.object({ kind: z.literal('reasoning'), text: z.string() }),
  z.object({ kind: z.literal('call'), id: z.string(), name: z.string(), arguments: z.string() }),
]);

/** One completion of an attempt, as `samples.jsonl` has it. */
export const turn = z.object({
  /** sha256 of the request. */
  request_hash: z.string(),
  parts: z.array(part),
  stop: z.enum(['stop', 'length', 'calls', 'refused', 'content_filter', 'other']),
  usage,
  latency_ms: z.number(),
  /** Requests made for it, failed ones included. */
  attempts: z.number().int(),
  cached: z.boolean(),
  cost: z.number().nullable(),
  model: z.string().nullable(),
  fingerprint: z.string().nullable(),
  warnings: z.array(z.string()),
});
export type Turn = z.infer<typeof turn>;

/** A completion, and what it took to get it. */
export interface ObtainedCompletion {
  readonly completion: Completion;
  /** Of the successful request alone. */
  readonly latencyMs: number;
  readonly attempts: number;
  readonly cached: boolean;
  /** null when the model has no price. */
  readonly cost: number | null;
  /** sha256 of the request. */
  readonly requestHash: string;
}

/** Gets a completion whatever it takes: cache, rates, retries. Throws ModelError when all was in vain. */
export type CompletionClient = (request: ModelRequest, signal: AbortSignal) => Promise<ObtainedCompletion>;

/** The model as one attempt sees it: budgeted and recorded. */
export class ModelSession {
  readonly id: string;
  readonly transport: Model['transport'];
  readonly turns: Turn[] = [];
  /** What replies should answer, for scripted models. */
  due: readonly TaskPart[];
  readonly #obtain: CompletionClient;
  readonly #meter: BudgetMeter;
  readonly #origin: Pick<RequestOrigin, 'sampleId' | 'epoch' | 'offeredCall'>;
  readonly #decoding: ModelRequest['decoding'];
  readonly #signal: AbortSignal;
  readonly #spans: AttemptSpans;

  constructor(options: {
    readonly model: Pick<Model, 'id' | 'transport'>;
    readonly obtain: CompletionClient;
    readonly meter: BudgetMeter;
    readonly origin: Pick<RequestOrigin, 'sampleId' | 'epoch' | 'offeredCall'>;
    readonly decoding: ModelRequest['decoding'];
    readonly signal: AbortSignal;
    readonly spans: AttemptSpans;
    readonly due: readonly TaskPart[];
  }) {
    this.id = options.model.id;
    this.transport = options.model.transport;
    this.#obtain = options.obtain;
    this.#meter = options.meter;
    this.#origin = options.origin;
    this.#decoding = options.decoding;
    this.#signal = options.signal;
    this.#spans = options.spans;
    this.due = options.due;
  }

  /**
   * One loop. Decoding given here is the agent's own and yields to the experiment's.
   *
   * @throws AttemptEnd when the budget is spent, the context window too small, or an answer refused.
   * @throws ModelError when the provider failed for good.
   */
  async complete(
    request: Pick<ModelRequest, 'prompt' | 'tools' | 'replySchema'> & {
      readonly decoding?: ModelRequest['decoding'];
    },
    format: ReplyFormat,
  ): Promise<Completion> {
    this.#meter.beginLoop();
    const origin = { ...this.#origin, turn: this.turns.length, format, due: this.due };
    const asked = { ...request, decoding: { ...request.decoding, ...this.#decoding }, origin };
    let completion: Completion;
    // Timers hold at most 2^31 - 1 ms.
    const timeout = AbortSignal.timeout(Math.min(Math.max(1, this.#meter.remainingMs), 0x7fffffff));
    try {
      const signal = AbortSignal.any([this.#signal, timeout]);
      const obtained = await this.#spans.completion(asked, () => this.#obtain(asked, signal));
      const { latencyMs, attempts, cached, cost, requestHash } = obtained;
      completion = obtained.completion;
      this.#meter.add(completion.usage, cost);
      const { parts, stop, usage, model, fingerprint, warnings } = completion;
      this.turns.push({
        request_hash: requestHash,
        parts: parts.map(({ metadata: _, ...part }) => part),
        stop,
        usage,
        latency_ms: latencyMs,
        attempts,
        cached,
        cost,
        model,
        fingerprint,
        warnings: [...warnings],
      });
    } catch (error) {
      if (
        error instanceof ModelError &&
        (error.kind === 'context_window' || error.kind === 'content_filter')
      ) {
        throw new AttemptEnd(error.kind, error.message);
      }
      this.#signal.throwIfAborted();
      if (timeout.aborted) this.#meter.checkTime();
      throw error;
    }
    const { stop } = completion;
    if (stop === 'refused' || stop === 'content_filter') {
      throw new AttemptEnd(stop, textOf(completion) || 'no reason given');
    }
    return completion;
  }
}
