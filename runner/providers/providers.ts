import type { LanguageModelV3 } from '@ai-sdk/provider';
import type { ProviderDialect } from './sdk/to-call-options.ts';

/** What a provider needs to know of whom it talks to. */
export interface Connection {
  readonly name: string;
  readonly baseUrl: string | null;
  readonly apiKey: string | null;
  readonly fetch: typeof fetch;
}

/** A way to reach models. */
export interface ProviderEntry {
  /** The environment variable that holds its key, unless another is named. */
  readonly keyFrom: string | null;
  readonly baseUrl: string | null;
  readonly dialect: ProviderDialect;
  /** Loads the provider's package when it is first used. */
  readonly open: (connection: Connection) => Promise<LanguageModelV3>;
}

type Decoded = Parameters<NonNullable<ProviderDialect['options']>>[0];

const openaiOptions = ({ reasoning_effort, parallel_tool_calls }: Decoded) => ({
  ...(reasoning_effort === undefined ? {} : { reasoningEffort: reasoning_effort }),
  ...(parallel_tool_calls === undefined ? {} : { parallelToolCalls: parallel_tool_calls }),
});

/** Servers that speak OpenAI's chat format take further fields by their own names. */
function compatible(key: string, baseUrl: string | null, keyFrom: string | null = null): ProviderEntry {
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
    },
    open: async ({ name, baseUrl: at, apiKey, fetch }) => {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      const key_ = apiKey === null ? {} : { apiKey };
      return createOpenAICompatible({
        name: key,
        baseURL: at ?? '',
        fetch,
        supportsStructuredOutputs: true,
        ...key_,
      })(name);
    },
  };
}

/** Every provider by the name that stands before the slash. */
export const PROVIDERS: Readonly<Record<string, ProviderEntry>> = {
  openai: {
    keyFrom: 'OPENAI_API_KEY',
    baseUrl: null,
    dialect: { key: 'openai', options: openaiOptions },
    open: async (connection) => (await openai(connection)).chat(connection.name),
  },
  'openai-responses': {
    keyFrom: 'OPENAI_API_KEY',
    baseUrl: null,
    // Nothing is kept at the provider: a run is reproducible from what is here.
    dialect: { key: 'openai', options: (decoding) => ({ ...openaiOptions(decoding), store: false }) },
    open: async (connection) => (await openai(connection)).responses(connection.name),
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
    open: async ({ name, baseUrl, apiKey, fetch }) => {
      const { createAnthropic } = await import('@ai-sdk/anthropic');
      return createAnthropic({ fetch, ...address(baseUrl), ...key(apiKey) })(name);
    },
  },
  google: {
    keyFrom: 'GOOGLE_GENERATIVE_AI_API_KEY',
    baseUrl: null,
    dialect: {
      key: 'google',
      options: ({ reasoning_effort }) =>
        thinking(reasoning_effort, (thinkingBudget) => ({ thinkingConfig: { thinkingBudget } })),
    },
    open: async ({ name, baseUrl, apiKey, fetch }) => {
      const { createGoogleGenerativeAI } = await import('@ai-sdk/google');
      return createGoogleGenerativeAI({ fetch, ...address(baseUrl), ...key(apiKey) })(name);
    },
  },
  mistral: {
    keyFrom: 'MISTRAL_API_KEY',
    baseUrl: null,
    dialect: {
      key: 'mistral',
      options: ({ parallel_tool_calls }) =>
        parallel_tool_calls === undefined ? {} : { parallelToolCalls: parallel_tool_calls },
    },
    open: async ({ name, baseUrl, apiKey, fetch }) => {
      const { createMistral } = await import('@ai-sdk/mistral');
      return createMistral({ fetch, ...address(baseUrl), ...key(apiKey) })(name);
    },
  },
  bedrock: {
    // AWS has its own variables and credentials, which its package reads.
    keyFrom: 'AWS_BEARER_TOKEN_BEDROCK',
    baseUrl: null,
    dialect: { key: 'bedrock' },
    open: async ({ name, baseUrl, apiKey, fetch }) => {
      const { createAmazonBedrock } = await import('@ai-sdk/amazon-bedrock');
      return createAmazonBedrock({ fetch, ...address(baseUrl), ...key(apiKey) })(name);
    },
  },
  'openai-compatible': compatible('compatible', null, 'OPENAI_API_KEY'),
  vllm: compatible('vllm', 'http://127.0.0.1:8000/v1', 'VLLM_API_KEY'),
  ollama: compatible('ollama', 'http://127.0.0.1:11434/v1'),
  lmstudio: compatible('lmstudio', 'http://127.0.0.1:1234/v1'),
  llamacpp: compatible('llamacpp', 'http://127.0.0.1:8080/v1'),
  tgi: compatible('tgi', 'http://127.0.0.1:8080/v1'),
  openrouter: compatible('openrouter', 'https://openrouter.ai/api/v1', 'OPENROUTER_API_KEY'),
  together: compatible('together', 'https://api.together.xyz/v1', 'TOGETHER_API_KEY'),
  groq: compatible('groq', 'https://api.groq.com/openai/v1', 'GROQ_API_KEY'),
  deepseek: compatible('deepseek', 'https://api.deepseek.com/v1', 'DEEPSEEK_API_KEY'),
};

async function openai({ baseUrl, apiKey, fetch }: Connection) {
  const { createOpenAI } = await import('@ai-sdk/openai');
  return createOpenAI({ fetch, ...address(baseUrl), ...key(apiKey) });
}

function address(baseUrl: string | null): { baseURL?: string } {
  return baseUrl === null ? {} : { baseURL: baseUrl };
}

function key(apiKey: string | null): { apiKey?: string } {
  return apiKey === null ? {} : { apiKey };
}

/** Providers that count thoughts in tokens rather than by effort. */
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
