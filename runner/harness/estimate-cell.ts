import type { ClientTask } from '../../client/index.ts';
import { FORMULATIONS } from '../../contracts/formulations.ts';
import type { Sample } from '../../contracts/sample.ts';
import type { ListOptions } from '../../contracts/toolset-options.ts';
import { AttemptEnd, isAttainable, limitsFor, type NeededCalls } from '../attempt/budget.ts';
import type { RunTask } from '../categories/composition.ts';
import { costOf, type Prices } from '../control/spending.ts';
import type { ModelRequest } from '../models/model.ts';
import { type AttemptEnvironment, runAttempt } from './run-attempt.ts';

/** Assumed number of gold calls if the gold is unknown: that of a long sequence. */
const LONG_CHAIN = 30;

/** Number of calls that a task takes without detours. Without `gold`, or gold calls, a long sequence is assumed. */
export function neededCalls(
  { sample_id, formulation, composition }: RunTask,
  { via }: Pick<ListOptions, 'via'>,
  gold: ((sampleId: string) => Sample) | null,
): NeededCalls {
  const unknown = FORMULATIONS[formulation].calls === 'single' ? 1 : LONG_CHAIN;
  // Finding a tool by search takes an additional call.
  const each = via === 'list' ? 1 : 2;
  const callsOf = (id: string) => each * (gold?.(id).output.length || unknown);
  const parts = (composition?.parts ?? [{ sample_id }]).map((part) => callsOf(part.sample_id));
  const all = parts.reduce((sum, calls) => sum + calls, 0);
  return { turn: composition?.dialogue === undefined ? all : Math.max(...parts), all };
}

/** The share of tasks that a perfect model can complete; null if no fixed budget restricts it. */
export function ceilingOf(
  tasks: readonly RunTask[],
  { agent, config: { budget, list }, gold, knowsGold }: AttemptEnvironment,
): number | null {
  const isFixed = budget.loops !== 'task' || budget.calls !== 'task';
  if (!isFixed || !knowsGold || agent.callsByTurn !== true) return null;
  const needs = tasks.map((task) => neededCalls(task, list, gold));
  return needs.filter((need) => isAttainable(limitsFor(budget, need), need)).length / needs.length;
}

/** Lower bound of a run's usage: the first request of each attempt. Later turns resend the conversation. */
export interface Estimate {
  readonly attempts: number;
  /** Of all first requests, at four characters per token. */
  readonly inputTokens: number;
  /** Upper bound if the decoding limits the length of replies; else null. */
  readonly outputTokens: number | null;
  /** Cost of these; null without prices. */
  readonly cost: number | null;
}

/** Builds the first request of every task without sending it. */
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
