import { z } from 'zod';
import { QUERY_VARIANTS } from './query-tool.ts';

/** A whole number in a query string or JSON. */
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

/** `true` or `false` in a query string or JSON. */
export const yesOrNo = z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')]);

/** `a,b`, a repeated parameter, or a JSON array. */
export const several = z.union([z.string(), z.array(z.string())]).transform((value) =>
  [value]
    .flat()
    .flatMap((text) => text.split(','))
    .filter((text) => text !== ''),
);

/** A provider's limits on tools per request; null if unpublished. Checked against `source` in November 2026. */
export interface ProviderLimits {
  readonly tools: number | null;
  /** Maximum length of a tool's name. Some publish 128 by now, but clients in use still enforce 64. */
  readonly nameCharacters: number;
  readonly descriptionCharacters: number | null;
  /** The provider's documentation. */
  readonly source: string;
}

/** The published limits of providers and clients, by the name used in `tools=fit:<name>`. */
export const PROVIDER_LIMITS = {
  openai: {
    tools: 128,
    nameCharacters: 64,
    // Undocumented; the API refuses longer ones.
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
    // Documented for functionDeclarations of the type Tool; the API refuses more.
    tools: 512,
    nameCharacters: 64,
    descriptionCharacters: null,
    source:
      'https://docs.cloud.google.com/gemini-enterprise-agent-platform/reference/rest/v1/projects.locations.cachedContents#Tool',
  },
  anthropic: {
    // The catalog size of its tool search, under "Limits": the only published number of tools.
    tools: 10_000,
    nameCharacters: 64,
    descriptionCharacters: null,
    source: 'https://platform.claude.com/docs/en/agents-and-tools/tool-use/tool-search-tool',
  },
  vscode: {
    // Agent mode refuses a request with more than 128 tools.
    tools: 128,
    nameCharacters: 64,
    descriptionCharacters: null,
    source: 'https://code.visualstudio.com/docs/copilot/agents/agent-tools',
  },
} as const satisfies Readonly<Record<string, ProviderLimits>>;

export type Provider = keyof typeof PROVIDER_LIMITS;

export const PROVIDERS = Object.keys(PROVIDER_LIMITS) as readonly Provider[];

/** The limits of OpenAI's strict mode, which a `strict` schema must meet. */
export const OPENAI_STRICT_LIMITS = {
  properties: 5000,
  enumValues: 1000,
  /** Per enum: beyond this many values, `enumCharacters` limits their total length. */
  enumValuesOfAnyLength: 250,
  enumCharacters: 15_000,
  /** Total length of names, enum values and definitions. */
  characters: 120_000,
  levels: 10,
  source: 'https://developers.openai.com/api/docs/guides/structured-outputs#supported-schemas',
} as const;

/**
 * The limits of Anthropic's strict mode, over all strict tools of a request. The compiled grammar also has an
 * unpublished size limit, so a list within these limits may still be refused.
 */
export const ANTHROPIC_STRICT_LIMITS = {
  tools: 20,
  optionalParameters: 24,
  /** Parameters with `anyOf` or several types. */
  unionParameters: 16,
  source: 'https://platform.claude.com/docs/en/build-with-claude/structured-outputs#schema-complexity-limits',
} as const;

/** Variants in which a formulation's tools may be offered: `base`, and those of `query` and `hybrid`. */
export const TOOL_VARIANTS = [...QUERY_VARIANTS, 'apart'] as const;
export type ToolVariant = (typeof TOOL_VARIANTS)[number];

/** `apart`: `hybrid` without the tool that reads both parts, so that the agent has to combine them. */
export const HYBRID_VARIANTS = ['base', 'apart'] as const satisfies readonly ToolVariant[];

/** Options that derive a tool list from a toolset. The same options always give the same list. */
export const listOptions = z.strictObject({
  /** A share of the toolset (rounded down), a count, or what a provider allows. Gold tools are always included. */
  tools: z
    .string()
    .regex(
      new RegExp(`^(?:\\d{1,3}%|\\d{1,5}|fit:(?:${PROVIDERS.join('|')}))$`),
      `must be a share such as 25%, a number of tools, or fit:<provider>, one of ${PROVIDERS.join(', ')}`,
    )
    .refine((text) => !text.endsWith('%') || Number.parseInt(text, 10) <= 100, 'is more than 100%')
    .default('100%'),
  /** `gold`: the gold tools are left out, so the right answer is to call nothing. */
  withhold: z.enum(['gold', 'none']).default('none'),
  /** Renames tools to FUNC_n and arguments to ARG_n. */
  obfuscate: yesOrNo.default(false),
  /** `farm`: the toolset spans every domain of the farm. REST only. */
  scope: z.enum(['domain', 'farm']).default('domain'),
  /**
   * The source of the non-gold tools in a shortlist. `domain`: the task's own, and of a toolset that spans the farm the
   * others once that has no more; `farm`: every domain alike. REST only.
   */
  distractors: z.enum(['domain', 'farm']).default('domain'),
  /**
   * Two tools replace the list. `search`: one that finds tools by words and one that calls them by name. `code`: one that
   * shows the tools as functions and one that runs a program. `http`: one that shows their addresses and one that sends a
   * request; `requests`: the same in the form of BFCL's `requests.get`, REST only.
   */
  via: z.enum(['list', 'search', 'code', 'http', 'requests']).default('list'),
  /**
   * `concise`: one sentence per tool and argument; `full`: also what the tool is not for, how much it returns
   * and which values its arguments take; `drop`: no descriptions.
   */
  descriptions: z.enum(['keep', 'concise', 'full', 'drop']).default('keep'),
  /**
   * How the query tool is offered: `rationale` asks for a rationale first; `per-collection` has one tool per
   * collection; `dsl` takes a query text. For `hybrid`: `apart` omits the tool that reads both parts.
   */
  variant: z.enum(TOOL_VARIANTS).default('base'),
  /** Over MCP: offer the domain's glossary, if it has one, as a resource. */
  glossary: yesOrNo.optional(),
  /** A tool beside the list searches the domain's texts, if it has any: its glossary, rules and other documents. */
  documents: yesOrNo.optional(),
  /** Draws the shortlist, orders it, and numbers obfuscated names. */
  seed: wholeNumber(0).default(0),
});
export type ListOptions = z.output<typeof listOptions>;

export const DEFAULT_LIST: ListOptions = listOptions.parse({});

/** The number of tools that `tools` stands for in a toolset of this size. */
export function countTools(tools: ListOptions['tools'], size: number): number {
  const [, provider] = /^fit:(.+)$/.exec(tools) ?? [];
  // The schema allows no other name.
  if (provider !== undefined) return PROVIDER_LIMITS[provider as Provider].tools;
  const number = Number.parseInt(tools, 10);
  return tools.endsWith('%') ? Math.floor((number * size) / 100) : number;
}

/** Whether tools are drawn from the whole farm. */
export function isFarmWide({ scope, distractors }: Pick<ListOptions, 'scope' | 'distractors'>): boolean {
  return scope === 'farm' || distractors === 'farm';
}

/** Whether the list is the toolset itself, with nothing left out or renamed. */
export function isPlain({ tools, withhold, obfuscate, distractors }: ListOptions): boolean {
  return tools === '100%' && withhold === 'none' && distractors === 'domain' && !obfuscate;
}

export const SEARCH_TOOLS = 'search_tools';
/** The tool that searches the domain's texts, with `documents`. */
export const SEARCH_DOCUMENTS = 'search_documents';
export const CALL_TOOL = 'call_tool';

export const wrappedCall = z.strictObject({
  name: z.string(),
  arguments: z.record(z.string(), z.unknown()).default({}),
});
export type WrappedCall = z.infer<typeof wrappedCall>;

/** The call inside a call of `call_tool`; null if there is none. */
export function unwrapCall(args: unknown): WrappedCall | null {
  const read = wrappedCall.safeParse(args);
  return read.success ? read.data : null;
}
