import { expect, test } from 'vitest';
import { z } from 'zod';
import { servedFarm } from '../../tests/support/served-farm.ts';
import { inspectLog } from './inspect-log.ts';

const served = servedFarm();

const free = z.record(z.string(), z.unknown());
const usage = z.object({ input_tokens: z.number(), output_tokens: z.number(), total_tokens: z.number() });
const message = z.discriminatedUnion('role', [
  z.object({ role: z.literal('user'), content: z.string() }),
  z.object({
    role: z.literal('assistant'),
    content: z.string(),
    tool_calls: z
      .array(z.object({ id: z.string(), function: z.string(), arguments: free, type: z.literal('function') }))
      .optional(),
  }),
  z.object({ role: z.literal('tool'), content: z.string(), tool_call_id: z.string(), function: z.string() }),
]);

/** What the schema that Inspect publishes beside its viewer requires of an `EvalLog`, as far as a run has it. */
const evalLog = z.object({
  version: z.literal(2),
  status: z.enum(['started', 'success', 'cancelled', 'error']),
  invalidated: z.boolean(),
  tags: z.array(z.string()),
  metadata: free,
  eval: z.object({
    created: z.iso.datetime(),
    task: z.string(),
    task_args: free,
    task_args_passed: free,
    task_attribs: free,
    dataset: z.object({ samples: z.number(), sample_ids: z.array(z.string()) }),
    model: z.string(),
    model_args: free,
    config: free,
  }),
  plan: z.object({
    name: z.string(),
    steps: z.array(z.object({ solver: z.string(), params: free, params_passed: free })),
    config: free,
  }),
  results: z.object({
    total_samples: z.number(),
    completed_samples: z.number(),
    scores: z.array(
      z.object({
        name: z.string(),
        scorer: z.string(),
        params: free,
        metrics: z.record(z.string(), z.object({ name: z.string(), value: z.number(), params: free })),
      }),
    ),
  }),
  stats: z.object({
    started_at: z.string(),
    completed_at: z.string(),
    model_usage: z.record(z.string(), usage),
    role_usage: free,
    connection_limit_history: z.array(z.unknown()),
  }),
  samples: z.array(
    z.object({
      id: z.string(),
      epoch: z.number(),
      input: z.string(),
      target: z.string(),
      messages: z.array(message),
      output: z.object({
        model: z.string(),
        completion: z.string(),
        choices: z.array(z.unknown()).length(1),
      }),
      scores: z.record(
        z.string(),
        z.object({ value: z.enum(['C', 'I']), answer: z.string(), history: z.array(z.unknown()) }),
      ),
      metadata: free,
      store: free,
      events: z.array(z.unknown()),
      model_usage: z.record(z.string(), usage),
      role_usage: free,
      attachments: free,
    }),
  ),
});

test.each([
  ['half', 'tools', {}],
  ['malformed', 'tools', {}],
  ['gold', 'react', {}],
  ['gold', 'tools', { category: 'parallel_multiple' as const }],
])('a run of mock/%s as %s is a log of Inspect, version 2', async (script, agent, more) => {
  const { header, records, report } = await served.run({
    agent,
    model: `mock/${script}`,
    formulation: 'rest',
    select: { sample: 6, seed: 2 },
    ...more,
  });
  const log = evalLog.parse(JSON.parse(JSON.stringify(inspectLog(header, records, report))));
  expect(log.samples).toHaveLength(6);
  const passed = log.samples.filter(({ scores }) => scores.completion?.value === 'C').length;
  expect(passed).toBe(report.ledger.pass);
  expect(log.results.scores[0]?.metrics.accuracy?.value).toBe(report.metrics.completion.value);
  for (const { messages } of log.samples) {
    const called = messages.flatMap((each) => (each.role === 'assistant' ? (each.tool_calls ?? []) : []));
    const answered = messages.flatMap((each) => (each.role === 'tool' ? [each.tool_call_id] : []));
    expect(answered).toEqual(called.map(({ id }) => id));
  }
});
