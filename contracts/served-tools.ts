import { z } from 'zod';
import { listOptions } from './list-options.ts';
import { formulation } from './sample.ts';

const jsonSchema = z.record(z.string(), z.unknown());
const functionSchema = z.object({
  name: z.string(),
  description: z.string(),
  parameters: jsonSchema,
  strict: z.boolean(),
});

const anthropicTool = z.object({ name: z.string(), description: z.string(), input_schema: jsonSchema });
const responsesTool = functionSchema.extend({ type: z.literal('function') });

/** A tool in each format. */
export const toolFormats = {
  plain: z.object({ name: z.string(), description: z.string(), parameters: jsonSchema }),
  openai: z.object({ type: z.literal('function'), function: functionSchema }),
  'openai-responses': responsesTool,
  /** With OpenAI's own search of tools. */
  'openai-responses-search': z.union([
    z.object({ type: z.literal('tool_search') }),
    z.object({
      type: z.literal('namespace'),
      name: z.string(),
      description: z.string(),
      tools: z.array(responsesTool.extend({ defer_loading: z.literal(true) })),
    }),
  ]),
  anthropic: anthropicTool,
  'anthropic-strict': anthropicTool.extend({ strict: z.boolean() }),
  /** With Anthropic's own search of tools. */
  'anthropic-search': z.union([
    z.object({ type: z.literal('tool_search_tool_bm25_20251119'), name: z.literal('tool_search_tool_bm25') }),
    anthropicTool.extend({ defer_loading: z.literal(true) }),
  ]),
  gemini: z.object({ name: z.string(), description: z.string(), parameters: jsonSchema.optional() }),
  mcp: z.object({
    name: z.string(),
    description: z.string(),
    inputSchema: jsonSchema,
    outputSchema: jsonSchema,
  }),
};
export type ToolFormats = {
  readonly [Format in keyof typeof toolFormats]: z.infer<(typeof toolFormats)[Format]>;
};

/** A list of tools in one of the formats. */
export const servedTools = z.object({
  /** Only of the tools of a task. */
  sample_id: z.string().optional(),
  split: z.string(),
  db: z.string(),
  formulation,
  /** How many tools are shown. */
  size: z.number().int(),
  /** How many `search_tools` looks through, where it stands for them. */
  searchable: z.number().int().optional(),
  /** What a model reads of the list at first, in tokens, about: four characters of JSON each. */
  tokens: z.number().int(),
  /** Not in a run: it would tell that tools are missing. */
  toolset_size: z.number().int().optional(),
  /** Of the tools of a task: how its answer is to be written. */
  answer_format: z.string().optional(),
  /** sha256 of the list, the same in every format. */
  checksum: z.string(),
  /** Not in a run. */
  options: listOptions.optional(),
  /**
   * With the harness key, where some are shown under other names: what the tools that may be called are called in truth,
   * in the list's order; `<db>/` stands before those of other domains.
   */
  real_names: z.array(z.string()).optional(),
  /** Where a tool is called by its name, a path. */
  call: z.string(),
  /** Where an MCP client connects, a path. */
  mcp: z.string(),
  tools: z.array(
    z.union([
      toolFormats.plain,
      toolFormats.openai,
      toolFormats['openai-responses'],
      toolFormats['openai-responses-search'],
      // Before the plain ones, which would drop what they do not know.
      toolFormats['anthropic-search'],
      toolFormats['anthropic-strict'],
      toolFormats.gemini,
      toolFormats.anthropic,
      toolFormats.mcp,
    ]),
  ),
});
export type ServedTools = z.infer<typeof servedTools>;

/** An OpenAPI document. */
export const openapiDocument = z.looseObject({
  openapi: z.string(),
  info: z.looseObject({ title: z.string(), version: z.string() }),
  paths: z.record(z.string(), z.unknown()),
});

/** The formats of a list of tools. */
export const listFormat = z.enum([
  'plain',
  'openai',
  'openai-responses',
  'openai-responses-search',
  'anthropic',
  'anthropic-strict',
  'anthropic-search',
  'gemini',
  'mcp',
  'openapi',
]);
export type ListFormat = z.infer<typeof listFormat>;
