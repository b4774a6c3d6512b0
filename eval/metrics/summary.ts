import { LEVELS } from '../../contracts/difficulty.ts';
import type { Category } from '../../contracts/prediction.ts';
import { formulation } from '../../contracts/sample.ts';
import { isInDefaultSelection } from '../../contracts/task.ts';
import { alphabetical, countOutcomes, wasJudged } from './failures.ts';
import {
  computeFigures,
  countEach,
  type Estimate,
  groupBy,
  meanOf,
  percentileInterval,
  questionKey,
  type Resampling,
  resample,
  type SampleTest,
  type Share,
  type Sums,
  spreadOf,
} from './figures.ts';
import { summarizeHybrid } from './hybrid.ts';
import {
  type FiguredSample,
  type FigureOf,
  flatMetrics,
  isMetric,
  isTask,
  METRICS,
  type Metric,
  type Metrics,
  type PartScore,
  passed,
} from './metrics.ts';
import { summarizeQueryTool } from './query-tool.ts';
import { type Group, goldKind, type Report, type SampleScore, type Selections } from './report.ts';
import { summarizeSilentFaults } from './silent-faults.ts';

/** All figures over the samples of one scoring. Those that are no task (`isTask`) have figures of their own only. */
export function summarizeMetrics(
  samples: readonly FiguredSample[],
  resampling: Resampling,
  category: Category | null = null,
): Report['metrics'] {
  const tasks = samples.filter(isTask);
  const members = {
    tasks,
    judged: tasks.filter(wasJudged),
    withheld: samples.filter(({ withheld }) => withheld),
    unanswerable: samples.filter(({ unanswerable }) => unanswerable !== null),
    all: samples,
  };
  const { ended_by, react, efficiency, ...figures } = summarize(METRICS, members, resampling);
  return {
    ...figures,
    slot: { ...figures.slot, pairs: tasks.reduce((sum, { slot }) => sum + (slot?.pairs ?? 0), 0) },
    bfcl: { ...figures.bfcl, error_types: countErrorTypes(tasks) },
    category: category === null ? null : summarizeCategory(category, tasks, resampling),
    query: summarizeQueryTool(tasks, resampling),
    hybrid: summarizeHybrid(tasks, resampling),
    silent_faults: summarizeSilentFaults(tasks, resampling),
    ended_by,
    react,
    efficiency: { ...efficiency, ...summarizeCosts(samples) },
  };
}

type Members = Readonly<Record<NonNullable<Metric['over']>, readonly FiguredSample[]>>;

/** The figures of a group of metrics. Shares and F1 scores over the same samples share their resamples. */
function summarize<M extends Metrics>(metrics: M, members: Members, resampling: Resampling): FigureOf<M> {
  const isRun = members.tasks.some(({ outcome }) => outcome !== 'not_run');
  const flat = flatMetrics(metrics);
  const figures = new Map<string, unknown>();
  for (const over of ['tasks', 'judged', 'withheld', 'unanswerable', 'all'] as const) {
    const own = flat.filter(([, metric]) => (metric.over ?? 'tasks') === over);
    const shares = own.flatMap(([path, { kind, of, whenRun }]) =>
      kind === 'share' ? [[path, whenRun && !isRun ? () => null : of] as const] : [],
    );
    const f1Scores = own.flatMap(([path, { kind, of }]) => (kind === 'f1' ? [[path, of] as const] : []));
    const samples = members[over];
    if (shares.length + f1Scores.length > 0) {
      const made = computeFigures(
        samples,
        Object.fromEntries(shares),
        Object.fromEntries(f1Scores),
        resampling,
      );
      for (const [path, figure] of Object.entries({ ...made.shares, ...made.f1Scores }))
        figures.set(path, figure);
    }
    for (const [path, { kind, of }] of own) {
      if (kind === 'mean') figures.set(path, meanOf(samples, of));
      if (kind === 'spread') figures.set(path, spreadOf(samples.flatMap(of)));
    }
  }
  const nest = (group: Metrics, within: string): object =>
    Object.fromEntries(
      Object.entries(group).map(([name, each]) => [
        name,
        isMetric(each) ? figures.get(within + name) : nest(each, `${within}${name}.`),
      ]),
    );
  return nest(metrics, '') as FigureOf<M>;
}

function summarizeCosts(samples: readonly SampleScore[]) {
  const known = samples.flatMap((sample) => (sample.cost === null ? [] : [{ ...sample, cost: sample.cost }]));
  const sumOf = (of: (sample: (typeof known)[number]) => number) =>
    known.reduce((sum, each) => sum + of(each), 0);
  if (known.length === 0) return { total_cost: null, cost_per_1000_calls: null, cost_per_pass: null };
  const total = sumOf(({ cost }) => cost);
  const calls = sumOf((sample) => sample.calls ?? 0);
  const withCalls = sumOf((sample) => (sample.calls === null ? 0 : sample.cost));
  const passes = known.filter((sample) => passed(sample) && isTask(sample)).length;
  return {
    total_cost: total,
    cost_per_1000_calls: calls === 0 ? null : (withCalls / calls) * 1000,
    cost_per_pass: passes === 0 ? null : total / passes,
  };
}

/** Over all samples, run or not; over none if none was run, since nothing is known about the agent then. */
export function completionOf(samples: readonly SampleScore[]): SampleTest {
  const isRun = samples.some(({ outcome }) => outcome !== 'not_run');
  return isRun ? passed : () => null;
}

function countErrorTypes(samples: readonly SampleScore[]): Record<string, number> {
  const types = samples.flatMap(({ bfcl }) => bfcl?.faithful ?? []);
  const counts = countEach(types.filter((type) => type !== 'ok'));
  return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Figures specific to a category: parts, turns without a call, and whether anything was called. */
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

/** Completion without guessable samples and, if known, with them. */
export function summarizeSelections(
  scored: readonly SampleScore[],
  { guessable, knowsAll }: { readonly guessable: number; readonly knowsAll: boolean },
  resampling: Resampling,
): Selections {
  const tasks = scored.filter(isTask);
  const completion = (members: readonly SampleScore[]): Share =>
    computeFigures(members, { completion: completionOf(members) }, {}, resampling).shares.completion;
  return {
    guessable,
    default: completion(tasks.filter(isInDefaultSelection)),
    all: knowsAll ? completion(tasks) : null,
  };
}

/**
 * pass@k and pass^k if samples were attempted several times, else null. For a sample with n attempts of which
 * c passed, k drawn without replacement all fail with probability C(n−c, k) / C(n, k), and all pass with C(c,
 * k) / C(n, k) (Chen et al. 2021, arXiv 2107.03374; Yao et al. 2024, arXiv 2406.12045); averaged over
 * samples. Only samples whose attempts were all run are counted. Broken attempts are excluded: k counts the
 * others, over the samples that have at least k.
 */
export function summarizeRepeated(all: readonly SampleScore[], resampling: Resampling): Report['repeated'] {
  const tasks = all.filter(isTask);
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

/** C(some, k) / C(n, k): the probability that k drawn of n are all among `some`. */
function chance(some: number, n: number, k: number): number {
  let product = 1;
  for (let i = 0; i < k; i++) product *= Math.max(0, some - i) / (n - i);
  return product;
}

/** The main figures by formulation, domain, difficulty, SQL construct, number of gold calls and kind of gold answer. */
export function summarizeGroups(all: readonly SampleScore[], resampling: Resampling): Report['groups'] {
  const samples = all.filter(isTask);
  const by = (
    keysOf: (sample: SampleScore) => readonly string[],
    order: (a: string, b: string) => number,
  ) => {
    const keyed = samples.flatMap((sample) => keysOf(sample).map((key) => ({ key, sample })));
    const groups = [...groupBy(keyed, ({ key }) => key)].sort(([a], [b]) => order(a, b));
    return groups.map(([key, all]) => {
      const members = all.map(({ sample }) => sample);
      return toGroup(key, members, resampling);
    });
  };
  return {
    formulation: by((sample) => [sample.formulation], inOrder(formulation.options)),
    domain: by(({ db }) => [db], alphabetical),
    difficulty: by(({ difficulty }) => [difficulty ?? 'unknown'], inOrder(DIFFICULTIES)),
    level: by(({ level }) => (level === null ? [] : [level]), inOrder(LEVELS)),
    construct: by(({ constructs }) => constructs, alphabetical),
    gold_calls: by(({ gold_calls }) => [lengthClass(gold_calls)], byNumber),
    depth: by(({ shape }) => (shape === null ? [] : [lengthClass(shape.depth)]), byNumber),
    width: by(({ shape }) => (shape === null ? [] : [lengthClass(shape.width)]), byNumber),
    parameters: by(({ shape }) => (shape === null ? [] : [lengthClass(shape.parameters)]), byNumber),
    gold_kind: by(({ gold_kind }) => [gold_kind], inOrder(goldKind.options)),
    gold_sql: by(
      ({ findings }) => (findings.length === 0 ? ['clean'] : ['doubtful', ...findings]),
      inOrder(['clean', 'doubtful']),
    ),
  };
}

/** The names used by public splits. */
const DIFFICULTIES = ['easy', 'simple', 'medium', 'moderate', 'complex', 'hard', 'challenging', 'extra'];

/** Long sequences are rare, so they share a group. */
function lengthClass(length: number): string {
  if (length <= 10) return String(length);
  return length <= 15 ? '11–15' : length <= 20 ? '16–20' : '21+';
}

function toGroup(key: string, members: readonly SampleScore[], resampling: Resampling): Group {
  const { shares } = computeFigures(members, { completion: completionOf(members) }, {}, resampling);
  // Intervals for the F1 scores of every group would cost more than all other scoring, and are hardly used.
  const { f1Scores } = computeFigures(members, {}, GROUP_F1_SCORES, { ...resampling, resamples: 0 });
  return { key, ledger: countOutcomes(members), few: members.length < FEW, ...shares, ...f1Scores };
}

/** Below this, a share moves by more than ten points with each sample. */
const FEW = 10;

const GROUP_F1_SCORES = {
  intent: ({ intent }: SampleScore) => intent?.prefix ?? null,
  slot: ({ slot }: SampleScore) => slot?.canonical ?? null,
};

function byNumber(a: string, b: string): number {
  return Number.parseInt(a, 10) - Number.parseInt(b, 10);
}

/** Known values first, in order. */
function inOrder(known: readonly string[]): (a: string, b: string) => number {
  const rank = (key: string) => (known.includes(key) ? known.indexOf(key) : known.length);
  return (a, b) => rank(a) - rank(b) || alphabetical(a, b);
}
