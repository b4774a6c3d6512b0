import { z } from 'zod';

/** What can be varied about how an agent asks, beside its budget and the list of tools. */
export const agentSettings = z.strictObject({
  /** Whether the model is told the question's evidence. */
  evidence: z.boolean().default(false),
  /** How tools are written into a prompt. */
  tool_style: z.enum(['authors', 'openai', 'openapi']).default('authors'),
  /** `direct`: whether tools stand in the prompt, or in the request's own field. */
  tools_in: z.enum(['prompt', 'field']).default('prompt'),
  /** `direct`: `nested` asks for one expression in place of a list of calls. */
  reply: z.enum(['calls', 'nested']).default('calls'),
  /** Characters of an answer that a model is shown. */
  max_tool_output: z.number().int().min(200).default(16_000),
  /** What becomes of a call whose arguments are no JSON object: told to the model, or the end of the attempt. */
  on_bad_arguments: z.enum(['observe', 'fail']).default('observe'),
  /** SLOT and SEL: rows that an answer previews. */
  preview: z.number().int().min(0).max(100).optional(),
  /** The system message of `tools`, `mcp` and `structured`, in place of the built-in one. */
  system: z.string().optional(),
  /** `nl2sql`, `sql-react`: what the model is told of the database. */
  schema: z.enum(['ddl', 'ddl+descriptions']).default('ddl+descriptions'),
  /** `nl2sql`, `sql-react`: rows of each table that are shown. */
  sample_rows: z.number().int().min(0).max(20).default(0),
  /** Worked examples in a prompt; drawn by the experiment's seed. */
  shots: z.number().int().min(0).max(10).optional(),
});
export type AgentSettings = z.infer<typeof agentSettings>;
