import { UserError } from '../../contracts/errors.ts';

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

/** The only error that models throw. */
export class ModelError extends Error {
  readonly kind: ModelErrorKind;
  /** HTTP status, if there was a response. */
  readonly status: number | null;
  /** Delay requested by the provider, in milliseconds. */
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

/**
 * How long a provider with an exhausted quota asks to wait, in milliseconds: from OpenAI's
 * `x-ratelimit-remaining-…` and `x-ratelimit-reset-…`, which others use too, and `anthropic-ratelimit-…`.
 */
export function retryAfterOf(
  headers: Readonly<Record<string, string | undefined>>,
  now: number = Date.now(),
): number {
  let longest = 0;
  for (const [name, value] of Object.entries(headers)) {
    const [, prefix, what] = REMAINING.exec(name.toLowerCase()) ?? [];
    if (prefix === undefined || what === undefined || Number(value) !== 0) continue;
    const reset = headers[`${prefix}reset-${what}`] ?? headers[`${prefix}${what}-reset`];
    longest = Math.max(longest, durationMs(reset ?? '', now));
  }
  return longest;
}

const REMAINING =
  /^((?:x-|anthropic-)ratelimit-)(?:remaining-(?=requests|tokens))?(requests|tokens)(?:-remaining)?$/;

/** `6m0s`, `120ms`, `1.5` seconds, or a date. */
function durationMs(text: string, now: number): number {
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|h|m|s)/g)];
  if (parts.length > 0) {
    return parts.reduce((sum, [, count, unit]) => sum + Number(count) * (UNITS[unit ?? ''] ?? 0), 0);
  }
  const date = Date.parse(text);
  return Number.isNaN(date) ? 0 : Math.max(0, date - now);
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** Interprets a connection failure, however it is wrapped. */
export function readNetworkFailure(error: unknown): ModelError {
  const causes = [...causesOf(error)];
  const codes = causes.map((cause) => ('code' in cause ? String(cause.code) : ''));
  const detail = causes.map(({ message }) => message).findLast((message) => message !== '') ?? String(error);
  const code = codes.find((each) => each !== '') ?? '';
  const unreachable = codes.some((each) => UNREACHABLE.test(each));
  // OpenSSL's messages contain addresses and line numbers.
  const reason = detail.includes(':error:') ? (detail.split(':')[5] ?? detail) : detail;
  const message = code === '' || reason.includes(code) ? reason : `${reason} (${code})`;
  return new ModelError(unreachable ? 'unreachable' : 'network', message, { cause: error });
}

/** Nothing listens, the name does not resolve, or the peer is not trusted or does not speak TLS. */
const UNREACHABLE =
  /^(?:ECONNREFUSED|ENOTFOUND|EHOSTUNREACH|ENETUNREACH|ERR_INVALID_URL|ERR_SSL_.*|ERR_TLS_.*|CERT_.*|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_.*|EPROTO)$/;

function* causesOf(error: unknown): Generator<Error> {
  let cause = error;
  // The chain of causes may be circular.
  for (let depth = 0; depth < 5 && cause instanceof Error; depth++) {
    yield cause;
    // A host with several addresses: each was tried.
    cause = cause.cause ?? (cause instanceof AggregateError ? cause.errors[0] : undefined);
  }
}

export interface FailedAnswer {
  readonly status: number;
  /** With lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}

/** Interprets a provider's response: a redirect, which is not followed, or an error. */
export function readFailure({ status, headers, body }: FailedAnswer): ModelError {
  const moved = status < 400 ? ` moved to ${headers.location ?? 'another address'}` : '';
  const message = `${status}:${moved} ${shorten(messageIn(body))}`.trimEnd();
  return new ModelError(kindOf(status, body), message, { status, retryAfterMs: retryAfterMs(headers) });
}

function kindOf(status: number, body: string): ModelErrorKind {
  if (status < 400) return 'unreachable';
  if (NO_TOOLS.test(body)) return 'no_tools';
  if (status === 429) return QUOTA.test(body) ? 'quota' : 'rate_limit';
  if (status === 402) return 'quota';
  if (status === 401 || status === 403) return FILTERED.test(body) ? 'content_filter' : 'unauthorized';
  if (status === 413 || CONTEXT.test(body)) return 'context_window';
  if (status === 404) return 'unknown_model';
  if (status === 408) return 'timeout';
  if (status === 409 || status === 425) return 'overloaded';
  if (status >= 500) return 'overloaded';
  if (FILTERED.test(body)) return 'content_filter';
  return 'bad_request';
}

/** Ollama; vLLM; llama.cpp, with 500; OpenRouter, with 404. */
const NO_TOOLS =
  /does not support tools|enable-auto-tool-choice|tools param requires|endpoints found that support tool use|tools? (?:use )?(?:is|are) not supported/i;
const QUOTA = /insufficient_quota|billing|credit balance|exceeded your current quota/i;
const CONTEXT =
  /context[ _]?(?:length|window)|maximum context|prompt is too long|too many tokens|input (?:token count|is too long)|exceeds the (?:available )?context/i;
const FILTERED = /content[_ ]filter|content management policy|safety|responsible ?ai/i;

/** Interprets a 2xx response with unexpected content; `fault` says how that was detected. */
export function unreadable(body: string, status: number, fault: string): ModelError {
  if (body.trimStart().startsWith('<')) {
    return new ModelError('unreachable', 'the response is a web page, not JSON', { status });
  }
  return new ModelError('broken_answer', `${fault}: ${shorten(body.trim()) || 'nothing'}`, { status });
}

/** `retry-after-ms`, else `retry-after` in seconds or as a date; null without either. */
export function retryAfterMs(headers: FailedAnswer['headers'], now: number = Date.now()): number | null {
  const milliseconds = Number.parseFloat(headers['retry-after-ms'] ?? '');
  if (milliseconds >= 0) return milliseconds;
  const text = headers['retry-after'] ?? '';
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

/** The message of a JSON error in most providers' spelling, else the text. */
function messageIn(body: string): string {
  try {
    const read: unknown = JSON.parse(body);
    return findMessage(read) ?? body;
  } catch {
    return body;
  }
}

function findMessage(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return null;
  if ('message' in value && typeof value.message === 'string') return value.message;
  if ('error' in value) return typeof value.error === 'string' ? value.error : findMessage(value.error);
  return null;
}

function shorten(text: string): string {
  return text.length > 500 ? `${text.slice(0, 500)}…` : text;
}

/** The error that ends a command whose model cannot be used. */
export function unusableModel(
  { kind }: { readonly kind: string },
  model: string,
  message: string,
  options?: ErrorOptions,
): UserError {
  return new UserError(
    kind === 'unreachable' ? 'MODEL_UNREACHABLE' : 'MODEL_REFUSED',
    model,
    message,
    options,
  );
}
