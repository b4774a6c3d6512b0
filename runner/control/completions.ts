import { createHash } from 'node:crypto';
import Database from 'better-sqlite3';
import type { CompletionClient } from '../attempt/model-session.ts';
import { ModelError } from '../models/failures.ts';
import type { Completion, Model, ModelRequest, ModelTool } from '../models/model.ts';
import { type RateGate, withRetries } from './rate-gate.ts';
import { costOf, type Prices } from './spending.ts';

/** sha256 of a request and its target. Different epochs are different requests. */
export function requestHash(
  target: string,
  { prompt, tools, decoding, origin, replySchema }: ModelRequest,
): string {
  const parts = [target, origin.epoch, prompt, hashOfTools(tools), sorted(decoding)];
  const text = JSON.stringify(replySchema === undefined ? parts : [...parts, replySchema]);
  return createHash('sha256').update(text).digest('hex');
}

/** Tasks of a toolset share one list of tools: hash it once rather than for every turn. */
const KNOWN = new WeakMap<readonly ModelTool[], string>();

function hashOfTools(tools: readonly ModelTool[]): string {
  const known = KNOWN.get(tools);
  if (known !== undefined) return known;
  const hash = createHash('sha256').update(JSON.stringify(tools)).digest('hex');
  KNOWN.set(tools, hash);
  return hash;
}

function sorted(value: object): [string, unknown][] {
  return Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

export interface CachedCompletion {
  readonly completion: Completion;
  readonly latencyMs: number;
}

/** A cache of completions in one file, stored with usage and latency. */
export class CompletionCache {
  readonly #database: Database.Database;
  readonly #get: Database.Statement<[string], { readonly body: string }>;
  readonly #put: Database.Statement<[string, string]>;

  constructor(file: string) {
    this.#database = new Database(file);
    this.#database.pragma('journal_mode = WAL');
    this.#database.pragma('synchronous = NORMAL');
    this.#database.exec(
      'CREATE TABLE IF NOT EXISTS completion (key TEXT PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID',
    );
    this.#get = this.#database.prepare('SELECT body FROM completion WHERE key = ?');
    this.#put = this.#database.prepare('INSERT OR REPLACE INTO completion VALUES (?, ?)');
  }

  /** The key must cover everything that the completion depends on. */
  get(key: string): CachedCompletion | null {
    const row = this.#get.get(key);
    return row === undefined ? null : (JSON.parse(row.body) as CachedCompletion);
  }

  put(key: string, cached: CachedCompletion): void {
    this.#put.run(key, JSON.stringify(cached));
  }

  close(): void {
    this.#database.close();
  }
}

/** How completions are asked for, of all models. */
export interface CompletionControl {
  readonly gate: RateGate;
  readonly cache: CompletionCache | null;
  readonly prices: Prices | null;
  readonly retries: number;
  readonly retryBaseMs: number;
  readonly requestTimeoutMs: number;
}

export interface CompletionClientOptions extends CompletionControl {
  readonly model: Model;
  /** Distinguishes servers with equally named models. */
  readonly target: string;
}

/** Obtains completions of one model, from the cache or by rate-limited requests with retries. */
export function completionClient(options: CompletionClientOptions): CompletionClient {
  const { model, gate, cache, prices, retries, retryBaseMs, requestTimeoutMs } = options;
  let answered = false;
  return async (request, signal) => {
    const hash = requestHash(options.target, request);
    const cached = cache?.get(hash) ?? null;
    if (cached !== null) {
      return { ...cached, waitedMs: 0, attempts: 0, cached: true, cost: 0, requestHash: hash };
    }
    let attempts = 0;
    const asked = performance.now();
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
    // A request waiting for its retry does not occupy a slot.
    const retry = { retries, baseMs: retryBaseMs, signal };
    const { completion, latencyMs } = await withRetries(() => gate.run(once, signal), retry);
    const waitedMs = performance.now() - asked - latencyMs;
    cache?.put(hash, { completion, latencyMs });
    const cost = costOf(completion.usage, latencyMs, model.id, prices);
    return { completion, latencyMs, waitedMs, attempts, cached: false, cost, requestHash: hash };
  };
}

/** A server that has responded before may come back after a failure to connect. */
function afterAnswers(error: unknown, answered: boolean): unknown {
  if (!answered || !(error instanceof ModelError) || error.kind !== 'unreachable') return error;
  return new ModelError('network', error.message, { cause: error });
}
