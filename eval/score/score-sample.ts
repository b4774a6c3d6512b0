import type { Prediction } from '../../contracts/prediction.ts';
import type { Outcome, SampleScore } from '../../contracts/report.ts';
import type { Sample } from '../../contracts/sample.ts';
import type { AnswerVerdict } from '../../contracts/served-gold.ts';
import { judgeAnswer, judgeRows } from '../answer/judge-answer.ts';
import { isCall, isMalformed } from '../calls/agent-call.ts';
import { type ReferenceNames, replaceReferences } from '../calls/references.ts';
import { scoreRelevance } from '../metrics/bfcl/relevance.ts';
import { scoreCompletionLegacy } from '../metrics/completion-legacy.ts';
import { costOf } from '../metrics/efficiency.ts';
import { scoreExecution } from '../metrics/execution-accuracy.ts';
import { scoreSilentFaults } from '../metrics/silent-faults.ts';
import type { SlotSequence } from '../metrics/slot.ts';
import { showSample } from './evidence.ts';
import { type FinalRows, finalRows } from './final-rows.ts';
import { goldSequence, sameSequence, startNames, withoutExtraRepeats } from './gold-sequence.ts';
import { inBaseCalls } from './in-base-calls.ts';
import { type ParsedAttempt, readAttempt } from './read-attempt.ts';
import type { ScoreContext } from './score-context.ts';
import { scoreHybrid } from './score-hybrid.ts';
import { endingOf, isCutOff, scoreTrajectory } from './score-trajectory.ts';
import { unscored } from './unscored.ts';

export type ScoredSample = SampleScore & { readonly shown: ReturnType<typeof showSample> };

/** Scores one prediction; undefined is a sample, or one of several attempts at it, that was not run. */
export async function scoreSample(
  sample: Sample,
  prediction: Prediction | undefined,
  epoch: number,
  context: ScoreContext,
): Promise<ScoredSample> {
  const unrun = unscored(sample, context.goldFactsOf(sample), epoch);
  if (prediction === undefined) return { ...unrun, shown: showSample(sample) };
  const tools = context.universe.toolsFor(sample);
  const attempt = inBaseCalls(readAttempt(prediction, context.options.parse, tools), sample, tools);
  const ended_by = endingOf(prediction, attempt);
  const blank = { ...unrun, ...spentOn(prediction, context), ended_by };
  const { calls } = attempt;
  if (ended_by === 'error') {
    const broke = prediction.error?.trim() || prediction.end_reason || 'The run broke.';
    const shown = showSample(sample, { prediction, calls, note: broke });
    return { ...blank, outcome: 'infra_error', shown };
  }
  if (prediction.withheld === true) return scoreWithheld(sample, attempt, prediction, blank);

  const gold = goldSequence(sample, context.universe);
  // What a repeated call answers is no further column of the result.
  const names = { ...startNames(sample, context.universe), handles: [] };
  const single = calls === null ? null : withoutExtraRepeats(calls, gold, names);
  const once = single === null ? attempt : { ...attempt, calls: single.kept };
  const results = await finalRows(sample, once, {
    judge: context.options.judge,
    replay: context.replay,
    isProven: () => context.options.replay === 'needed' && isGold(once, gold, names),
  });
  const ofAll = <T>(list: readonly (T | null)[]) =>
    list.length === 0 ? [] : (single?.places ?? []).map((place) => list[place] ?? null);
  const played = { ...results, handles: ofAll(results.handles), refusals: ofAll(results.refusals) };
  const final = isCutOff(prediction) ? unanswered(played, prediction) : played;
  const unread = calls === null ? prediction.raw_output : null;
  const note = final.note ?? unread ?? prediction.end_reason ?? null;
  const shown = showSample(sample, { prediction, calls, final, note });
  if (final.broken) return { ...blank, outcome: 'infra_error', shown };

  const { fair: passes, strict: passes_strictly } = verdictOn(sample, attempt, final, context.options.legacy);
  const outcome: Outcome = passes ? 'pass' : attempt.unparseable ? 'unparseable' : 'fail';
  return {
    ...blank,
    outcome,
    passes_strictly,
    rung: attempt.rung,
    strict: attempt.strict,
    execution: context.onlyRewards
      ? null
      : final.readings.some((rows) => scoreExecution(sample, rows, context.options.columns)),
    hybrid: scoreHybrid(sample, prediction, final),
    silent_faults: scoreSilentFaults(prediction, { passes: passes && final.source === 'answer' }),
    ...scoreTrajectory(sample, prediction, { attempt, gold, final, failed: !passes, ended_by }, context),
    shown,
  };
}

function scoreWithheld(
  sample: Sample,
  { calls, rung, strict }: ParsedAttempt,
  prediction: Prediction,
  blank: SampleScore,
): ScoredSample {
  const right = !isCutOff(prediction) && scoreRelevance(calls);
  return {
    ...blank,
    withheld: true,
    outcome: right ? 'pass' : 'fail',
    rung,
    strict,
    relevance: right,
    calls: calls?.length ?? 0,
    shown: showSample(sample, { prediction, calls }),
  };
}

/** A run that was cut off has no result, but its calls are scored. */
function unanswered(results: FinalRows, { ended_by }: Prediction): FinalRows {
  const note =
    ended_by == null
      ? 'The budget was spent without an answer.'
      : `Ended without an answer: ${ended_by.replaceAll('_', ' ')}.`;
  return { ...results, readings: [], source: null, note, broken: false };
}

function verdictOn(
  sample: Sample,
  { answer }: ParsedAttempt,
  { source, readings }: FinalRows,
  legacy: boolean,
): AnswerVerdict {
  if (legacy) {
    const passes = scoreCompletionLegacy(sample.gold_answer, readings);
    return { strict: passes, fair: passes };
  }
  if (source === 'answer' && answer !== undefined) return judgeAnswer(sample, answer);
  const [rows] = readings;
  return rows === undefined ? { strict: false, fair: false } : judgeRows(sample, rows);
}

function isGold({ calls }: Pick<ParsedAttempt, 'calls'>, gold: SlotSequence, names: ReferenceNames): boolean {
  if (calls === null || calls.some(isMalformed)) return false;
  return sameSequence(gold.canonical, replaceReferences(calls.filter(isCall), names));
}

/** What the attempt took, as the prediction tells. */
export function spentOn(prediction: Prediction, { prices, model }: ScoreContext): Partial<SampleScore> {
  const [input, output] = [prediction.input_tokens ?? null, prediction.output_tokens ?? null];
  return {
    loops: prediction.loops ?? null,
    latency_s: prediction.latency_s ?? null,
    input_tokens: input,
    output_tokens: output,
    cached_tokens: prediction.cached_tokens ?? null,
    reasoning_tokens: prediction.reasoning_tokens ?? null,
    cost: prediction.cost ?? costOf({ input, output }, model, prices),
  };
}
