import type { Prediction } from '../../contracts/prediction.ts';
import type { Outcome, SampleScore, ScoreOptions } from '../../contracts/report.ts';
import type { Sample } from '../../contracts/sample.ts';
import { type CallElement, isCall, isMalformed, namesOf } from '../calls/agent-call.ts';
import { replaceReferences } from '../calls/references.ts';
import type { ToolUniverse } from '../calls/tool-universe.ts';
import { scoreRelevance } from '../metrics/bfcl/relevance.ts';
import { scoreCompletion } from '../metrics/completion.ts';
import { scoreCompletionLegacy } from '../metrics/completion-legacy.ts';
import type { Counts } from '../metrics/counts.ts';
import { costOf, countRedundant, type PriceTable } from '../metrics/efficiency.ts';
import { classifyError } from '../metrics/error-class.ts';
import { scoreExactString } from '../metrics/exact-string.ts';
import { scoreExecution } from '../metrics/execution-accuracy.ts';
import { scoreIntent } from '../metrics/intent.ts';
import { scoreReact } from '../metrics/react.ts';
import { type SlotSequence, scoreSlots } from '../metrics/slot.ts';
import { showSample } from './evidence.ts';
import { type FinalRows, finalRows } from './final-rows.ts';
import { goldSequence, sameSequence, startNames } from './gold-sequence.ts';
import { type Attempt, readAttempt } from './read-attempt.ts';
import type { Replay } from './replay.ts';
import { scoreBfcl } from './score-bfcl.ts';
import { unscored } from './unscored.ts';

/** What holds for all samples of one scoring. */
export interface ScoreContext {
  readonly options: ScoreOptions;
  readonly universe: ToolUniverse;
  readonly replay: Replay;
  readonly prices: PriceTable | null;
  readonly model: string | null;
  readonly constructsOf: (sample: Sample) => readonly string[];
}

export type ScoredSample = SampleScore & { readonly shown: ReturnType<typeof showSample> };

/** Scores one prediction; undefined is a sample that was not run. */
export async function scoreSample(
  sample: Sample,
  prediction: Prediction | undefined,
  context: ScoreContext,
): Promise<ScoredSample> {
  const blank = {
    ...unscored(sample, context.constructsOf(sample)),
    shown: showSample(sample, null, null, null),
  };
  if (prediction === undefined) return blank;
  const spent = spentOn(prediction, context);
  if (prediction.error != null) {
    return {
      ...blank,
      ...spent,
      outcome: 'infra_error',
      shown: showSample(sample, null, null, prediction.error),
    };
  }
  const attempt = readAttempt(prediction, context.options.parse, context.universe.toolsFor(sample));
  if (prediction.withheld === true) {
    return scoreWithheld(sample, attempt, isCutOff(prediction), { ...blank, ...spent });
  }

  const gold = goldSequence(sample, context.universe);
  const results = await finalRows(sample, attempt, {
    judge: context.options.judge,
    replay: context.replay,
    proven: context.options.replay === 'needed' && isGold(sample, attempt, gold, context),
  });
  const final = isCutOff(prediction) ? unanswered(results) : results;
  const note = final.note ?? (attempt.calls === null ? (prediction.raw_output ?? null) : null);
  const shown = showSample(sample, attempt.calls, final, note);
  if (final.broken) return { ...blank, ...spent, outcome: 'infra_error', shown };

  const passes = isComplete(sample, final, context.options.legacy);
  const outcome: Outcome = passes ? 'pass' : attempt.unparseable ? 'unparseable' : 'fail';
  return {
    ...blank,
    ...spent,
    outcome,
    rung: attempt.rung,
    strict: attempt.strict,
    execution: final.readings.some((rows) => scoreExecution(sample, rows, context.options.columns)),
    ...scoreTrajectory(sample, prediction, { attempt, gold, final, failed: !passes }, context),
    shown,
  };
}

interface Judged {
  readonly attempt: Attempt;
  readonly gold: SlotSequence;
  readonly final: FinalRows;
  readonly failed: boolean;
}

/** Everything that looks at the calls; nothing where an answer was given without any. */
function scoreTrajectory(
  sample: Sample,
  prediction: Prediction,
  judged: Judged,
  context: ScoreContext,
): Partial<SampleScore> {
  const { attempt, gold, final, failed } = judged;
  const answered = attempt.answer !== undefined;
  const known = attempt.calls !== null || !answered;
  const react = scoreReact(
    {
      failed,
      answered,
      loops: prediction.loops ?? null,
      cutOff: isCutOff(prediction),
      calls: known ? (attempt.calls ?? []) : null,
    },
    context.options.budget,
  );
  if (!known) return react;
  const elements = attempt.calls ?? [];
  const names = { ...startNames(sample, context.universe), handles: final.handles };
  const raw = elements.filter(isCall);
  const canonical = replaceReferences(raw, names);
  const tools = context.universe.toolsFor(sample);
  const offered = prediction.tools == null ? null : new Set(prediction.tools);
  const intent = scoreIntent(namesOf(gold.raw), namesOf(elements));
  const slot = scoreSlots(gold, { raw, canonical }, tools);
  return {
    ...react,
    error_class: failed
      ? classifyError({
          gold: gold.canonical,
          predicted: withCanonical(attempt.calls, canonical),
          tools,
          offered,
        })
      : null,
    intent: {
      prefix: triple(intent.prefix),
      position: triple(intent.position),
      multiset: triple(intent.multiset),
    },
    slot: { raw: triple(slot.raw), canonical: triple(slot.canonical), pairs: slot.pairs },
    exact_string: scoreExactString(gold.raw, attempt.calls),
    bfcl: scoreBfcl(sample, attempt.calls, gold.raw, tools),
    calls: elements.length,
    redundant_calls: countRedundant(withCanonical(elements, canonical) ?? []),
  };
}

function scoreWithheld(sample: Sample, attempt: Attempt, cutOff: boolean, blank: ScoredSample): ScoredSample {
  const right = !cutOff && scoreRelevance(attempt.calls);
  return {
    ...blank,
    withheld: true,
    outcome: right ? 'pass' : 'fail',
    rung: attempt.rung,
    strict: attempt.strict,
    relevance: right,
    calls: attempt.calls?.length ?? 0,
    shown: showSample(sample, attempt.calls, null, null),
  };
}

function isCutOff({ out_of_budget }: Prediction): boolean {
  return out_of_budget === true;
}

/** Of the results of a run that was cut off nothing counts; its calls are looked at all the same. */
function unanswered({ handles }: FinalRows): FinalRows {
  return {
    readings: [],
    source: null,
    note: 'The budget was spent without an answer.',
    handles,
    broken: false,
  };
}

function isComplete(sample: Sample, final: FinalRows, legacy: boolean): boolean {
  return legacy
    ? scoreCompletionLegacy(sample.gold_answer, final.readings)
    : scoreCompletion(sample, final.readings);
}

function isGold(sample: Sample, { calls }: Attempt, gold: SlotSequence, { universe }: ScoreContext): boolean {
  if (calls === null || calls.some(isMalformed)) return false;
  const canonical = replaceReferences(calls.filter(isCall), { ...startNames(sample, universe), handles: [] });
  return sameSequence(gold.canonical, canonical);
}

/** The elements with their well-formed calls, in order, replaced by the canonical ones. */
function withCanonical(
  elements: readonly CallElement[] | null,
  canonical: readonly CallElement[],
): CallElement[] | null {
  let next = 0;
  return elements?.map((element) => (isCall(element) ? (canonical[next++] as CallElement) : element)) ?? null;
}

function spentOn(prediction: Prediction, { prices, model }: ScoreContext): Partial<SampleScore> {
  const [input, output] = [prediction.input_tokens ?? null, prediction.output_tokens ?? null];
  return {
    loops: prediction.loops ?? null,
    latency_s: prediction.latency_s ?? null,
    input_tokens: input,
    output_tokens: output,
    cost: costOf({ input, output }, model, prices),
  };
}

function triple({ tp, fp, fn }: Counts): [number, number, number] {
  return [tp, fp, fn];
}
