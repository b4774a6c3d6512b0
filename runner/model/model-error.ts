/**
 * What can go wrong with a request to a model.
 *
 * - Worth another try: `rate_limit`, `overloaded` (5xx), `network`, `timeout`, `broken_answer` (not what the provider
 *   promises).
 * - Ends the sample: `context_window`, `content_filter`, `bad_request`.
 * - Ends the run, for every further request would meet the same: `unauthorized`, `unknown_model`, `quota`, `no_tools`
 *   (the model or its server takes no tools), `unreachable` (nothing at the address speaks to us; once something has, it
 *   is `network`).
 */
export type ModelErrorKind =
  | 'rate_limit'
  | 'overloaded'
  | 'network'
  | 'timeout'
  | 'broken_answer'
  | 'context_window'
  | 'content_filter'
  | 'bad_request'
  | 'unauthorized'
  | 'unknown_model'
  | 'quota'
  | 'no_tools'
  | 'unreachable';

const TRANSIENT: ReadonlySet<ModelErrorKind> = new Set([
  'rate_limit',
  'overloaded',
  'network',
  'timeout',
  'broken_answer',
]);
const FATAL: ReadonlySet<ModelErrorKind> = new Set([
  'unauthorized',
  'unknown_model',
  'quota',
  'no_tools',
  'unreachable',
]);

/** The one error that models throw. */
export class ModelError extends Error {
  readonly kind: ModelErrorKind;
  /** HTTP, where there was an answer. */
  readonly status: number | null;
  /** What the provider asked to wait, in milliseconds. */
  readonly retryAfterMs: number | null;

  constructor(
    kind: ModelErrorKind,
    message: string,
    more: { status?: number | null; retryAfterMs?: number | null; cause?: unknown } = {},
  ) {
    super(message, more.cause === undefined ? {} : { cause: more.cause });
    this.name = 'ModelError';
    this.kind = kind;
    this.status = more.status ?? null;
    this.retryAfterMs = more.retryAfterMs ?? null;
  }

  /** Whether the same request may succeed later. */
  get transient(): boolean {
    return TRANSIENT.has(this.kind);
  }

  /** Whether no request of this run will succeed. */
  get fatal(): boolean {
    return FATAL.has(this.kind);
  }
}
