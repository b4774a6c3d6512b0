import { ModelError, type ModelErrorKind } from '../model/model-error.ts';

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
