import { z } from 'zod';

/** How a model is to choose its words. A field that is not given is left to the provider. */
export const decoding = z.strictObject({
  temperature: z.number().min(0).max(2).optional(),
  top_p: z.number().min(0).max(1).optional(),
  top_k: z.number().int().min(1).optional(),
  max_tokens: z.number().int().positive().optional(),
  seed: z.number().int().optional(),
  stop: z.array(z.string().min(1)).max(16).optional(),
  reasoning_effort: z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh']).optional(),
  /** Whether one turn may hold several calls. */
  parallel_tool_calls: z.boolean().optional(),
  response_format: z.enum(['text', 'json']).optional(),
});
export type Decoding = z.infer<typeof decoding>;
