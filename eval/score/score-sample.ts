import type { Cell, Row } from '../../contracts/catalog.ts';
import { printShare } from '../../contracts/hybrid.ts';
import type { AnswerVerdict } from '../../contracts/judgement.ts';
import type { EndedBy, Prediction } from '../../contracts/prediction.ts';
import type {
  GoldKind,
  HybridFailure,
  HybridScore,
  Outcome,
  SampleScore,
  ScoreOptions,
} from '../../contracts/report.ts';
import type { Sample } from '../../contracts/sample.ts';
import { judgeAnswer, judgeRows } from '../answer/judge-answer.ts';
import { inBaseCalls, type ParsedAttempt, readAttempt } from '../attempt/attempt.ts';
import { type FinalRows, finalRows, type Replay } from '../attempt/final-rows.ts';
import { scoreRelevance } from '../bfcl/check.ts';
import { type AgentCall, type CallElement, isCall, isMalformed, namesOf } from '../calls/agent-call.ts';
import { orderAsGold, type ReferenceNames, replaceReferences } from '../calls/references.ts';
import type { ToolSchema, ToolUniverse } from '../calls/tool-universe.ts';
import type { GoldFacts } from '../farm/read-farm.ts';
import { scoreBfcl, scoreExecuted } from '../metrics/bfcl.ts';
import { scoreCompletionLegacy } from '../metrics/completion.ts';
import { scoreCredit } from '../metrics/credit.ts';
import { costOf, countRedundant, type PriceTable } from '../metrics/efficiency.ts';
import { classifyError } from '../metrics/error-class.ts';
import { scoreExactString } from '../metrics/exact-string.ts';
import { scoreExecution } from '../metrics/execution-accuracy.ts';
import { findArgumentFaults, findConfusions } from '../metrics/failures.ts';
import type { Counts } from '../metrics/figures.ts';
import { scoreIntent } from '../metrics/intent.ts';
import { scoreQueryTool } from '../metrics/query-tool.ts';
import { scoreReact } from '../metrics/react.ts';
import { scoreSilentFaults } from '../metrics/silent-faults.ts';
import {
  goldSequence,
  type SlotSequence,
  sameSequence,
  scoreSlots,
  startNames,
  withoutExtraRepeats,
} from '../metrics/slot.ts';
import { showSample } from './evidence.ts';

/** Shared context of scoring all samples. */
export interface ScoreContext {
  readonly options: ScoreOptions;
  readonly universe: ToolUniverse;
  readonly replay: Replay;
  readonly prices: PriceTable | null;
  readonly model: string | null;
  readonly goldFactsOf: (sample: Sample) => GoldFacts;
  /** Only what rewards are made of is computed of the calls; the rest stays null. */
  readonly onlyRewards?: boolean;
}

/** The kind of a gold answer: informative rows, or one of the answers that many wrong calls also give. */
export function goldKindOf({ gold_answer: rows }: Pick<Sample, 'gold_answer'>): GoldKind {
  if (rows.length === 0) return 'empty';
  if (rows.every((row) => row.every((cell) => cell === null))) return 'null';
  return rows.length === 1 && rows[0]?.length === 1 && rows[0][0] === 0 ? 'zero' : 'telling';
}

/** A sample that was not scored: `not_run`, with null for every metric. */
export function unscored(sample: Sample, { constructs, findings }: GoldFacts, epoch = 1): SampleScore {
  return {
    sample_id: sample.sample_id,
    db: sample.dataset_name,
    formulation: sample.formulation,
    question_id: sample.question_id,
    difficulty: sample.difficulty,
    constructs: [...constructs],
    findings: [...findings],
    flags: sample.flags,
    gold_calls: sample.output.length,
    gold_kind: goldKindOf(sample),
    epoch,
    withheld: false,
    outcome: 'not_run',
    passes_strictly: null,
    error_class: null,
    rung: null,
    strict: null,
    relevance: null,
    confusions: [],
    argument_faults: [],
    intent: null,
    slot: null,
    credit: null,
    execution: null,
    exact_string: null,
    bfcl: null,
    executed: null,
    silent_faults: null,
    query: null,
    hybrid: null,
    parts: null,
    ended_by: 'not_run',
    out_of_budget: null,
    stuck_name: null,
    stuck_exact: null,
    unclassified: null,
    calls: null,
    redundant_calls: null,
    loops: null,
    latency_s: null,
    input_tokens: null,
    output_tokens: null,
    cached_tokens: null,
    reasoning_tokens: null,
    cost: null,
  };
}

export interface Judged {
  readonly attempt: ParsedAttempt;
  readonly gold: SlotSequence;
  readonly final: FinalRows;
  readonly failed: boolean;
  readonly ended_by: SampleScore['ended_by'];
}

/** All metrics of the calls; null where an answer was given without calls. */
export function scoreTrajectory(
  sample: Sample,
  prediction: Prediction,
  judged: Judged,
  context: ScoreContext,
): Partial<SampleScore> {
  const { attempt, gold, final, failed } = judged;
  const answered = attempt.answer !== undefined;
  const known = attempt.calls !== null || !answered;
  const cutOff = BUDGETS.has(judged.ended_by);
  const react = scoreReact(
    {
      failed,
      answered,
      loops: prediction.loops ?? null,
      cutOff,
      endedOtherwise: isCutOff(prediction) && !cutOff,
      calls: known ? (attempt.calls ?? []) : null,
    },
    context.options.budget,
  );
  // Who does not say how an attempt ended may say how many loops it took.
  const ended_by = react.out_of_budget === true && !cutOff ? 'loops' : judged.ended_by;
  if (!known) return { ...react, ended_by };
  const elements = attempt.nested ? orderAsGold(attempt.calls ?? [], gold.raw) : (attempt.calls ?? []);
  const names = { ...startNames(sample, context.universe), handles: attempt.nested ? [] : final.handles };
  const raw = elements.filter(isCall);
  const canonical = replaceReferences(raw, names);
  const tools = context.universe.toolsFor(sample);
  const offered = prediction.tools == null ? null : new Set(prediction.tools);
  const counted = {
    calls: elements.length,
    redundant_calls: countRedundant(withCanonical(elements, canonical) ?? []),
  };
  const intent = scoreIntent(namesOf(gold.raw), namesOf(elements));
  const slot = scoreSlots(gold, { raw, canonical }, tools);
  const shares = {
    intent: {
      prefix: triple(intent.prefix),
      position: triple(intent.position),
      multiset: triple(intent.multiset),
    },
    slot: { raw: triple(slot.raw), canonical: triple(slot.canonical), pairs: slot.pairs },
    credit: scoreCredit(gold.canonical, canonical, elements.length - raw.length, tools),
  };
  if (context.onlyRewards) return { ...shares, ...counted };
  const { kept } = withoutExtraRepeats(elements, gold, names);
  const keptCalls = replaceReferences(kept.filter(isCall), { ...names, handles: [] });
  return {
    ...react,
    ...shares,
    ended_by,
    error_class:
      failed && ended_by === 'answer'
        ? classifyError({
            gold: gold.canonical,
            predicted: attempt.calls && withCanonical(kept, keptCalls),
            tools,
            offered,
          })
        : null,
    ...(failed ? explain(gold, kept, keptCalls, tools) : {}),
    exact_string: scoreExactString(gold.raw, attempt.calls),
    bfcl: scoreBfcl(sample, attempt.calls, gold.raw, tools),
    executed: scoreExecuted(sample, elements, final, tools),
    query: scoreQueryTool(sample, elements, tools),
    ...counted,
  };
}

/** Whether the attempt ended before it gave an answer: what it did is not judged as one. */
export function isCutOff({ out_of_budget, ended_by }: Prediction): boolean {
  return out_of_budget === true || (ended_by != null && !JUDGED.has(ended_by));
}

const JUDGED: ReadonlySet<EndedBy> = new Set(['answer', 'empty', 'length']);
const BUDGETS: ReadonlySet<SampleScore['ended_by']> = new Set(['loops', 'out_of_budget']);

/** How an attempt ended: as the prediction says, else as its fields show. */
export function endingOf(prediction: Prediction, attempt: Pick<ParsedAttempt, 'calls' | 'answer'>): EndedBy {
  const { ended_by, out_of_budget, error, raw_output } = prediction;
  if (error?.trim()) return 'error';
  if (ended_by != null) return ended_by;
  if (out_of_budget === true) return 'out_of_budget';
  const { answer, calls } = attempt;
  const isSaid = (answer !== undefined && answer !== '') || !!raw_output?.trim();
  return isSaid || (calls !== null && calls.length > 0) ? 'answer' : 'empty';
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

/** The elements with their well-formed calls, in order, replaced by the canonical ones. */
function withCanonical(
  elements: readonly CallElement[] | null,
  canonical: readonly CallElement[],
): CallElement[] | null {
  let next = 0;
  return elements?.map((element) => (isCall(element) ? (canonical[next++] as CallElement) : element)) ?? null;
}

function triple({ tp, fp, fn }: Counts): [number, number, number] {
  return [tp, fp, fn];
}

/** How an attempt at a `hybrid` task did; null for other tasks. */
export function scoreHybrid(
  sample: Sample,
  prediction: Prediction,
  { readings, refusals }: Pick<FinalRows, 'readings' | 'refusals'>,
): HybridScore | null {
  const { plan, augmentation } = sample;
  if (plan === undefined) return null;
  const { api_use: use } = prediction;
  const execution = readings.some((rows) => scoreExecution(sample, rows, 'superset'));
  return {
    share: printShare(plan),
    class: plan.class,
    augmented: augmentation ? { class: augmentation.class, depth: augmentation.depth } : null,
    execution,
    exact: readings.some((rows) => scoreExecution(sample, rows, 'exact')),
    failure: execution ? null : failureOf(sample, prediction, readings[0], refusals),
    used: use ? { calls: use.calls, pages: use.pages, rows: use.rows } : null,
    planned: { calls: plan.calls, pages: plan.pages, rows: plan.rows_moved },
    model_s: prediction.model_s ?? null,
    execution_s: prediction.execution_s ?? null,
  };
}

function failureOf(
  { gold_answer: gold }: Sample,
  prediction: Prediction,
  rows: readonly Row[] | undefined,
  refusals: readonly (string | null)[],
): HybridFailure {
  const { api_use: use, calls, sql } = prediction;
  if (rows === undefined) {
    if (use && use.unbound > 0) return 'unbound_input';
    if (use && use.misrouted > 0) return 'routing';
    const wrote = sql != null || (calls ?? []).length > 0 || refusals.some((refusal) => refusal !== null);
    return wrote && !isCutOff(prediction) ? 'not_executed' : 'no_answer';
  }
  if (use && use.invented > 0) return 'invented_value';
  const [mine, theirs] = [countRows(rows), countRows(gold)];
  if (rows.length < gold.length && isWithin(mine, theirs)) return 'lost_rows';
  if (rows.length > gold.length && isWithin(theirs, mine)) return 'extra_rows';
  if (
    rows.length === gold.length &&
    hasNumbers(gold) &&
    isWithin(countRows(rows, true), countRows(gold, true))
  )
    return 'wrong_aggregation';
  return 'wrong_rows';
}

/** How often each row comes; of `textsOnly`, what it has beside numbers. */
function countRows(rows: readonly Row[], textsOnly = false): Map<string, number> {
  const counts = new Map<string, number>();
  for (const row of rows) {
    const key = JSON.stringify(
      row.map((cell) => (textsOnly && isNumber(cell) ? 'number' : `${typeof cell} ${cell}`)),
    );
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

function isWithin(some: ReadonlyMap<string, number>, all: ReadonlyMap<string, number>): boolean {
  return [...some].every(([key, count]) => count <= (all.get(key) ?? 0));
}

function hasNumbers(rows: readonly Row[]): boolean {
  return rows.some((row) => row.some(isNumber));
}

function isNumber(cell: Cell): boolean {
  return typeof cell === 'number' || typeof cell === 'bigint';
}

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
