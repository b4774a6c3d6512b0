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

/** A tool in each format. */
export const toolFormats = {
  plain: z.object({ name: z.string(), description: z.string(), parameters: jsonSchema }),
  openai: z.object({ type: z.literal('function'), function: functionSchema }),
  'openai-responses': functionSchema.extend({ type: z.literal('function') }),
  anthropic: z.object({ name: z.string(), description: z.string(), input_schema: jsonSchema }),
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
  size: z.number().int(),
  /** Not in a run: it would tell that tools are missing. */
  toolset_size: z.number().int().optional(),
  /** sha256 of the list, the same in every format. */
  checksum: z.string(),
  /** Not in a run. */
  options: listOptions.optional(),
  /** Of an obfuscated list, or one of an exam, with the harness key: what its tools are called in truth, in its order. */
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
export const listFormat = z.enum(['plain', 'openai', 'openai-responses', 'anthropic', 'mcp', 'openapi']);
export type ListFormat = z.infer<typeof listFormat>;
