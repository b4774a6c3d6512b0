import type { Cell, Row } from '../../contracts/catalog.ts';
import { callShape, difficultyOf } from '../../contracts/difficulty.ts';
import type { AnswerVerdict, Outcome } from '../../contracts/judgement.ts';
import type { Prediction } from '../../contracts/prediction.ts';
import { isWriteTool, recordDiff } from '../../contracts/records.ts';
import type { Sample } from '../../contracts/sample.ts';
import type { Unanswerable } from '../../contracts/split.ts';
import {
  acceptedAnswers,
  judgeAnswer,
  judgeRows,
  judgeUnanswerable,
  rowsOfAnswer,
} from '../answer/judge-answer.ts';
import { describeFaults, judgeDiff } from '../answer/judge-diff.ts';
import { readClaim } from '../answer/judge-unanswerable.ts';
import {
  endingOf,
  type FinalRows,
  finalRows,
  inBaseCalls,
  isCutOff,
  NO_ROWS,
  type ParsedAttempt,
  type Replay,
  readAttempt,
  toCall,
} from '../attempt/attempt.ts';
import { scoreRelevance } from '../bfcl/check.ts';
import {
  type AgentCall,
  type CallElement,
  isCall,
  isMalformed,
  namesOf,
  orderAsGold,
  type ReferenceNames,
  replaceReferences,
} from '../calls/calls.ts';
import type { ToolSchema, ToolUniverse } from '../calls/tool-universe.ts';
import type { GoldFacts } from '../farm/read-farm.ts';
import { type Json, plain } from '../json/lossless.ts';
import {
  classifyError,
  findArgumentFaults,
  findConfusions,
  scoreCompletionLegacy,
} from '../metrics/failures.ts';
import { type Counts, countEach } from '../metrics/figures.ts';
import { SCORES, scoreFields, UNSCORED, type UnanswerableScore } from '../metrics/metrics.ts';
import type { Evidence, GoldKind, SampleScore, ScoreOptions, TranscriptCall } from '../metrics/report.ts';
import {
  costOf,
  countRedundant,
  goldSequence,
  type PriceTable,
  type SlotSequence,
  sameSequence,
  scoreCredit,
  scoreIntent,
  scoreReact,
  scoreRecordedCalls,
  scoreSlots,
  startNames,
  withoutExtraRepeats,
} from '../metrics/trajectory.ts';

export interface ScoreContext {
  readonly options: ScoreOptions;
  readonly universe: ToolUniverse;
  readonly replay: Replay;
  readonly prices: PriceTable | null;
  readonly model: string | null;
  readonly goldFactsOf: (sample: Sample) => GoldFacts;
  /** Whether to compute only what rewards need from the calls; other metrics stay null. */
  readonly onlyRewards?: boolean;
}

/** The kind of a gold answer: informative rows, or an answer that many wrong calls also give. */
export function goldKindOf({
  gold_answer: rows,
  gold_diff,
}: Pick<Sample, 'gold_answer' | 'gold_diff'>): GoldKind {
  if (gold_diff) return 'telling';
  if (rows.length === 0) return 'empty';
  if (rows.every((row) => row.every((cell) => cell === null))) return 'null';
  return rows.length === 1 && rows[0]?.length === 1 && rows[0][0] === 0 ? 'zero' : 'telling';
}

/** The score of a sample that was not run: null for every metric. */
export function unscored(
  sample: Sample,
  { constructs, findings }: GoldFacts,
  epoch = 1,
  tools: ReadonlyMap<string, ToolSchema> = new Map(),
): SampleScore {
  const parameters = sample.output.map(({ name }) => Object.keys(tools.get(name)?.properties ?? {}).length);
  return {
    sample_id: sample.sample_id,
    db: sample.dataset_name,
    formulation: sample.formulation,
    question_id: sample.question_id,
    difficulty: sample.difficulty,
    level: sample.unanswerable ? null : difficultyOf(sample.query, sample.output.length).level,
    shape: sample.unanswerable
      ? null
      : { ...callShape(sample.output), parameters: Math.max(0, ...parameters) },
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
    ...UNSCORED,
  };
}

const BUDGETS: ReadonlySet<SampleScore['ended_by']> = new Set(['loops', 'out_of_budget']);

export interface Judged {
  readonly attempt: ParsedAttempt;
  readonly gold: SlotSequence;
  readonly final: FinalRows;
  readonly failed: boolean;
  readonly ended_by: SampleScore['ended_by'];
}

/** All metrics of the calls; null if an answer was given without calls. */
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
  // Without a recorded ending, the number of loops may show that the budget was used up.
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
    recorded_calls: raw.length === elements.length && scoreRecordedCalls(gold.canonical, canonical, tools),
    repaired: raw.some(wasRefused) ? !failed : null,
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
    ...scoreFields(SCORES.calls, { sample, attempt, gold, final, elements, tools }),
    ...counted,
  };
}

/** Whether the service refused a call as wrong; failures that an agent cannot help are none. */
function wasRefused({ seen }: AgentCall): boolean {
  const { status, fault } = seen ?? {};
  return status != null && status >= 400 && status < 500 && status !== 429 && fault == null;
}

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

/** The elements with their well-formed calls replaced, in order, by the canonical ones. */
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

export type ScoredSample = SampleScore & { readonly shown: ReturnType<typeof showSample> };

/** Scores one prediction; undefined stands for an attempt that was not run. */
export async function scoreSample(
  sample: Sample,
  prediction: Prediction | undefined,
  epoch: number,
  context: ScoreContext,
): Promise<ScoredSample> {
  const tools = context.universe.toolsFor(sample);
  const unrun = unscored(sample, context.goldFactsOf(sample), epoch, tools);
  if (prediction === undefined) return { ...unrun, shown: showSample(sample) };
  const attempt = inBaseCalls(readAttempt(prediction, context.options.parse, tools), sample, tools);
  const ended_by = endingOf(prediction, attempt);
  const blank = { ...unrun, ...spentOn(prediction, context), ended_by };
  const { calls } = attempt;
  if (ended_by === 'error') {
    const broke = prediction.error?.trim() || prediction.end_reason || 'The run broke.';
    const shown = showSample(sample, { prediction, calls, note: broke });
    return { ...blank, outcome: 'infra_error', shown };
  }
  if (sample.unanswerable) {
    return scoreUnanswerable(sample, sample.unanswerable, { prediction, attempt, blank }, context);
  }
  if (prediction.withheld === true) return scoreWithheld(sample, attempt, prediction, blank);

  const gold = goldSequence(sample, context.universe);
  // The result of a repeated call is not another column of the answer.
  const names = { ...startNames(sample, context.universe), handles: [] };
  const single = calls === null ? null : withoutExtraRepeats(calls, gold, names);
  const once = single === null ? attempt : { ...attempt, calls: single.kept };
  const changes = await judgeChanges(sample, prediction, attempt, context.replay);
  const results =
    changes?.final ??
    (await finalRows(sample, once, {
      judge: context.options.judge,
      replay: context.replay,
      isProven: () => context.options.replay === 'needed' && isGold(once, gold, names),
    }));
  const ofAll = <T>(list: readonly (T | null)[]) =>
    list.length === 0 ? [] : (single?.places ?? []).map((place) => list[place] ?? null);
  const played = { ...results, handles: ofAll(results.handles), refusals: ofAll(results.refusals) };
  const final = isCutOff(prediction) ? unanswered(played, prediction) : played;
  const unread = calls === null ? prediction.raw_output : null;
  const note = final.note ?? unread ?? prediction.end_reason ?? null;
  const shown = showSample(sample, { prediction, calls, final, note, changes: changes?.shown ?? null });
  if (final.broken) return { ...blank, outcome: 'infra_error', shown };

  const { fair: passes, strict: passes_strictly } =
    changes?.verdict ?? verdictOn(sample, attempt, final, context.options.legacy);
  const outcome: Outcome = passes ? 'pass' : attempt.unparseable ? 'unparseable' : 'fail';
  return {
    ...blank,
    outcome,
    passes_strictly,
    rung: attempt.rung,
    strict: attempt.strict,
    refused: attempt.answer === undefined ? null : !passes && refuses(attempt.answer),
    changes: changes?.score ?? null,
    ...(context.onlyRewards
      ? {}
      : scoreFields(SCORES.answer, { sample, prediction, final, passes, options: context.options })),
    ...scoreTrajectory(sample, prediction, { attempt, gold, final, failed: !passes, ended_by }, context),
    shown,
  };
}

interface JudgedChanges {
  readonly final: FinalRows;
  readonly verdict: AnswerVerdict;
  readonly score: SampleScore['changes'];
  readonly shown: Evidence['changes'];
}

/**
 * The verdict on a task whose records change: by what the run changed on the whole, as its server recorded it or as its
 * calls, made again, change it; where the task also asks for something, by the answer too. null for other tasks.
 */
async function judgeChanges(
  sample: Sample,
  prediction: Prediction,
  { calls, answer }: ParsedAttempt,
  replay: Replay,
): Promise<JudgedChanges | null> {
  if (!sample.gold_diff) return null;
  const failed = (note: string, broken = false): JudgedChanges => ({
    final: { ...NO_ROWS, note, broken },
    verdict: { strict: false, fair: false },
    score: null,
    shown: null,
  });
  if (isCutOff(prediction)) return failed('Ended before it was done.');
  const recorded = prediction.diff == null ? null : recordDiff.safeParse(plain(prediction.diff as Json));
  if (recorded && !recorded.success) return failed('The diff of the prediction cannot be read.');
  try {
    const made = calls?.filter(isCall).map(toCall);
    const isReplayed = !recorded && made !== undefined && made.length > 0;
    const replayed = isReplayed ? await replay(sample, made) : null;
    const diff = recorded?.data ?? (replayed === null ? [] : replayed.diff);
    if (!diff) return failed('The calls cannot be made again.');
    const broken = (recorded ? prediction.broken_rules : replayed?.broken_rules) ?? [];
    const facts = { broken, ...(made ? { tried: made.some(({ name }) => isWriteTool(name)) } : {}) };
    const { faults, precision, recall, passes } = judgeDiff(sample.gold_diff, diff, facts);
    const asked = sample.gold_columns.length > 0;
    const answered = answer === undefined ? { strict: false, fair: false } : judgeAnswer(sample, answer);
    const isAnswered = !asked || answered.fair;
    const notes = [describeFaults({ faults }), isAnswered ? '' : 'The answer is wrong.'].filter(Boolean);
    const counted = Object.fromEntries(countEach(faults.map(({ kind }) => kind)));
    const refuse = sample.refuse === true;
    return {
      final: {
        ...NO_ROWS,
        ...(asked && answer !== undefined ? { readings: rowsOfAnswer(sample, answer) } : {}),
        source: 'replay',
        note: notes.length > 0 ? notes.join('; ') : null,
        refusals: replayed?.refusals ?? [],
      },
      verdict: { strict: passes && (!asked || answered.strict), fair: passes && isAnswered },
      score: { precision, recall, faults: counted, refuse },
      shown: { gold: [...sample.gold_diff], made: [...diff], faults: [...faults] },
    };
  } catch (error) {
    return failed(`The replay broke: ${error instanceof Error ? error.message : error}`, true);
  }
}

/** Whether an answer declines the question outright. */
function refuses(answer: Json): boolean {
  const claim = readClaim(answer);
  return claim !== null && claim.says !== 'either';
}

/** A question without one answer passes with the right reason or question in return, or with the answer of a reading. */
async function scoreUnanswerable(
  sample: Sample,
  gold: Unanswerable,
  {
    prediction,
    attempt,
    blank,
  }: { readonly prediction: Prediction; readonly attempt: ParsedAttempt; readonly blank: SampleScore },
  { options, replay }: ScoreContext,
): Promise<ScoredSample> {
  const { answer, calls } = attempt;
  const hasCalls = calls != null && calls.length > 0;
  const said = answer ?? (hasCalls ? undefined : (prediction.raw_output ?? undefined));
  // Only an ambiguous question can be answered by calls.
  const made =
    said === undefined && hasCalls && gold.kind === 'ambiguous'
      ? await finalRows(sample, attempt, { judge: options.judge, replay, isProven: () => false })
      : NO_ROWS;
  const [rows] = made.readings;
  let verdict: UnanswerableScore['verdict'] = 'silent';
  if (!isCutOff(prediction)) {
    if (said !== undefined) verdict = judgeUnanswerable(sample, gold, said);
    else if (hasCalls) {
      const isAccepted =
        rows !== undefined && acceptedAnswers(sample, gold).some((each) => judgeRows(each, rows).fair);
      verdict = isAccepted ? 'right' : 'answered';
    }
  }
  const right = verdict === 'right';
  return {
    ...blank,
    outcome: made.broken ? 'infra_error' : right ? 'pass' : 'fail',
    rung: attempt.rung,
    strict: attempt.strict,
    calls: calls?.length ?? null,
    ...(made.broken ? {} : { unanswerable: { kind: gold.kind, verdict } }),
    shown: showSample(sample, { prediction, calls, final: made, note: made.note ?? dueText(gold) }),
  };
}

function dueText(gold: Unanswerable): string {
  if (gold.kind === 'ambiguous') return `To be asked: ${gold.clarification}`;
  if (gold.kind === 'forbidden') return `Forbidden: ${gold.rule}`;
  return gold.kind === 'false_premise' ? gold.refutation : `Not in the data: ${gold.missing}`;
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

/** The resources that the attempt used, as recorded in the prediction. */
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

/** The calls of an attempt in order, with observations of the run or else of its replay. */
export function transcriptOf(
  elements: readonly CallElement[] | null,
  replayed: Pick<FinalRows, 'handles' | 'refusals'> | null,
): TranscriptCall[] {
  return (elements ?? []).map((element, i) => {
    if (isMalformed(element)) {
      return { name: null, arguments: element.malformed, label: null, handle: null, error: null };
    }
    const { name, arguments: args, label, handle, seen } = element;
    return {
      ...seen,
      name,
      arguments: args,
      label,
      handle: handle ?? replayed?.handles[i] ?? null,
      error: replayed?.refusals[i] ?? null,
    };
  });
}

/** Maximum rows shown of a result; its count is exact. */
const MOST_ROWS = 20;
const LONGEST_CELL = 300;
const LONGEST_NOTE = 2000;
const LONGEST_OUTPUT = 20_000;

export interface ShownParts {
  readonly prediction?: Prediction;
  readonly calls?: readonly CallElement[] | null;
  readonly final?: FinalRows;
  readonly note?: string | null;
  readonly changes?: Evidence['changes'];
}

export function showSample(
  sample: Sample,
  { prediction, calls = null, final, note = null, changes = null }: ShownParts = {},
): Evidence {
  const rows = final?.readings[0] ?? null;
  const text = note ?? final?.note ?? null;
  const written = prediction?.raw_output ?? null;
  return {
    question: sample.input,
    evidence: sample.evidence,
    query: sample.query,
    gold_calls: sample.output,
    gold_rows: shownRows(sample.gold_answer),
    gold_row_count: sample.gold_answer.length,
    ordered: sample.ordered,
    predicted_calls: calls?.map(showCall) ?? null,
    predicted_rows: rows === null ? null : shownRows(rows),
    predicted_row_count: rows?.length ?? null,
    transcript: transcriptOf(calls, final ?? null),
    raw_output: written === null ? null : shorten(written, LONGEST_OUTPUT),
    sql: prediction?.sql ?? null,
    source: final?.source ?? null,
    note: text === null ? null : shorten(text, LONGEST_NOTE),
    changes,
  };
}

function showCall(element: CallElement): unknown {
  if (isMalformed(element)) return element.malformed;
  const { name, arguments: args, label } = element;
  return label === null ? { name, arguments: args } : { name, arguments: args, label };
}

function shownRows(rows: readonly Row[]): Row[] {
  return rows.slice(0, MOST_ROWS).map((row) => row.map(shownCell));
}

function shownCell(cell: Cell): Cell {
  if (typeof cell === 'string') return shorten(cell, LONGEST_CELL);
  // An answer may be 1e400, i.e. infinite, which JSON cannot represent.
  return typeof cell === 'number' && !Number.isFinite(cell) ? String(cell) : cell;
}

function shorten(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}
