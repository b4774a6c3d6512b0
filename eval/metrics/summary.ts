import type { Category } from '../../contracts/prediction.ts';
import {
  type Estimate,
  type Group,
  goldKind,
  type PartScore,
  type Report,
  type SampleScore,
  type Selections,
  type Share,
} from '../../contracts/report.ts';
import { formulation } from '../../contracts/sample.ts';
import { isInDefaultSelection } from '../../contracts/task.ts';
import { ENDINGS } from '../../contracts/vocabulary.ts';
import { countOutcomes, wasJudged } from './completion.ts';
import {
  computeFigures,
  meanOf,
  percentileInterval,
  questionKey,
  type Resampling,
  resample,
  type SampleTest,
  type Sums,
  spreadOf,
} from './figures.ts';
import { summarizeHybrid } from './hybrid.ts';
import { summarizeQueryTool } from './query-tool.ts';
import { summarizeSilentFaults } from './silent-faults.ts';

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

/** What a category is about beside whole tasks: their parts, turns without a call, and whether anything was called. */
export function summarizeCategory(
  name: Category,
  tasks: readonly SampleScore[],
  resampling: Resampling,
): Report['metrics']['category'] {
  const judged = tasks.filter(wasJudged);
  const parts = (expects: PartScore['expects']) =>
    judged.flatMap((task) =>
      (task.parts ?? [])
        .filter((part) => part.expects === expects)
        .map(({ passes }) => ({ ...task, passes })),
    );
  const share = <T extends SampleScore>(of: readonly T[], verdict: (each: T) => boolean) => {
    const verdicts = new Map<SampleScore, boolean>(of.map((each) => [each, verdict(each)]));
    return computeFigures(of, { share: (each) => verdicts.get(each) ?? null }, {}, resampling).shares.share;
  };
  return {
    name,
    parts: share(parts('answer'), ({ passes }) => passes),
    no_call: share(parts('no_call'), ({ passes }) => passes),
    some_call: share(name === 'relevance' ? judged : [], ({ calls }) => (calls ?? 0) > 0),
  };
}

/** Completion without the samples that are guessable, and with them where that is known. */
export function summarizeSelections(
  scored: readonly SampleScore[],
  { guessable, knowsAll }: { readonly guessable: number; readonly knowsAll: boolean },
  resampling: Resampling,
): Selections {
  const tasks = scored.filter(({ withheld }) => !withheld);
  const completion = (members: readonly SampleScore[]): Share =>
    computeFigures(members, { completion: completionOf(members) }, {}, resampling).shares.completion;
  return {
    guessable,
    default: completion(tasks.filter(isInDefaultSelection)),
    all: knowsAll ? completion(tasks) : null,
  };
}

/**
 * pass@k and pass^k where samples were attempted several times; null where each was attempted once. Of a sample with n
 * attempts of which c passed, k drawn without replacement all fail with C(n−c, k) / C(n, k), and all pass with
 * C(c, k) / C(n, k) (Chen et al. 2021, arXiv 2107.03374; Yao et al. 2024, arXiv 2406.12045); the mean over samples.
 * Only samples of which every attempt was run are counted. Attempts that broke are left out: k is of the others, over the samples that have as many.
 */
export function summarizeRepeated(all: readonly SampleScore[], resampling: Resampling): Report['repeated'] {
  const tasks = all.filter(({ withheld }) => !withheld);
  const epochs = tasks.reduce((most, { epoch }) => Math.max(most, epoch), 1);
  if (epochs === 1) return null;
  const attempts = new Map<string, { question: string; passes: number; n: number; broken: number }>();
  for (const sample of tasks) {
    if (sample.outcome === 'not_run') continue;
    const question = questionKey(sample.db, sample.question_id);
    const known = attempts.get(sample.sample_id) ?? { question, passes: 0, n: 0, broken: 0 };
    if (sample.outcome === 'infra_error') known.broken++;
    else known.n++;
    if (sample.outcome === 'pass') known.passes++;
    attempts.set(sample.sample_id, known);
  }
  const run = [...attempts.values()].filter(({ n, broken }) => n + broken === epochs);
  const estimate = (k: number, of: (passes: number, n: number) => number): Estimate => {
    const enough = run.filter(({ n }) => n >= k);
    const questions = new Map<string, Sums>();
    for (const { question, passes, n } of enough) {
      const sums = questions.get(question) ?? new Float64Array(2);
      questions.set(
        question,
        sums.map((sum, i) => sum + (i === 0 ? of(passes, n) : 1)),
      );
    }
    const mean = (sums: Sums) => ((sums[1] ?? 0) === 0 ? null : (sums[0] as number) / (sums[1] as number));
    const total = [...questions.values()].reduce(
      (a, b) => a.map((sum, i) => sum + (b[i] as number)),
      new Float64Array(2),
    );
    const redraws = resample([...questions.values()], resampling.resamples, resampling.seed);
    return { value: mean(total), n: enough.length, ci: percentileInterval(redraws.map(mean)) };
  };
  const at = Array.from({ length: epochs }, (_, i) => i + 1).map((k) => ({
    k,
    any: estimate(k, (passes, n) => 1 - chance(n - passes, n, k)),
    all: estimate(k, (passes, n) => chance(passes, n, k)),
  }));
  const infra_errors = run.reduce((sum, { broken }) => sum + broken, 0);
  return { epochs, samples: run.length, infra_errors, at };
}

/** C(some, k) / C(n, k): that k drawn of n are all among `some`. */
function chance(some: number, n: number, k: number): number {
  let product = 1;
  for (let i = 0; i < k; i++) product *= Math.max(0, some - i) / (n - i);
  return product;
}

/** The main figures by formulation, domain, difficulty, SQL construct, number of gold calls and kind of gold answer. */
export function summarizeGroups(all: readonly SampleScore[], resampling: Resampling): Report['groups'] {
  const samples = all.filter(({ withheld }) => !withheld);
  const by = (keysOf: (sample: SampleScore) => readonly string[], order: (a: string, b: string) => number) =>
    groupBy(samples, keysOf)
      .sort(([a], [b]) => order(a, b))
      .map(([key, members]) => toGroup(key, members, resampling));
  return {
    formulation: by((sample) => [sample.formulation], inOrder(formulation.options)),
    domain: by(({ db }) => [db], alphabetical),
    difficulty: by(({ difficulty }) => [difficulty ?? 'unknown'], inOrder(DIFFICULTIES)),
    construct: by(({ constructs }) => constructs, alphabetical),
    gold_calls: by(
      ({ gold_calls }) => [lengthClass(gold_calls)],
      (a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10),
    ),
    gold_kind: by(({ gold_kind }) => [gold_kind], inOrder(goldKind.options)),
    gold_sql: by(
      ({ findings }) => (findings.length === 0 ? ['clean'] : ['doubtful', ...findings]),
      inOrder(['clean', 'doubtful']),
    ),
  };
}

/** As the public splits name them. */
const DIFFICULTIES = ['easy', 'simple', 'medium', 'moderate', 'complex', 'hard', 'challenging', 'extra'];

/** Long sequences are rare, so they share a group. */
function lengthClass(calls: number): string {
  if (calls <= 10) return String(calls);
  return calls <= 15 ? '11–15' : calls <= 20 ? '16–20' : '21+';
}

function toGroup(key: string, members: readonly SampleScore[], resampling: Resampling): Group {
  const { shares } = computeFigures(members, { completion: completionOf(members) }, {}, resampling);
  // Intervals of the F1 scores of every group would cost more than all other scoring, for figures that are hardly used.
  const { f1Scores } = computeFigures(members, {}, GROUP_F1_SCORES, { ...resampling, resamples: 0 });
  const { completion } = shares;
  const few = members.length < FEW;
  return {
    key,
    ledger: countOutcomes(members),
    few,
    completion,
    intent: f1Scores.intent,
    slot: f1Scores.slot,
  };
}

/** Below this, a share moves by more than ten points with each sample. */
const FEW = 10;

const GROUP_F1_SCORES = {
  intent: ({ intent }: SampleScore) => intent?.prefix ?? null,
  slot: ({ slot }: SampleScore) => slot?.canonical ?? null,
};

function groupBy(
  samples: readonly SampleScore[],
  keysOf: (sample: SampleScore) => readonly string[],
): [string, SampleScore[]][] {
  const groups = new Map<string, SampleScore[]>();
  for (const sample of samples) {
    for (const key of keysOf(sample)) {
      const members = groups.get(key);
      if (members === undefined) groups.set(key, [sample]);
      else members.push(sample);
    }
  }
  return [...groups];
}

function alphabetical(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The known ones first, in order. */
function inOrder(known: readonly string[]): (a: string, b: string) => number {
  const rank = (key: string) => (known.includes(key) ? known.indexOf(key) : known.length);
  return (a, b) => rank(a) - rank(b) || alphabetical(a, b);
}
