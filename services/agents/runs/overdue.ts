import type { RunRecord } from './run-records.ts';

/**
 * A run as it is at a time (milliseconds since 1970): an open one whose seconds were over before then is out of
 * budget, since the moment they were over.
 */
export function overdue(run: RunRecord, now: number): RunRecord {
  const { status, started_at, budget } = run;
  if (status !== 'open' || started_at === null || budget.seconds === undefined) return run;
  const over = started_at + budget.seconds * 1000;
  if (now < over) return run;
  return { ...run, status: 'out_of_budget', end_reason: 'seconds', ended_at: Math.round(over) };
}
