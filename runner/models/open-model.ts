import type { LanguageModelV3 } from '@ai-sdk/provider';
import { OptionError, UserError } from '../../contracts/errors.ts';
import { textFetch } from '../text-fetch.ts';
import { CompletionsModel } from './completions-model.ts';
import { ModelError } from './failures.ts';
import type { Constrain } from './grammar.ts';
import type { Decoding, Model } from './model.ts';
import { type ProviderDialect, SdkModel } from './sdk-model.ts';

/** Splits a model's name at its first slash. Throws MODEL_UNKNOWN. */
export function parseModelName(text: string) {
  const at = text.indexOf('/');
  if (at > 0 && at < text.length - 1) return { provider: text.slice(0, at), name: text.slice(at + 1) };
  throw new UserError(
    'MODEL_UNKNOWN',
    '--model',
    `${text} is not <provider>/<name>, such as openai/gpt-4o-mini`,
  );
}

export interface Connection {
  readonly name: string;
  readonly baseUrl: string | null;
  readonly apiKey: string | null;
  readonly fetch: typeof fetch;
}

export interface ProviderEntry {
  /** The default environment variable for the key. */
  readonly keyFrom: string | null;
  readonly baseUrl: string | null;
  readonly dialect: ProviderDialect;
  /** Loads the provider's package on first use. */
  readonly open: (connection: Connection) => Promise<LanguageModelV3>;
}

type Decoded = Parameters<NonNullable<ProviderDialect['options']>>[0];

const openaiOptions = ({ reasoning_effort, parallel_tool_calls }: Decoded) => ({
  ...(reasoning_effort === undefined ? {} : { reasoningEffort: reasoning_effort }),
  ...(parallel_tool_calls === undefined ? {} : { parallelToolCalls: parallel_tool_calls }),
});

/** The settings that all packages take. */
const settingsOf = ({ baseUrl, apiKey, fetch }: Connection) => ({
  fetch,
  baseURL: baseUrl ?? undefined,
  apiKey: apiKey ?? undefined,
});

/** A provider that speaks OpenAI's chat format, with extra fields under its own key. */
function compatible(
  key: string,
  baseUrl: string | null,
  keyFrom: string | null = null,
  constrain?: Constrain,
): ProviderEntry {
  return {
    keyFrom,
    baseUrl,
    dialect: {
      key,
      options: ({ reasoning_effort, parallel_tool_calls, top_k }) => ({
        ...(reasoning_effort === undefined ? {} : { reasoningEffort: reasoning_effort }),
        ...(parallel_tool_calls === undefined ? {} : { parallel_tool_calls }),
        ...(top_k === undefined ? {} : { top_k }),
      }),
      ...(constrain === undefined ? {} : { constrain }),
    },
    open: async (to) => {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      const { baseURL = '', ...settings } = settingsOf(to);
      return createOpenAICompatible({ ...settings, name: key, baseURL, supportsStructuredOutputs: true })(
        to.name,
      );
    },
  };
}

/** Every provider, by the prefix before the slash. */
export const PROVIDERS: Readonly<Record<string, ProviderEntry>> = {
  openai: {
    keyFrom: 'OPENAI_API_KEY',
    baseUrl: null,
    dialect: { key: 'openai', options: openaiOptions },
    open: async (to) => (await import('@ai-sdk/openai')).createOpenAI(settingsOf(to)).chat(to.name),
  },
  'openai-responses': {
    keyFrom: 'OPENAI_API_KEY',
    baseUrl: null,
    // Nothing is stored at the provider.
    dialect: { key: 'openai', options: (decoding) => ({ ...openaiOptions(decoding), store: false }) },
    open: async (to) => (await import('@ai-sdk/openai')).createOpenAI(settingsOf(to)).responses(to.name),
  },
  anthropic: {
    keyFrom: 'ANTHROPIC_API_KEY',
    baseUrl: null,
    dialect: {
      key: 'anthropic',
      options: ({ reasoning_effort, parallel_tool_calls }) => ({
        ...(parallel_tool_calls === undefined ? {} : { disableParallelToolUse: !parallel_tool_calls }),
        ...thinking(reasoning_effort, (budgetTokens) => ({
          thinking: budgetTokens === 0 ? { type: 'disabled' } : { type: 'enabled', budgetTokens },
        })),
      }),
    },
    open: async (to) => (await import('@ai-sdk/anthropic')).createAnthropic(settingsOf(to))(to.name),
  },
  google: {
    keyFrom: 'GOOGLE_GENERATIVE_AI_API_KEY',
    baseUrl: null,
    dialect: {
      key: 'google',
      options: ({ reasoning_effort }) =>
        thinking(reasoning_effort, (thinkingBudget) => ({ thinkingConfig: { thinkingBudget } })),
    },
    open: async (to) => (await import('@ai-sdk/google')).createGoogleGenerativeAI(settingsOf(to))(to.name),
  },
  mistral: {
    keyFrom: 'MISTRAL_API_KEY',
    baseUrl: null,
    dialect: {
      key: 'mistral',
      options: ({ parallel_tool_calls }) =>
        parallel_tool_calls === undefined ? {} : { parallelToolCalls: parallel_tool_calls },
    },
    open: async (to) => (await import('@ai-sdk/mistral')).createMistral(settingsOf(to))(to.name),
  },
  bedrock: {
    // AWS has its own variables and credentials, which its package reads.
    keyFrom: 'AWS_BEARER_TOKEN_BEDROCK',
    baseUrl: null,
    dialect: { key: 'bedrock' },
    open: async (to) => (await import('@ai-sdk/amazon-bedrock')).createAmazonBedrock(settingsOf(to))(to.name),
  },
  'openai-compatible': compatible('compatible', null, 'OPENAI_API_KEY'),
  vllm: compatible('vllm', 'http://127.0.0.1:8000/v1', 'VLLM_API_KEY', (by) => ({ structured_outputs: by })),
  ollama: compatible('ollama', 'http://127.0.0.1:11434/v1'),
  lmstudio: compatible('lmstudio', 'http://127.0.0.1:1234/v1'),
  llamacpp: compatible('llamacpp', 'http://127.0.0.1:8080/v1', null, (by) =>
    'grammar' in by ? by : { json_schema: by.json },
  ),
  tgi: compatible('tgi', 'http://127.0.0.1:8080/v1'),
  openrouter: compatible('openrouter', 'https://openrouter.ai/api/v1', 'OPENROUTER_API_KEY'),
  together: compatible('together', 'https://api.together.xyz/v1', 'TOGETHER_API_KEY'),
  groq: compatible('groq', 'https://api.groq.com/openai/v1', 'GROQ_API_KEY'),
  deepseek: compatible('deepseek', 'https://api.deepseek.com/v1', 'DEEPSEEK_API_KEY'),
};

/** Token budgets for providers that limit reasoning by tokens instead of effort. */
const THINKING_TOKENS = {
  none: 0,
  minimal: 1024,
  low: 4096,
  medium: 10_000,
  high: 24_000,
  xhigh: 32_000,
} as const;

function thinking<T extends object>(
  effort: keyof typeof THINKING_TOKENS | undefined,
  options: (tokens: number) => T,
): T | Record<never, never> {
  return effort === undefined ? {} : options(THINKING_TOKENS[effort]);
}

/**
 * Wraps a model whose provider may reject a decoding parameter, such as a temperature: retries without it,
 * omits it from later requests, and adds a warning to each completion. A rejected schema or grammar of the reply
 * falls back to plain JSON mode.
 */
export function dropRefusedSettings(model: Model): Model {
  const refused = new Set<keyof Decoding>();
  let takesSchemas = true;
  const warningOf = (name: string) => `unsupported: ${name} (the provider refused it, and it was left out)`;
  return {
    id: model.id,
    transport: model.transport,
    constraints: model.constraints,
    async complete(request, signal) {
      for (;;) {
        const given = Object.entries(request.decoding).filter(([name]) => !isIn(refused, name));
        const { replySchema, ...asked } = request;
        const hasSchema = replySchema !== undefined && takesSchemas;
        const json = replySchema !== undefined && !takesSchemas && !refused.has('response_format');
        const decoding: Decoding = {
          ...Object.fromEntries(given),
          ...(json ? { response_format: 'json' } : {}),
        };
        try {
          const completion = await model.complete(
            { ...asked, ...(hasSchema ? { replySchema } : {}), decoding },
            signal,
          );
          const left: string[] = [...refused].filter((name) => request.decoding[name] !== undefined);
          if (replySchema !== undefined && !hasSchema) left.push('the schema or grammar of the reply');
          return left.length === 0
            ? completion
            : { ...completion, warnings: [...completion.warnings, ...left.map(warningOf)] };
        } catch (error) {
          if (
            hasSchema &&
            error instanceof ModelError &&
            error.kind === 'bad_request' &&
            SCHEMA.test(error.message)
          ) {
            takesSchemas = false;
            continue;
          }
          const name = error instanceof ModelError ? refusedIn(error, decoding) : null;
          if (name === null) throw error;
          refused.add(name);
        }
      }
    },
  };
}

const SCHEMA =
  /response_?(?:format|schema)|json_?schema|output_(?:format|config)|structured.?output|grammar/i;

function isIn(names: ReadonlySet<string>, name: string): boolean {
  return names.has(name);
}

/** The decoding parameter that an error message complains about; null for other errors. */
function refusedIn({ kind, message }: ModelError, decoding: Decoding): keyof Decoding | null {
  if (kind !== 'bad_request' || !REFUSED.test(message)) return null;
  const found = NAMES.find(([name, pattern]) => decoding[name] !== undefined && pattern.test(message));
  return found?.[0] ?? null;
}

const REFUSED =
  /unsupported|not support|unknown (?:parameter|field|name)|unrecognized|extra inputs|not (?:permitted|allowed)|deprecated|cannot both/i;

/** Providers' names for parameters. Of two mutually exclusive ones, the first is dropped. */
const NAMES: readonly (readonly [keyof Decoding, RegExp])[] = [
  ['top_p', /\btop_?p\b/i],
  ['top_k', /\btop_?k\b/i],
  ['temperature', /\btemperature\b/i],
  ['seed', /\bseed\b/i],
  ['stop', /\bstop(?:_?sequences?)?\b/i],
  ['max_tokens', /\bmax_(?:output_)?tokens\b/i],
  ['reasoning_effort', /\breasoning(?:_effort|\.effort)?\b|\bthinking\b/i],
  ['parallel_tool_calls', /\bparallel_tool_calls\b/i],
  ['response_format', /\bresponse_format\b/i],
];

export interface ModelOptions {
  /** `<provider>/<name>` */
  readonly model: string;
  /** The provider's base URL, if not the default. */
  readonly baseUrl?: string;
  /** The environment variable of the key, if not the default. */
  readonly apiKeyFrom?: string;
  /** `completions`: the raw text API of an OpenAI-compatible server. */
  readonly transport?: 'chat' | 'completions';
}

/** Opens a model without making a request. Throws MODEL_UNKNOWN for an unknown provider, or a missing base URL. */
export async function openModel(
  options: ModelOptions,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<Model> {
  const { model: id, transport } = options;
  const { provider, name } = parseModelName(id);
  const raw = provider === 'openai-completions' || transport === 'completions';
  const entry = PROVIDERS[provider === 'openai-completions' ? 'openai' : provider];
  if (entry === undefined) {
    const known = [...Object.keys(PROVIDERS), 'openai-completions', 'mock'].join(', ');
    throw unknown(`there is no provider ${provider}; give one of ${known}`);
  }
  const keyName = options.apiKeyFrom ?? entry.keyFrom;
  const apiKey = (keyName === null ? undefined : environment[keyName]) ?? null;
  if (options.apiKeyFrom !== undefined && apiKey === null) {
    throw new OptionError('--api-key-from', `the environment variable ${options.apiKeyFrom} is not set`);
  }
  const baseUrl = options.baseUrl ?? entry.baseUrl;
  const fetch = textFetch();
  if (raw) {
    const at = baseUrl ?? (provider.startsWith('openai') ? 'https://api.openai.com/v1' : null);
    if (at === null) throw unknown(`${provider} has no address of its own; give --base-url`);
    const { constrain } = entry.dialect;
    return dropRefusedSettings(
      new CompletionsModel({ id, name, baseUrl: at, apiKey, fetch, ...(constrain ? { constrain } : {}) }),
    );
  }
  if (provider === 'openai-compatible' && baseUrl === null) {
    throw unknown('openai-compatible has no address of its own; give --base-url');
  }
  // Self-hosted servers need no key, but the packages for OpenAI and the like require one.
  const sent = apiKey ?? (options.baseUrl === undefined ? null : 'none');
  const opened = await entry.open({ name, baseUrl, apiKey: sent, fetch });
  return dropRefusedSettings(new SdkModel(id, opened, entry.dialect));
}

function unknown(fault: string): UserError {
  return new UserError('MODEL_UNKNOWN', '--model', fault);
}
