import { z } from 'zod';

/** The messages of a NeMo Gym resources server, as its published types are. Rows may have more fields. */

const metrics = z.record(z.string(), z.unknown());

/** A row of a data set: what the model is given, and the task. `episode` has the options of a run. */
export const row = z.looseObject({
  responses_create_params: z.looseObject({}).optional(),
  sample_id: z.string(),
  episode: z.record(z.string(), z.unknown()).optional(),
});
export type GymRow = z.output<typeof row>;

const functionCall = z.looseObject({
  type: z.literal('function_call'),
  name: z.string(),
  arguments: z.string(),
  call_id: z.string(),
});
const functionCallOutput = z.looseObject({
  type: z.literal('function_call_output'),
  call_id: z.string(),
  output: z.union([z.string(), z.array(z.unknown())]),
});
const message = z.looseObject({
  type: z.literal('message'),
  role: z.string(),
  content: z.union([z.string(), z.array(z.looseObject({ type: z.string(), text: z.string().optional() }))]),
});
const other = z.looseObject({ type: z.string() });
/** A part of what a model put out, in the Responses API of OpenAI. */
export const outputItem = z.union([functionCall, functionCallOutput, message, other]);
export type OutputItem = z.output<typeof outputItem>;
export const isCall = (item: OutputItem): item is z.output<typeof functionCall> =>
  functionCall.safeParse(item).success;
export const isCallOutput = (item: OutputItem): item is z.output<typeof functionCallOutput> =>
  functionCallOutput.safeParse(item).success;
export const isMessage = (item: OutputItem): item is z.output<typeof message> =>
  message.safeParse(item).success;

/** A rollout: a row, and the response with all that was called on the way. */
export const verifyRequest = row.extend({ response: z.looseObject({ output: z.array(outputItem) }) });
export const verifyResponse = z.looseObject({
  response: z.looseObject({}),
  reward: z.number(),
  reward_components: z.record(z.string(), z.number()),
});
export const seedResponse = z.strictObject({});
export const reverifyMode = z.enum(['stateless', 'unsupported', 'unknown']);
export type ReverifyMode = z.infer<typeof reverifyMode>;
export const metricsRequest = z.strictObject({ verify_responses: z.array(z.looseObject({})) });
export const metricsResponse = z.strictObject({
  group_level_metrics: z.array(metrics),
  agent_metrics: metrics,
  key_metrics: metrics,
});
