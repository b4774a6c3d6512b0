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

/**
 * For how long a provider that has nothing left of a quota asks to be left alone: from `x-ratelimit-remaining-…` and
 * `x-ratelimit-reset-…` as OpenAI and those that follow it send them, and `anthropic-ratelimit-…`. In milliseconds.
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

/** What the failure of a connection means, whatever wraps it. */
export function readNetworkFailure(error: unknown): ModelError {
  const causes = [...causesOf(error)];
  const codes = causes.map((cause) => ('code' in cause ? String(cause.code) : ''));
  const said = causes.map(({ message }) => message).findLast((message) => message !== '') ?? String(error);
  const code = codes.find((each) => each !== '') ?? '';
  const unreachable = codes.some((each) => UNREACHABLE.test(each));
  // What OpenSSL says has addresses and line numbers in it.
  const reason = said.includes(':error:') ? (said.split(':')[5] ?? said) : said;
  const message = code === '' || reason.includes(code) ? reason : `${reason} (${code})`;
  return new ModelError(unreachable ? 'unreachable' : 'network', message, { cause: error });
}

/** Nobody listens, there is no such name, or what answers cannot be trusted or speaks no TLS. */
const UNREACHABLE =
  /^(?:ECONNREFUSED|ENOTFOUND|EHOSTUNREACH|ENETUNREACH|ERR_INVALID_URL|ERR_SSL_.*|ERR_TLS_.*|CERT_.*|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_.*|EPROTO)$/;

function* causesOf(error: unknown): Generator<Error> {
  let cause = error;
  // A chain may be a circle.
  for (let depth = 0; depth < 5 && cause instanceof Error; depth++) {
    yield cause;
    // A name with several addresses: each was tried.
    cause = cause.cause ?? (cause instanceof AggregateError ? cause.errors[0] : undefined);
  }
}

/** An HTTP answer other than 2xx. */
export interface FailedAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}

/** What an answer of a provider means: a redirect, which is not followed, or a fault. Keys are never in it: they are sent, not answered. */
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

/** What it means that an answer with 2xx is not what was promised; `fault` is how that was noticed. */
export function unreadable(body: string, status: number, fault: string): ModelError {
  if (body.trimStart().startsWith('<')) {
    return new ModelError('unreachable', 'a web page was answered, not JSON', { status });
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

/** The message of a JSON error as most providers spell it, else the text. */
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
