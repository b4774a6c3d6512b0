import type { Category } from '../../contracts/category.ts';
import { ENDINGS } from '../../contracts/error-classes.ts';
import type { Report, SampleScore } from '../../contracts/report.ts';
import { computeFigures, meanOf, type Resampling, spreadOf, type SampleTest } from './figures.ts';
import { wasJudged } from './ledger.ts';
import { summarizeCategory } from './summarize-category.ts';
import { summarizeHybrid } from './summarize-hybrid.ts';
import { summarizeQueryTool } from './summarize-query-tool.ts';
import { summarizeSilentFaults } from './summarize-silent-faults.ts';

/** A scored sample, and how long its calls took. */
export type FiguredSample = SampleScore & {
  readonly shown: { readonly transcript: readonly { readonly latency_ms?: number | null | undefined }[] };
};

/** Every figure over the samples of one scoring. Samples with the gold tool withheld count for relevance only. */
export function summarizeMetrics(
  samples: readonly FiguredSample[],
  resampling: Resampling,
  category: Category | null = null,
): Report['metrics'] {
  const tasks = samples.filter(({ withheld }) => !withheld);
  const withheld = samples.filter((sample) => sample.withheld);
  const completion = completionOf(tasks);
  const { shares, f1Scores } = computeFigures(
    tasks,
    { ...SHARES, ...ENDED_BY, completion, completion_strict: strictOf(completion) },
    F1_SCORES,
    resampling,
  );
  const relevance = computeFigures(withheld, { relevance: ({ relevance }) => relevance }, {}, resampling);
  const judged = tasks.filter(wasJudged);
  return {
    completion: shares.completion,
    completion_strict: shares.completion_strict,
    completion_of_run: shares.completion_of_run,
    completion_without_infra_errors: shares.completion_without_infra_errors,
    intent: { prefix: f1Scores.prefix, position: f1Scores.position, multiset: f1Scores.multiset },
    slot: {
      raw: f1Scores.raw,
      canonical: f1Scores.canonical,
      pairs: tasks.reduce((sum, { slot }) => sum + (slot?.pairs ?? 0), 0),
    },
    execution_accuracy: shares.execution_accuracy,
    exact_string: shares.exact_string,
    bfcl: { faithful: shares.bfcl_faithful, fixed: shares.bfcl_fixed, error_types: countErrorTypes(tasks) },
    executed: {
      exact: shares.executed_exact,
      real_time: shares.executed_real_time,
      structural: shares.executed_structural,
      rest: shares.executed_rest,
    },
    relevance: relevance.shares.relevance,
    category: category === null ? null : summarizeCategory(category, tasks, resampling),
    query: summarizeQueryTool(tasks, resampling),
    hybrid: summarizeHybrid(tasks, resampling),
    silent_faults: summarizeSilentFaults(tasks, resampling),
    ended_by: Object.fromEntries(ENDINGS.map((end) => [end, shares[`ended_${end}`]])),
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
      cached_tokens: meanOf(samples, ({ cached_tokens }) => cached_tokens),
      reasoning_tokens: meanOf(samples, ({ reasoning_tokens }) => reasoning_tokens),
      latency_s: spreadOf(samples.flatMap(({ latency_s }) => latency_s ?? [])),
      call_latency_ms: spreadOf(
        samples.flatMap(({ shown }) => shown.transcript.flatMap(({ latency_ms }) => latency_ms ?? [])),
      ),
      cost: meanOf(samples, ({ cost }) => cost),
      ...summarizeCosts(samples),
    },
  };
}

function summarizeCosts(samples: readonly SampleScore[]) {
  const known = samples.flatMap((sample) => (sample.cost === null ? [] : [{ ...sample, cost: sample.cost }]));
  const sumOf = (of: (sample: (typeof known)[number]) => number) =>
    known.reduce((sum, each) => sum + of(each), 0);
  if (known.length === 0) return { total_cost: null, cost_per_1000_calls: null, cost_per_pass: null };
  const total = sumOf(({ cost }) => cost);
  const calls = sumOf((sample) => sample.calls ?? 0);
  const withCalls = sumOf((sample) => (sample.calls === null ? 0 : sample.cost));
  const passes = known.filter((sample) => passed(sample) && !sample.withheld).length;
  return {
    total_cost: total,
    cost_per_1000_calls: calls === 0 ? null : (withCalls / calls) * 1000,
    cost_per_pass: passes === 0 ? null : total / passes,
  };
}

/** Over every sample, run or not; over none when none was run, since nothing is known of the agent then. */
export function completionOf(samples: readonly SampleScore[]): SampleTest {
  const isRun = samples.some(({ outcome }) => outcome !== 'not_run');
  return isRun ? passed : () => null;
}

/** The same samples, by the strict verdict. */
function strictOf(completion: SampleTest): SampleTest {
  return (sample) => (completion(sample) === null ? null : sample.passes_strictly === true);
}

const passed = ({ outcome }: SampleScore) => outcome === 'pass';

/** As the paper counts. */
const completionOfRun: SampleTest = (sample) => (sample.outcome === 'not_run' ? null : passed(sample));

const ENDED_BY = Object.fromEntries(
  ENDINGS.map((end): [string, SampleTest] => [
    `ended_${end}`,
    (sample) => (wasJudged(sample) ? sample.ended_by === end : null),
  ]),
) as Record<`ended_${(typeof ENDINGS)[number]}`, SampleTest>;

const SHARES = {
  completion_of_run: completionOfRun,
  completion_without_infra_errors: (sample) => (wasJudged(sample) ? passed(sample) : null),
  execution_accuracy: ({ execution }) => execution,
  exact_string: ({ exact_string }) => exact_string,
  bfcl_faithful: ({ bfcl }) => (bfcl === null ? null : bfcl.faithful === 'ok'),
  bfcl_fixed: ({ bfcl }) => (bfcl === null ? null : bfcl.fixed === 'ok'),
  executed_exact: ({ executed }) => (executed === null ? null : executed.exact === 'ok'),
  executed_real_time: ({ executed }) => (executed === null ? null : executed.real_time === 'ok'),
  executed_structural: ({ executed }) => (executed === null ? null : executed.structural === 'ok'),
  executed_rest: ({ executed }) => (executed === null ? null : executed.rest === 'ok'),
  out_of_budget: ({ out_of_budget }) => out_of_budget,
  stuck_name: ({ stuck_name }) => stuck_name,
  stuck_exact: ({ stuck_exact }) => stuck_exact,
  unclassified: ({ unclassified }) => unclassified,
} satisfies Record<string, SampleTest>;

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
