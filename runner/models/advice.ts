import type { ModelErrorKind } from './failures.ts';
import { PROVIDERS } from './open-model.ts';

export interface Failed {
  readonly kind: ModelErrorKind | string;
  readonly message: string;
}

export interface RequestedModel {
  /** `<provider>/<name>` */
  readonly model: string | null;
  readonly baseUrl: string | null;
  /** The environment variable given for the key. */
  readonly apiKeyFrom?: string | undefined;
}

/** The message of a failure, with advice appended. */
export function withAdvice(failed: Failed, requested: RequestedModel): string {
  const advice = adviceFor(failed, requested);
  return advice === null ? failed.message : `${failed.message.replace(/\.$/, '')}; ${advice}`;
}

/** Advice for a model failure; null if the message suffices. */
function adviceFor({ kind, message }: Failed, requested: RequestedModel): string | null {
  const provider = requested.model?.split('/')[0] ?? '';
  const entry = PROVIDERS[provider === 'openai-completions' ? 'openai' : provider];
  const at = requested.baseUrl ?? entry?.baseUrl ?? null;
  switch (kind) {
    case 'unauthorized': {
      const variable = requested.apiKeyFrom ?? entry?.keyFrom ?? null;
      if (variable === null) return 'name the environment variable that holds its key: --api-key-from';
      const other = requested.apiKeyFrom === undefined ? ' (--api-key-from names another variable)' : '';
      return `its key is read from ${variable}${other}`;
    }
    case 'unknown_model':
      if (at === null || /model/i.test(message)) return `check the name behind ${provider}/ in --model`;
      return `check --base-url, which is ${at}: it mostly ends in /v1, and never in /chat/completions`;
    case 'unreachable':
      return reach(message, at, provider);
    case 'no_tools':
      return 'ask it with --agent react or --agent direct, whose tools are in the text; a server may have an option for tools (vLLM: --enable-auto-tool-choice --tool-call-parser …; llama.cpp: --jinja)';
    case 'quota':
      return 'the account has nothing left, or a limit was reached';
    case 'context_window':
      return 'offer less: --tools 25%, --via search, --shots 0, --max-tool-output 4000';
    case 'rate_limit':
      return 'ask more slowly: --concurrency 2, --rpm …';
    case 'timeout':
      return 'wait longer: --request-timeout';
    case 'bad_request':
      return /tools.*(?:too long|maximum|at most)|too many tools/i.test(message)
        ? 'offer as many tools as the provider takes: --tools fit:openai, or --via search'
        : null;
    default:
      return null;
  }
}

function reach(message: string, at: string | null, provider: string): string {
  if (/wrong version number|packet length too long/i.test(message))
    return `${at} speaks no TLS: give http:// in place of https://`;
  if (/certificate|self.signed/i.test(message)) {
    return 'its certificate is not trusted: name a file with that of its issuer in NODE_EXTRA_CA_CERTS';
  }
  if (/^3\d\d:/.test(message)) return 'give the address that it has moved to as --base-url';
  const place = at === null ? `the address of ${provider}` : at;
  return `is a server running at ${place}? --base-url names another address, which mostly ends in /v1`;
}
