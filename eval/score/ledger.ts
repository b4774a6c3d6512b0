import type { Ledger, SampleScore } from '../../contracts/report.ts';

/** The number of samples by outcome. */
export function countOutcomes(samples: readonly SampleScore[]): Ledger {
  const ledger = { pass: 0, fail: 0, unparseable: 0, infra_error: 0, not_run: 0, total: samples.length };
  for (const sample of samples) ledger[sample.outcome]++;
  return ledger;
}

/** Whether the agent finished, right or wrong; all metrics except completion only count such samples. */
export function wasJudged({ outcome: end }: SampleScore): boolean {
  return end === 'pass' || end === 'fail' || end === 'unparseable';
}
