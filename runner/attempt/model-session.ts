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

/** One completion of an attempt, as recorded in `samples.jsonl`. */
export const turn = z.object({
  request_hash: z.string(),
  parts: z.array(part),
  stop: z.enum(['stop', 'length', 'calls', 'refused', 'content_filter', 'other']),
  usage,
  latency_ms: z.number(),
  /** For the rate limit, for failed requests and between them. Unknown in older logs. */
  waited_ms: z.number().default(0),
  /** Requests made, including failed ones. */
  attempts: z.number().int(),
  cached: z.boolean(),
  cost: z.number().nullable(),
  model: z.string().nullable(),
  fingerprint: z.string().nullable(),
  warnings: z.array(z.string()),
  /** Of the model behind a tool, which is no loop of the agent. */
  inner: z.literal(true).optional(),
});
export type Turn = z.infer<typeof turn>;

export interface ObtainedCompletion {
  readonly completion: Completion;
  /** Latency of the successful request only. */
  readonly latencyMs: number;
  /** Before that request: for the rate limit, for failed requests and between them. */
  readonly waitedMs: number;
  readonly attempts: number;
  readonly cached: boolean;
  /** null if the model has no price. */
  readonly cost: number | null;
  readonly requestHash: string;
}

/** Obtains a completion, handling cache, rate limits and retries. Throws ModelError if all attempts fail. */
export type CompletionClient = (request: ModelRequest, signal: AbortSignal) => Promise<ObtainedCompletion>;

interface ModelSessionOptions {
  readonly model: Pick<Model, 'id' | 'transport'>;
  readonly obtain: CompletionClient;
  readonly meter: BudgetMeter;
  readonly origin: Pick<RequestOrigin, 'sampleId' | 'epoch' | 'offeredCall'>;
  readonly decoding: ModelRequest['decoding'];
  readonly signal: AbortSignal;
  readonly spans: AttemptSpans;
  readonly due: readonly TaskPart[];
  /** Those of the agent's model, for the model behind its tools. */
  readonly turns?: Turn[];
}

/** The model as used by one attempt: budgeted and recorded. */
export class ModelSession {
  readonly id: string;
  readonly transport: Model['transport'];
  readonly turns: Turn[];
  /** What the experiment asks of every completion. */
  readonly decoding: ModelRequest['decoding'];
  /** The expected results of replies, for scripted models. */
  due: readonly TaskPart[];
  readonly #options: ModelSessionOptions;

  constructor(options: ModelSessionOptions) {
    this.id = options.model.id;
    this.transport = options.model.transport;
    this.decoding = options.decoding;
    this.due = options.due;
    this.turns = options.turns ?? [];
    this.#options = options;
  }

  /**
   * Makes one loop. Decoding given here is the agent's default, which the experiment overrides.
   *
   * @throws AttemptEnd if the budget is spent, the context window is too small, or the model refuses.
   * @throws ModelError if the provider failed permanently.
   */
  async complete(
    request: Pick<ModelRequest, 'prompt' | 'tools' | 'replySchema'> & {
      readonly decoding?: ModelRequest['decoding'];
    },
    format: ReplyFormat,
  ): Promise<Completion> {
    const { obtain, meter, spans, signal: aborted } = this.#options;
    const isInner = this.#options.turns !== undefined;
    if (isInner) meter.checkSpent();
    else meter.beginLoop();
    const origin = { ...this.#options.origin, turn: this.turns.length, format, due: this.due };
    const sent = { ...request, decoding: { ...request.decoding, ...this.decoding }, origin };
    let completion: Completion;
    // Timers are limited to 2^31 - 1 ms.
    const timeout = AbortSignal.timeout(Math.min(Math.max(1, meter.remainingMs), 0x7fffffff));
    try {
      const signal = AbortSignal.any([aborted, timeout]);
      const obtained = await spans.completion(sent, () => obtain(sent, signal));
      const { latencyMs, waitedMs, attempts, cached, cost, requestHash } = obtained;
      completion = obtained.completion;
      meter.add(completion.usage, cost);
      const { parts, stop, usage, model, fingerprint, warnings } = completion;
      this.turns.push({
        request_hash: requestHash,
        parts: parts.map(({ metadata: _, ...part }) => part),
        stop,
        usage,
        latency_ms: latencyMs,
        waited_ms: waitedMs,
        attempts,
        cached,
        cost,
        model,
        fingerprint,
        warnings: [...warnings],
        ...(isInner ? { inner: true } : {}),
      });
    } catch (error) {
      if (
        error instanceof ModelError &&
        (error.kind === 'context_window' || error.kind === 'content_filter')
      ) {
        throw new AttemptEnd(error.kind, error.message);
      }
      aborted.throwIfAborted();
      if (timeout.aborted) meter.checkTime();
      throw error;
    }
    const { stop } = completion;
    if (stop === 'refused' || stop === 'content_filter') {
      throw new AttemptEnd(stop, textOf(completion) || 'no reason given');
    }
    return completion;
  }
}
