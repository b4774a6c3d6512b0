import type { Prediction } from '../../contracts/prediction.ts';
import { formulation, type Sample } from '../../contracts/sample.ts';
import { judgeRows } from '../answer/judge-answer.ts';
import { judgeDiff } from '../answer/judge-diff.ts';
import { type Replay, readAttempt } from '../attempt/attempt.ts';
import { type AgentCall, isCall, isMalformed } from '../calls/calls.ts';
import { type JsonObject, plain } from '../json/lossless.ts';
import { scoreCompletionLegacy } from '../metrics/failures.ts';
import type { WorldsReport } from '../metrics/report.ts';
import type { ScoreInput } from './score-farm.ts';

export interface JudgingWorld {
  /** The kept samples with their gold in this world, by id. */
  readonly samples: ReadonlyMap<string, Sample>;
  readonly replay: Replay;
}

export interface JudgeWorldsInput
  extends Pick<ScoreInput, 'farm' | 'predictions' | 'universe' | 'replay' | 'onProgress'> {
  readonly worlds: readonly JudgingWorld[];
  readonly options: { readonly parse: 'strict' | 'lenient'; readonly legacy: boolean };
  /** The attempts that passed on the farm itself. */
  readonly passes: readonly { readonly sample_id: string; readonly epoch: number }[];
}

type JudgedPass = WorldsReport['samples'][number];

/**
 * Replays the calls of passes in every world: a pass is robust if they give the gold rows in each world that
 * keeps the sample, and lucky otherwise. An answer without calls cannot be right in another world. Passes of
 * samples that no world keeps are not judged, nor are changes where calls do not say how the agent chose them.
 */
export async function judgeWorlds(input: JudgeWorldsInput): Promise<WorldsReport> {
  const { farm, worlds, passes } = input;
  const samples = new Map(farm.samples.map((sample) => [sample.sample_id, sample]));
  const judged: JudgedPass[] = [];
  for (const [i, { sample_id, epoch }] of passes.entries()) {
    const sample = samples.get(sample_id);
    if (!sample) throw new Error(`${sample_id} is not of this farm`);
    const prediction = input.predictions.attempts.get(sample_id)?.get(epoch);
    judged.push({ sample_id, epoch, ...(await judgePass(sample, prediction, input)) });
    input.onProgress?.(i + 1, passes.length);
  }
  const counted = judged.filter((each) => each.worlds > 0);
  const of = (sample_id: string) => samples.get(sample_id) as Sample;
  const group = (key: string, members: readonly JudgedPass[]) => ({
    key,
    passes: members.length,
    lucky: members.filter(isLucky).length,
  });
  const constructs = [
    ...new Set(counted.flatMap(({ sample_id }) => farm.goldFactsOf(of(sample_id)).constructs)),
  ].sort();
  return {
    worlds: worlds.length,
    ...group('all', counted),
    not_judged: judged.length - counted.length,
    formulations: formulation.options
      .map((kind) =>
        group(
          kind,
          counted.filter(({ sample_id }) => of(sample_id).formulation === kind),
        ),
      )
      .filter((each) => each.passes > 0),
    constructs: constructs.map((key) =>
      group(
        key,
        counted.filter(({ sample_id }) => farm.goldFactsOf(of(sample_id)).constructs.includes(key)),
      ),
    ),
    samples: judged,
  };
}

export function isLucky({ worlds, right }: JudgedPass): boolean {
  return right < worlds;
}

/** The number of worlds that judge a pass, and of those in which its calls are right. */
export async function judgePass(
  sample: Sample,
  prediction: Prediction | undefined,
  { universe, replay, worlds, options }: Pick<JudgeWorldsInput, 'universe' | 'replay' | 'worlds' | 'options'>,
): Promise<Pick<JudgedPass, 'worlds' | 'right'>> {
  const calls = prediction && readAttempt(prediction, options.parse, universe.toolsFor(sample)).calls;
  const isPlayable = calls && calls.length > 0 && !calls.some(isMalformed);
  const made = isPlayable ? calls.filter(isCall).map(toCall) : [];
  // What a run read decides which records its changes name.
  const before = sample.gold_diff && isPlayable ? await replay(sample, made) : null;
  let [kept, right] = [0, 0];
  for (const world of worlds) {
    const here = world.samples.get(sample.sample_id);
    if (!here) continue;
    if (!isPlayable) {
      kept++;
      continue;
    }
    const result = await world.replay(here, made, before?.answered);
    if (here.gold_diff) {
      const { passes } = judgeDiff(here.gold_diff, result.diff ?? []);
      // It may have chosen a record by what it saw, or computed a value from that. A key that it never saw is a guess.
      if (passes || before?.guessed) kept++;
      if (passes) right++;
      continue;
    }
    kept++;
    if ('error' in result) continue;
    const isRight = options.legacy
      ? scoreCompletionLegacy(here.gold_answer, [result.rows])
      : judgeRows(here, result.rows).fair;
    if (isRight) right++;
  }
  return { worlds: kept, right };
}

function toCall({ name, arguments: args, label }: AgentCall) {
  return { name, arguments: plain(args) as JsonObject, ...(label === null ? {} : { label }) };
}
