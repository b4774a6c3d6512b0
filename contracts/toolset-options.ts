import { z } from 'zod';
import { QUERY_VARIANTS } from './query-tool.ts';

/** A whole number as a query string or JSON has it. */
export const wholeNumber = (min: number, max: number = Number.MAX_SAFE_INTEGER) =>
  z
    .union([
      z.number(),
      z
        .string()
        .regex(/^\d{1,16}$/, 'must be a whole number')
        .transform(Number),
    ])
    .pipe(z.number().int().min(min).max(max));

/** `true` or `false` as a query string or JSON has it. */
export const yesOrNo = z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')]);

/** `a,b`, a name given several times, or a JSON array. */
export const several = z.union([z.string(), z.array(z.string())]).transform((value) =>
  [value]
    .flat()
    .flatMap((text) => text.split(','))
    .filter((text) => text !== ''),
);

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

/** How the tools of a formulation may be offered: `base`, and variants of the `query` tool and of `hybrid`. */
export const TOOL_VARIANTS = [...QUERY_VARIANTS, 'apart'] as const;
export type ToolVariant = (typeof TOOL_VARIANTS)[number];

/** `apart`: `hybrid` without the tool that reads both parts, so that the agent puts them together. */
export const HYBRID_VARIANTS = ['base', 'apart'] as const satisfies readonly ToolVariant[];

/** How a list of tools is made from a toolset. The same options always give the same list. */
export const listOptions = z.strictObject({
  /**
   * How many tools: a share of the toolset, rounded down, a number, or as many as a provider takes. The gold ones are
   * always among them.
   */
  tools: z
    .string()
    .regex(
      new RegExp(`^(?:\\d{1,3}%|\\d{1,5}|fit:(?:${PROVIDERS.join('|')}))$`),
      `must be a share such as 25%, a number of tools, or fit:<provider>, one of ${PROVIDERS.join(', ')}`,
    )
    .refine((text) => !text.endsWith('%') || Number.parseInt(text, 10) <= 100, 'is more than 100%')
    .default('100%'),
  /** `gold`: the tools of the gold calls are left out, so the right answer is to call nothing. */
  withhold: z.enum(['gold', 'none']).default('none'),
  /** Tools are called FUNC_n and their arguments ARG_n. */
  obfuscate: yesOrNo.default(false),
  /** `farm`: the toolset is that of every domain of the farm. REST only. */
  scope: z.enum(['domain', 'farm']).default('domain'),
  /** Where the tools of a shortlist are drawn from that are not gold. `farm`: from every domain. REST only. */
  distractors: z.enum(['domain', 'farm']).default('domain'),
  /** `search`: two tools stand for all of them, one that finds tools by words and one that calls them by name. */
  via: z.enum(['list', 'search']).default('list'),
  /**
   * `concise`: one sentence for each tool and argument; `full`: also what the tool is not for, how much it answers and
   * what its arguments may be; `drop`: no descriptions of tools and arguments.
   */
  descriptions: z.enum(['keep', 'concise', 'full', 'drop']).default('keep'),
  /** How the query tool is offered: `rationale`: it asks why, first; `per-collection`: a tool a collection;
   * `dsl`: it takes a query text. How those of `hybrid` are: `apart`: without the one that reads both parts. */
  variant: z.enum(TOOL_VARIANTS).default('base'),
  /** Draws the shortlist, orders it, and numbers obfuscated names. */
  seed: wholeNumber(0).default(0),
});
export type ListOptions = z.output<typeof listOptions>;

export const DEFAULT_LIST: ListOptions = listOptions.parse({});

/** How many tools `tools` means, of a toolset of so many. */
export function countTools(tools: ListOptions['tools'], size: number): number {
  const [, provider] = /^fit:(.+)$/.exec(tools) ?? [];
  // The option's own form allows no other name.
  if (provider !== undefined) return mostTools(provider as Provider);
  const number = Number.parseInt(tools, 10);
  return tools.endsWith('%') ? Math.floor((number * size) / 100) : number;
}

/** Whether the tools of the list are drawn from the whole farm. */
export function isFarmWide({ scope, distractors }: Pick<ListOptions, 'scope' | 'distractors'>): boolean {
  return scope === 'farm' || distractors === 'farm';
}

/** Whether the list is a toolset as it is: nothing left out, nothing renamed. */
export function isPlain({ tools, withhold, obfuscate, distractors }: ListOptions): boolean {
  return tools === '100%' && withhold === 'none' && distractors === 'domain' && !obfuscate;
}

/** The tool that finds tools. */
export const SEARCH_TOOLS = 'search_tools';
/** The tool that calls one that has been found. */
export const CALL_TOOL = 'call_tool';

/** What `call_tool` takes. */
export const wrappedCall = z.strictObject({
  name: z.string(),
  arguments: z.record(z.string(), z.unknown()).default({}),
});
export type WrappedCall = z.infer<typeof wrappedCall>;

/** The call that a call of `call_tool` asks for; null where it asks for none. */
export function unwrapCall(args: unknown): WrappedCall | null {
  const read = wrappedCall.safeParse(args);
  return read.success ? read.data : null;
}
