import { z } from 'zod';
import { runRequest } from '../../../../contracts/run.ts';
import { taskSelection } from '../../../../contracts/task-selection.ts';

/** The messages of OpenEnv's server, as its published types are. */

const anything = z.record(z.string(), z.unknown());

/**
 * What an episode is begun with. `sample_id` names its task; else it is the one at place `seed` of the stream of a
 * selection, so that each seed is another task until all have been.
 */
export const resetRequest = z.looseObject({
  seed: z.number().int().nonnegative().nullish(),
  /** Of the client's own; the episode's is the run's. */
  episode_id: z.string().max(255).nullish(),
  sample_id: z.string().optional(),
  select: taskSelection.optional(),
  /** Options of a run. */
  episode: runRequest.omit({ select: true, sample_id: true, answer_tool: true }).partial().optional(),
});
export const stepRequest = z.looseObject({
  action: anything,
  episode_id: z.string(),
  timeout_s: z.number().positive().nullish(),
  request_id: z.string().max(255).nullish(),
});
export const action = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('list_tools'), metadata: anything.optional() }),
  z.strictObject({
    type: z.literal('call_tool'),
    tool_name: z.string(),
    arguments: anything.default({}),
    metadata: anything.optional(),
  }),
]);
/** What `reset` and `step` answer. */
export const observed = z.strictObject({
  observation: anything,
  reward: z.number().nullable(),
  done: z.boolean(),
});
export type Observed = z.infer<typeof observed>;

/** Of `list_tools`, and of `call_tool`. */
export const toolsObservation = z.strictObject({
  tools: z.array(z.strictObject({ name: z.string(), description: z.string(), input_schema: anything })),
});
export const callObservation = z.strictObject({
  tool_name: z.string(),
  result: z.unknown(),
  error: z
    .strictObject({
      error_type: z.enum(['execution_error', 'invalid_args', 'transport_error', 'tool_not_found', 'timeout']),
      message: z.string(),
    })
    .nullable(),
});
export const state = z.looseObject({ episode_id: z.string().nullable(), step_count: z.number().int() });
export const health = z.strictObject({ status: z.enum(['healthy', 'unhealthy', 'degraded']) });
export const metadata = z.strictObject({
  name: z.string(),
  description: z.string(),
  readme_content: z.string().nullable(),
  version: z.string().nullable(),
  author: z.string().nullable(),
  documentation_url: z.string().nullable(),
});
export const schemas = z.strictObject({ action: anything, observation: anything, state: anything });

/** What a client sends over a WebSocket. */
export const incoming = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('reset'), data: anything.default({}) }),
  z.strictObject({ type: z.literal('step'), data: anything }),
  z.strictObject({ type: z.literal('state') }),
  z.strictObject({ type: z.literal('close') }),
  z.strictObject({ type: z.literal('mcp'), data: anything }),
]);
/** What it is sent. */
export const outgoing = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('observation'), data: observed }),
  z.strictObject({ type: z.literal('state'), data: state }),
  z.strictObject({ type: z.literal('mcp'), data: anything }),
  z.strictObject({
    type: z.literal('error'),
    data: z.looseObject({
      message: z.string(),
      code: z.enum([
        'INVALID_JSON',
        'UNKNOWN_TYPE',
        'VALIDATION_ERROR',
        'EXECUTION_ERROR',
        'CAPACITY_REACHED',
        'FACTORY_ERROR',
        'SESSION_ERROR',
      ]),
    }),
  }),
]);
export type Outgoing = z.infer<typeof outgoing>;
