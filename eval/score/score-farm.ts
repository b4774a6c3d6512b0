import type { Sample } from '../../contracts/sample.ts';
import { isInDefaultSelection, isOfDialogue } from '../../contracts/task.ts';
import type { Replay } from '../attempt/attempt.ts';
import type { ToolUniverse } from '../calls/tool-universe.ts';
import type { Predictions, ScoredFarm } from '../farm/read-farm.ts';
import { summarizeDialogues } from '../metrics/dialogues.ts';
import { countOutcomes, summarizeErrors, summarizeFailures } from '../metrics/failures.ts';
import { computeFigures, countEach, groupBy } from '../metrics/figures.ts';
import { isTask, passed } from '../metrics/metrics.ts';
import { REPORT_FORMAT, type Report, type SampleScore, type ScoreOptions } from '../metrics/report.ts';
import {
  summarizeGroups,
  summarizeMetrics,
  summarizeRepeated,
  summarizeSelections,
} from '../metrics/summary.ts';
import type { PriceTable } from '../metrics/trajectory.ts';
import { scoreComposed } from './score-composed.ts';
import { type ScoreContext, type ScoredSample, scoreSample } from './score-sample.ts';

export const DEFAULT_OPTIONS: ScoreOptions = {
  parse: 'lenient',
  columns: 'exact',
  judge: 'answer',
  legacy: false,
  replay: 'needed',
  selection: 'default',
  budget: 10,
  seed: 1,
  resamples: 1000,
};

export interface ScoreInput {
  readonly farm: ScoredFarm;
  readonly predictions: Predictions;
  readonly universe: ToolUniverse;
  readonly replay: Replay;
  readonly options?: Partial<ScoreOptions>;
  readonly prices?: PriceTable;
  /** Preselects samples, before `options.selection`; all by default. */
  readonly choose?: (sample: Sample) => boolean;
  /** Called after each sample with the number done and the total. */
  readonly onProgress?: (done: number, total: number) => void;
}

/** Samples scored concurrently: a slow replay in a child process does not delay the others. */
const CONCURRENCY = 8;

/** Scores a prediction file against a farm. The same input gives the same report on every machine. */
export async function scoreFarm(input: ScoreInput): Promise<Report> {
  const { farm, predictions } = input;
  const options = { ...DEFAULT_OPTIONS, ...input.options };
  const context: ScoreContext = {
    options,
    universe: input.universe,
    replay: input.replay,
    prices: input.prices ?? null,
    model: predictions.header.model ?? null,
    goldFactsOf: farm.goldFactsOf,
  };
  const choose = input.choose ?? (() => true);
  const { byId } = farm;
  const composed = composedJobs(predictions, byId, choose, context);
  const isAttempted = ({ sample_id }: Sample) =>
    predictions.attempts.has(sample_id) || predictions.withheld.has(sample_id);
  // A file of composed tasks need not cover single samples.
  const owed = farm.samples.filter(
    (sample) => choose(sample) && (isAttempted(sample) || (composed.length === 0 && !isOfDialogue(sample))),
  );
  const guessable = owed.filter((sample) => !isInDefaultSelection(sample));
  const knowsAll = options.selection === 'all' || guessable.length === 0 || guessable.some(isAttempted);
  const chosen = [
    ...(knowsAll ? owed : owed.filter(isInDefaultSelection)),
    ...farm.unanswerable.filter((sample) => choose(sample) && isAttempted(sample)),
  ];
  const epochs = epochsOf(predictions);
  const jobs = chosen.flatMap((sample) => {
    const attempts = predictions.attempts.get(sample.sample_id);
    const withheld = predictions.withheld.get(sample.sample_id) ?? [];
    return [...epochs.map((epoch) => [epoch, attempts?.get(epoch)] as const), ...withheld].map(
      ([epoch, prediction]) =>
        () =>
          scoreSample(sample, prediction, epoch, context),
    );
  });
  const scored = withPairs(await runAll([...jobs, ...composed], input.onProgress ?? (() => {})), byId);
  const samples =
    options.selection === 'all'
      ? scored
      : scored.filter((each) => each.parts !== null || isInDefaultSelection(each));
  const toolsOf = (id: string) => (byId.get(id)?.output ?? []).map(({ name }) => name);
  const dueTools = ({ sample_id, parts }: SampleScore) =>
    parts === null
      ? toolsOf(sample_id)
      : parts.filter(({ expects }) => expects === 'answer').flatMap((part) => toolsOf(part.sample_id));
  const tasks = samples.filter(isTask);
  return {
    format: REPORT_FORMAT,
    farm: {
      name: farm.farm.name,
      split: farm.farm.split.name,
      hash: farm.hash,
      generator_version: farm.farm.generator_version,
      samples: farm.samples.length,
      world: farm.farm.world ?? null,
      content_hash: farm.farm.split.content_hash,
      renamed: farm.farm.renamed ?? null,
      vectors: farm.farm.vectors ?? null,
    },
    run: predictions.header,
    options,
    ledger: countOutcomes(tasks),
    selections: summarizeSelections(scored, { guessable: guessable.length, knowsAll }, options),
    metrics: summarizeMetrics(samples, options, predictions.header.category ?? null),
    repeated: summarizeRepeated(samples, options),
    error_classes: summarizeErrors(tasks),
    failures: summarizeFailures(tasks, dueTools),
    parsing: summarizeParsing(samples, options),
    groups: summarizeGroups(samples, options),
    samples,
    dialogues: summarizeDialogues(samples),
    worlds: null,
  };
}

/** Puts at the first of the tasks of each pair whether all of them are passed, for each attempt. */
function withPairs(samples: readonly ScoredSample[], farm: ReadonlyMap<string, Sample>): ScoredSample[] {
  const pairOf = ({ sample_id }: ScoredSample) => farm.get(sample_id)?.pair;
  const pairs = groupBy(
    samples.filter((sample) => pairOf(sample) !== undefined),
    (sample) => JSON.stringify([sample.db, sample.epoch, pairOf(sample)]),
  );
  const firsts = new Map([...pairs.values()].map((pair) => [pair[0], pair]));
  return samples.map((sample) => {
    const pair = firsts.get(sample) ?? [];
    if (pair.length < 2) return sample;
    return { ...sample, pair_passes: pair.every(passed) };
  });
}

/** Every attempt at a composed task whose samples are all selected. */
function composedJobs(
  { composed }: Predictions,
  samples: ReadonlyMap<string, Sample>,
  choose: (sample: Sample) => boolean,
  context: ScoreContext,
): (() => Promise<ScoredSample>)[] {
  return [...composed.values()].flatMap((epochs) =>
    [...epochs].flatMap(([epoch, prediction]) => {
      const parts = [...(prediction.parts ?? prediction.turns ?? [])].map(({ sample_id }) =>
        samples.get(sample_id),
      );
      const isChosen = parts.every((part) => part !== undefined && choose(part));
      return isChosen ? [() => scoreComposed(prediction, samples, epoch, context)] : [];
    }),
  );
}

/** The epochs that each sample should have: up to the highest in the file. */
function epochsOf({ attempts }: Predictions): number[] {
  let most = 1;
  for (const epochs of attempts.values()) most = Math.max(most, ...epochs.keys());
  return Array.from({ length: most }, (_, i) => i + 1);
}

function summarizeParsing(samples: readonly SampleScore[], options: ScoreOptions): Report['parsing'] {
  const parsed = samples.filter(({ strict }) => strict !== null);
  const rungs = Object.fromEntries(countEach(parsed.map(({ rung }) => rung ?? 'none')));
  const { shares } = computeFigures(parsed, { strict: ({ strict }) => strict }, {}, options);
  return { n: parsed.length, rungs, strict: shares.strict };
}

async function runAll(
  jobs: readonly (() => Promise<ScoredSample>)[],
  onProgress: (done: number, total: number) => void,
): Promise<ScoredSample[]> {
  const results = new Array<ScoredSample>(jobs.length);
  let [next, done] = [0, 0];
  const work = async () => {
    while (next < jobs.length) {
      const index = next++;
      results[index] = await (jobs[index] as () => Promise<ScoredSample>)();
      onProgress(++done, jobs.length);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  return results;
}
