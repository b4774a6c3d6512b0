import { z } from 'zod';

/** The messages of the Open Reward Standard's HTTP protocol, as its published types are. */

const name = z.string();

export const splitRequest = z.strictObject({ split: name });
export const taskRequest = z.strictObject({ split: name, index: z.number().int() });
export const rangeRequest = z.strictObject({
  split: name,
  start: z.number().int().nullish(),
  stop: z.number().int().nullish(),
});
/** Either `task_spec`, or `split` and `index`. */
export const createRequest = z.strictObject({
  env_name: name.nullish(),
  task_spec: z.record(name, z.unknown()).nullish(),
  split: name.nullish(),
  index: z.number().int().nullish(),
  secrets: z.record(name, z.string()).nullish(),
});
export const callRequest = z.strictObject({
  name,
  input: z.record(name, z.unknown()),
  task_id: z.string().nullish(),
});

export const status = z.strictObject({ status: z.literal('ok') });
export const session = z.strictObject({ sid: z.string() });
export const split = z.strictObject({ name, type: z.enum(['train', 'validation', 'test']) });
export const taskSpec = z.record(name, z.unknown());
export const textBlock = z.strictObject({
  text: z.string(),
  detail: z.record(name, z.unknown()).nullable(),
  type: z.literal('text'),
});
export const toolOutput = z.strictObject({
  blocks: z.array(textBlock),
  metadata: z.record(name, z.unknown()).nullable(),
  reward: z.number().nullable(),
  finished: z.boolean(),
});
/** What the stream of a call ends with. */
export const callResult = z.discriminatedUnion('ok', [
  z.strictObject({ ok: z.literal(true), output: toolOutput }),
  z.strictObject({ ok: z.literal(false), error: z.string() }),
]);
export type CallResult = z.infer<typeof callResult>;
export const listedTools = z.strictObject({
  tools: z.array(
    z.strictObject({ name, description: z.string(), input_schema: z.record(name, z.unknown()).nullable() }),
  ),
});
