import type { RunBudget } from '../../../contracts/run.ts';
import type { RunRecord } from './run-records.ts';

/** What a run uses up by its calls; its seconds pass without them. */
export type CountedPart = Exclude<keyof RunBudget, 'seconds'>;

/** The part of a budget that is used up, of those that matter; null when there is none. */
export function exhaustedPart(
  budget: RunBudget,
  used: Readonly<Record<CountedPart, number>>,
  parts: readonly CountedPart[],
): CountedPart | null {
  return parts.find((part) => used[part] >= (budget[part] ?? Number.POSITIVE_INFINITY)) ?? null;
}

/** A sentence on why a run takes no more calls. */
export function endMessage({ status, end_reason, budget }: RunRecord): string {
  if (status === 'answered') return 'The run is over: its answer has been given.';
  const part = end_reason as keyof RunBudget;
  return `The run is over: its budget of ${budget[part]} ${part} is spent.`;
}
