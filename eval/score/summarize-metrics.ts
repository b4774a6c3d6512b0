import type { Report, SampleScore } from '../../contracts/report.ts';
import { computeFigures, meanOf, type Resampling, type Verdict } from './figures.ts';
import { wasJudged } from './ledger.ts';

/** Every figure over the samples of one scoring. Samples with the gold tool withheld count for relevance only. */
export function summarizeMetrics(samples: readonly SampleScore[], resampling: Resampling): Report['metrics'] {
  const tasks = samples.filter(({ withheld }) => !withheld);
  const withheld = samples.filter((sample) => sample.withheld);
  const { shares, f1Scores } = computeFigures(tasks, SHARES, F1_SCORES, resampling);
  const relevance = computeFigures(withheld, { relevance: ({ relevance }) => relevance }, {}, resampling);
  const costs = samples.flatMap(({ cost }) => cost ?? []);
  const judged = tasks.filter(wasJudged);
  return {
    completion: shares.completion,
    completion_without_infra_errors: shares.completion_without_infra_errors,
    completion_of_all: shares.completion_of_all,
    intent: { prefix: f1Scores.prefix, position: f1Scores.position, multiset: f1Scores.multiset },
    slot: {
      raw: f1Scores.raw,
      canonical: f1Scores.canonical,
      pairs: tasks.reduce((sum, { slot }) => sum + (slot?.pairs ?? 0), 0),
    },
    execution_accuracy: shares.execution_accuracy,
    exact_string: shares.exact_string,
    bfcl: { faithful: shares.bfcl_faithful, fixed: shares.bfcl_fixed, error_types: countErrorTypes(tasks) },
    relevance: relevance.shares.relevance,
    react: {
      loops: meanOf(judged, ({ loops }) => loops),
      out_of_budget: shares.out_of_budget,
      stuck_name: shares.stuck_name,
      stuck_exact: shares.stuck_exact,
      unclassified: shares.unclassified,
    },
    efficiency: {
      calls: meanOf(judged, ({ calls }) => calls),
      gold_calls: meanOf(judged, ({ calls, gold_calls }) => (calls === null ? null : gold_calls)),
      redundant_calls: meanOf(judged, ({ redundant_calls }) => redundant_calls),
      input_tokens: meanOf(samples, ({ input_tokens }) => input_tokens),
      output_tokens: meanOf(samples, ({ output_tokens }) => output_tokens),
      latency_s: meanOf(samples, ({ latency_s }) => latency_s),
      cost: meanOf(samples, ({ cost }) => cost),
      total_cost: costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0),
    },
  };
}

const passed = ({ outcome }: SampleScore) => outcome === 'pass';

/** The paper counts all that was run; what was not run is in nobody's denominator unless asked for by name. */
export const completionOfRun: Verdict = (sample) => (sample.outcome === 'not_run' ? null : passed(sample));

const SHARES = {
  completion: completionOfRun,
  completion_without_infra_errors: (sample) => (wasJudged(sample) ? passed(sample) : null),
  completion_of_all: passed,
  execution_accuracy: ({ execution }) => execution,
  exact_string: ({ exact_string }) => exact_string,
  bfcl_faithful: ({ bfcl }) => (bfcl === null ? null : bfcl.faithful === 'ok'),
  bfcl_fixed: ({ bfcl }) => (bfcl === null ? null : bfcl.fixed === 'ok'),
  out_of_budget: ({ out_of_budget }) => out_of_budget,
  stuck_name: ({ stuck_name }) => stuck_name,
  stuck_exact: ({ stuck_exact }) => stuck_exact,
  unclassified: ({ unclassified }) => unclassified,
} satisfies Record<string, Verdict>;

const F1_SCORES = {
  prefix: ({ intent }: SampleScore) => intent?.prefix ?? null,
  position: ({ intent }: SampleScore) => intent?.position ?? null,
  multiset: ({ intent }: SampleScore) => intent?.multiset ?? null,
  raw: ({ slot }: SampleScore) => slot?.raw ?? null,
  canonical: ({ slot }: SampleScore) => slot?.canonical ?? null,
};

function countErrorTypes(samples: readonly SampleScore[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const { bfcl } of samples) {
    if (bfcl !== null && bfcl.faithful !== 'ok')
      counts.set(bfcl.faithful, (counts.get(bfcl.faithful) ?? 0) + 1);
  }
  return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
}
