/**
 * What a provider takes in one request's list of tools. A limit that a provider does not publish is null. The numbers were
 * compared with the pages at `source` in November 2026.
 */
export interface ProviderLimits {
  /** Tools in one request. */
  readonly tools: number | null;
  /** Characters of a tool's name. Some publish 128 by now; clients in use still hold to 64. */
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
    // In no table; the API refuses longer ones.
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
    // Said of functionDeclarations of the type Tool; the API refuses more.
    tools: 512,
    nameCharacters: 64,
    descriptionCharacters: null,
    source:
      'https://docs.cloud.google.com/gemini-enterprise-agent-platform/reference/rest/v1/projects.locations.cachedContents#Tool',
  },
  anthropic: {
    // The catalog of its own tool search, under "Limits": the only number of tools that it publishes.
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
  source: 'https://developers.openai.com/api/docs/guides/structured-outputs#supported-schemas',
} as const;

/**
 * The limits of Anthropic's strict mode: of all strict tools of one request together. Beside these the compiled grammar has
 * a size that is not published, so a list that keeps them all may still be refused.
 */
export const ANTHROPIC_STRICT_LIMITS = {
  tools: 20,
  optionalParameters: 24,
  /** Parameters with `anyOf` or several types. */
  unionParameters: 16,
  source: 'https://platform.claude.com/docs/en/build-with-claude/structured-outputs#schema-complexity-limits',
} as const;

/** What rookery writes of the schemas that Gemini's API takes; a field that it does not know is refused. */
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
