import type { ClientTask } from '../../client/index.ts';
import { AttemptEnd } from '../attempt/attempt-end.ts';
import { costOf, type Prices } from '../control/prices.ts';
import type { ModelRequest } from '../model/model.ts';
import { type AttemptEnvironment, runAttempt } from './run-attempt.ts';

/** What a run asks at least: the first request of each attempt. A loop sends its conversation again each turn. */
export interface Estimate {
  readonly attempts: number;
  /** Of all first requests, by four characters a token. */
  readonly inputTokens: number;
  /** At most, where the decoding says how long a reply may be; null where it does not. */
  readonly outputTokens: number | null;
  /** Of these; null without prices. */
  readonly cost: number | null;
}

/** Builds the first request of every task and sends none. */
export async function estimateCell(
  environment: AttemptEnvironment,
  tasks: readonly ClientTask[],
  prices: Prices | null,
): Promise<Estimate> {
  let inputTokens = 0;
  let outputTokens: number | null = 0;
  const count = (request: ModelRequest) => {
    inputTokens += Math.ceil(JSON.stringify([request.prompt, request.tools]).length / 4);
    const most = request.decoding.max_tokens;
    outputTokens = most === undefined || outputTokens === null ? null : outputTokens + most;
    return Promise.reject(new AttemptEnd('out_of_budget', 'only an estimate'));
  };
  const signal = new AbortController().signal;
  for (const task of tasks) await runAttempt(task, 1, { ...environment, obtain: count }, signal);
  const { epochs } = environment.config;
  const usage = {
    input: inputTokens * epochs,
    output: (outputTokens ?? 0) * epochs,
    cached_input: 0,
    cache_write: 0,
    reasoning: 0,
  };
  return {
    attempts: tasks.length * epochs,
    inputTokens: usage.input,
    outputTokens: outputTokens === null ? null : usage.output,
    cost: costOf(usage, null, environment.model?.id ?? '', prices),
  };
}
