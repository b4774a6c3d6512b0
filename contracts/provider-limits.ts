/** What a provider takes in one request's list of tools. A limit that a provider does not publish is null. */
export interface ProviderLimits {
  /** Tools in one request. */
  readonly tools: number | null;
  /** Characters of a tool's name. */
  readonly nameCharacters: number;
  /** Characters of a tool's description. */
  readonly descriptionCharacters: number | null;
  /** Where the provider says so. */
  readonly source: string;
}

/** The published limits of providers and clients, by the name that `tools=fit:<name>` takes. */
export const PROVIDER_LIMITS = {
  openai: {
    tools: 128,
    nameCharacters: 64,
    descriptionCharacters: 1024,
    source: 'https://platform.openai.com/docs/api-reference/chat/create#chat-create-tools',
  },
  azure: {
    tools: 128,
    nameCharacters: 64,
    descriptionCharacters: 1024,
    source: 'https://learn.microsoft.com/azure/ai-services/openai/quotas-limits',
  },
  gemini: {
    // The API refuses more: "At most 512 function declarations can be specified."
    tools: 512,
    nameCharacters: 64,
    descriptionCharacters: null,
    source: 'https://ai.google.dev/api/caching#FunctionDeclaration',
  },
  anthropic: {
    // The limit of its own tool search, the only one that it publishes.
    tools: 10_000,
    nameCharacters: 64,
    descriptionCharacters: null,
    source: 'https://platform.claude.com/docs/en/agents-and-tools/tool-use/tool-search-tool',
  },
  vscode: {
    // Its agent mode refuses a request of more than 128 tools.
    tools: 128,
    nameCharacters: 64,
    descriptionCharacters: null,
    source: 'https://code.visualstudio.com/docs/copilot/agents/agent-tools',
  },
} as const satisfies Readonly<Record<string, ProviderLimits>>;

/** A provider whose limits are known. */
export type Provider = keyof typeof PROVIDER_LIMITS;

/** Its names, as texts name them. */
export const PROVIDERS = Object.keys(PROVIDER_LIMITS) as readonly Provider[];

/** The most tools that a provider takes in one request. */
export function mostTools(provider: Provider): number {
  return PROVIDER_LIMITS[provider].tools;
}

/** The limits of OpenAI's strict mode, which a schema must keep to be `strict`. */
export const OPENAI_STRICT_LIMITS = {
  properties: 5000,
  enumValues: 1000,
  /** Of one enum: beyond so many values, they may not have more characters together than `enumCharacters`. */
  enumValuesOfAnyLength: 250,
  enumCharacters: 15_000,
  /** Of all names, values of enums and definitions. */
  characters: 120_000,
  levels: 10,
  source: 'https://platform.openai.com/docs/guides/structured-outputs#supported-schemas',
} as const;

/** The limits of Anthropic's strict mode: of all strict tools of one request together. */
export const ANTHROPIC_STRICT_LIMITS = {
  tools: 20,
  optionalParameters: 24,
  /** Parameters of several types. */
  unionParameters: 16,
  source: 'https://platform.claude.com/docs/en/build-with-claude/structured-outputs',
} as const;

/** What Gemini's API takes of a schema, besides the names of types; more is refused as an unknown field. */
export const GEMINI_SCHEMA_FIELDS = {
  fields: [
    'type',
    'format',
    'title',
    'description',
    'nullable',
    'enum',
    'items',
    'minItems',
    'maxItems',
    'minimum',
    'maximum',
    'properties',
    'required',
    'anyOf',
  ],
  types: ['STRING', 'NUMBER', 'INTEGER', 'BOOLEAN', 'ARRAY', 'OBJECT'],
  source: 'https://ai.google.dev/api/caching#Schema',
} as const;
