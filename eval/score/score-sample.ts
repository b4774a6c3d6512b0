import type { Prediction } from '../../contracts/prediction.ts';
import type { Outcome, SampleScore, ScoreOptions } from '../../contracts/report.ts';
import type { Sample } from '../../contracts/sample.ts';
import { type AgentCall, type CallElement, isCall, isMalformed, namesOf } from '../calls/agent-call.ts';
import { replaceReferences } from '../calls/references.ts';
import type { ToolSchema, ToolUniverse } from '../calls/tool-universe.ts';
import { findArgumentFaults } from '../metrics/argument-faults.ts';
import { scoreRelevance } from '../metrics/bfcl/relevance.ts';
import { scoreCompletion } from '../metrics/completion.ts';
import { scoreCompletionLegacy } from '../metrics/completion-legacy.ts';
import { findConfusions } from '../metrics/confusions.ts';
import type { Counts } from '../metrics/counts.ts';
import { costOf, countRedundant, type PriceTable } from '../metrics/efficiency.ts';
import { classifyError } from '../metrics/error-class.ts';
import { scoreExactString } from '../metrics/exact-string.ts';
import { scoreExecution } from '../metrics/execution-accuracy.ts';
import { scoreIntent } from '../metrics/intent.ts';
import { scoreReact } from '../metrics/react.ts';
import { scoreSilentFaults } from '../metrics/silent-faults.ts';
import { type SlotSequence, scoreSlots } from '../metrics/slot.ts';
import { showSample } from './evidence.ts';
import { type FinalRows, finalRows } from './final-rows.ts';
import { goldSequence, sameSequence, startNames } from './gold-sequence.ts';
import { type Attempt, readAttempt } from './read-attempt.ts';
import type { Replay } from './replay.ts';
import { scoreBfcl } from './score-bfcl.ts';
import { scoreExecuted } from './score-executed.ts';
import { unscored } from './unscored.ts';

/** Shared context of scoring all samples. */
export interface ScoreContext {
  readonly options: ScoreOptions;
  readonly universe: ToolUniverse;
  readonly replay: Replay;
  readonly prices: PriceTable | null;
  readonly model: string | null;
  readonly constructsOf: (sample: Sample) => readonly string[];
}

export type ScoredSample = SampleScore & { readonly shown: ReturnType<typeof showSample> };

/** Scores one prediction; undefined is a sample, or one of several attempts at it, that was not run. */
export async function scoreSample(
  sample: Sample,
  prediction: Prediction | undefined,
  epoch: number,
  context: ScoreContext,
): Promise<ScoredSample> {
  const unrun = { ...unscored(sample, context.constructsOf(sample), epoch), shown: showSample(sample) };
  if (prediction === undefined) return unrun;
  const blank = { ...unrun, ...spentOn(prediction, context) };
  const attempt = readAttempt(prediction, context.options.parse, context.universe.toolsFor(sample));
  const { calls } = attempt;
  const broke = prediction.error?.trim();
  if (broke) {
    const shown = showSample(sample, { prediction, calls, note: broke });
    return { ...blank, outcome: 'infra_error', shown };
  }
  if (prediction.withheld === true) return scoreWithheld(sample, attempt, prediction, blank);

  const gold = goldSequence(sample, context.universe);
  const results = await finalRows(sample, attempt, {
    judge: context.options.judge,
    replay: context.replay,
    proven: context.options.replay === 'needed' && isGold(sample, attempt, gold, context),
  });
  const final = isCutOff(prediction) ? unanswered(results) : results;
  const unread = calls === null ? prediction.raw_output : null;
  const note = final.note ?? unread ?? prediction.end_reason ?? null;
  const shown = showSample(sample, { prediction, calls, final, note });
  if (final.broken) return { ...blank, outcome: 'infra_error', shown };

  const passes = isComplete(sample, final, context.options.legacy);
  const outcome: Outcome = passes ? 'pass' : attempt.unparseable ? 'unparseable' : 'fail';
  return {
    ...blank,
    outcome,
    rung: attempt.rung,
    strict: attempt.strict,
    execution: final.readings.some((rows) => scoreExecution(sample, rows, context.options.columns)),
    silent_faults: scoreSilentFaults(prediction, { passes: passes && final.source === 'answer' }),
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

/** All metrics of the calls; null where an answer was given without calls. */
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
    ...(failed ? explain(gold, elements, canonical, tools) : {}),
    intent: {
      prefix: triple(intent.prefix),
      position: triple(intent.position),
      multiset: triple(intent.multiset),
    },
    slot: { raw: triple(slot.raw), canonical: triple(slot.canonical), pairs: slot.pairs },
    exact_string: scoreExactString(gold.raw, attempt.calls),
    bfcl: scoreBfcl(sample, attempt.calls, gold.raw, tools),
    executed: scoreExecuted(sample, elements, final, tools),
    calls: elements.length,
    redundant_calls: countRedundant(withCanonical(elements, canonical) ?? []),
  };
}

function scoreWithheld(
  sample: Sample,
  { calls, rung, strict }: Attempt,
  prediction: Prediction,
  blank: ScoredSample,
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

function isCutOff({ out_of_budget }: Prediction): boolean {
  return out_of_budget === true;
}

/** A run that was cut off has no result, but its calls are scored. */
function unanswered(results: FinalRows): FinalRows {
  const note = 'The budget was spent without an answer.';
  return { ...results, readings: [], source: null, note, broken: false };
}

/** How a failing sample's calls differ from its gold. */
function explain(
  gold: SlotSequence,
  elements: readonly CallElement[],
  canonical: readonly AgentCall[],
  tools: ReadonlyMap<string, ToolSchema>,
): Pick<SampleScore, 'confusions' | 'argument_faults'> {
  const confusions = findConfusions(namesOf(gold.raw), namesOf(elements));
  return {
    confusions: confusions.map(({ expected, called }) => ({
      expected,
      called,
      offered: called !== null && tools.has(called),
    })),
    argument_faults: findArgumentFaults(gold.canonical, canonical, tools),
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
    cached_tokens: prediction.cached_tokens ?? null,
    reasoning_tokens: prediction.reasoning_tokens ?? null,
    cost: prediction.cost ?? costOf({ input, output }, model, prices),
  };
}

function triple({ tp, fp, fn }: Counts): [number, number, number] {
  return [tp, fp, fn];
}
