import type { RunBudget } from '../../contracts/run.ts';
import type { RunRecord } from './run-records.ts';

export type RunPart = keyof RunBudget;

export interface RunUse {
  readonly calls: number;
  readonly bytes: number;
  /** Milliseconds since 1970; null before the first request. */
  readonly startedAt: number | null;
  readonly now: number;
}

/** The part of a budget that is used up, of those that matter; null when there is none. */
export function spentPart(budget: RunBudget, use: RunUse, parts: readonly RunPart[]): RunPart | null {
  const seconds = use.startedAt === null ? 0 : (use.now - use.startedAt) / 1000;
  const used: Readonly<Record<RunPart, number>> = { calls: use.calls, bytes: use.bytes, seconds };
  return parts.find((part) => used[part] >= (budget[part] ?? Number.POSITIVE_INFINITY)) ?? null;
}

/** A sentence on why a run takes no more calls. */
export function whyOver({ status, end_reason, budget }: RunRecord): string {
  if (status === 'answered') return 'The run is over: its answer has been given.';
  const part = end_reason as RunPart;
  return `The run is over: its budget of ${budget[part]} ${part} is spent.`;
}
