import { stringify } from 'lossless-json';
import type { Row } from '../../contracts/catalog.ts';
import type { AnswerVerdict } from '../../contracts/judgement.ts';
import type { PredictedTurn, Prediction, TurnExpects } from '../../contracts/prediction.ts';
import { isWriteTool } from '../../contracts/records.ts';
import type { Call, Sample } from '../../contracts/sample.ts';
import { judgeRows } from '../answer/judge-answer.ts';
import { endingOf, isCutOff, NO_ROWS, type ParsedAttempt, readAttempt } from '../attempt/attempt.ts';
import { scoreRelevance } from '../bfcl/check.ts';
import { assignCalls, type CallElement, isCall } from '../calls/calls.ts';
import { isObject, type Json, type JsonObject, plain } from '../json/lossless.ts';
import { scoreBfcl } from '../metrics/bfcl.ts';
import { askedIn, questionOf } from '../metrics/dialogues.ts';
import type { PartScore } from '../metrics/metrics.ts';
import type { SampleScore } from '../metrics/report.ts';
import { goldSequence } from '../metrics/trajectory.ts';
import {
  type ScoreContext,
  type ScoredSample,
  scoreSample,
  scoreTrajectory,
  showSample,
  spentOn,
  unscored,
} from './score-sample.ts';

/**
 * Scores an attempt at a composed task: each part, and the whole, which is right if every part is. Parallel
 * parts are matched to the calls that fit them best, in any order; an answer has one element per part. In a
 * conversation every turn is judged by itself.
 */
export async function scoreComposed(
  prediction: Prediction,
  samples: ReadonlyMap<string, Sample>,
  epoch: number,
  context: ScoreContext,
): Promise<ScoredSample> {
  const members = membersOf(prediction, samples);
  const sample = composeSample(prediction.sample_id, members);
  const facts = members.map((member) => context.goldFactsOf(member));
  const together = (lists: readonly (readonly string[])[]) => [...new Set(lists.flat())].sort();
  const gold = {
    constructs: together(facts.map(({ constructs }) => constructs)),
    findings: together(facts.map(({ findings }) => findings)),
  };
  const last = prediction.turns?.at(-1) ?? prediction;
  const ended_by = endingOf(prediction, readAttempt({ ...prediction, ...last }, context.options.parse));
  const blank = {
    ...unscored(sample, gold, epoch, context.universe.toolsFor(sample)),
    ...spentOn(prediction, context),
    ended_by,
  };
  const broken = (note: string): ScoredSample => ({
    ...blank,
    outcome: 'infra_error',
    shown: showSample(sample, { prediction, note }),
  });
  if (ended_by === 'error') return broken(prediction.error?.trim() || 'The run broke.');
  try {
    return await judge(prediction, samples, blank, context);
  } catch (error) {
    return broken(`The replay broke: ${error instanceof Error ? error.message : error}`);
  }
}

async function judge(
  prediction: Prediction,
  samples: ReadonlyMap<string, Sample>,
  blank: SampleScore,
  context: ScoreContext,
): Promise<ScoredSample> {
  const whole = samples.get(prediction.sample_id);
  const due = await dueParts(prediction, samples, context);
  const answered = due.filter(({ expects }) => expects === 'answer').map(({ sample }) => sample);
  const sample = composeSample(prediction.sample_id, answered);
  const turns = prediction.turns ?? null;
  const attempt = readAttempt(prediction, context.options.parse, context.universe.toolsFor(sample));
  const judged =
    turns === null
      ? await matchParts(answered, attempt, context)
      : await judgeTurns(prediction, due, whole, context);
  const isOver = !isCutOff(prediction);
  const passes = judged.verdict.fair && isOver;
  const gold = goldSequence(sample, context.universe);
  const trajectory = scoreTrajectory(
    sample,
    prediction,
    {
      attempt: { ...attempt, calls: judged.calls },
      gold,
      final: { ...NO_ROWS, source: 'answer' },
      failed: !passes,
      ended_by: blank.ended_by,
    },
    context,
  );
  const answers = turns === null ? (prediction.answer ?? null) : turns.map(({ answer }) => answer ?? null);
  const note = passes ? null : `${describeParts(judged.parts)} The answer: ${shorten(answers)}`;
  return {
    ...blank,
    outcome: passes ? 'pass' : turns === null && attempt.unparseable ? 'unparseable' : 'fail',
    passes_strictly: judged.verdict.strict && isOver,
    rung: attempt.rung,
    strict: attempt.strict,
    ...trajectory,
    ended_by: blank.ended_by,
    // Such a task requires several calls of one function.
    stuck_name: null,
    stuck_exact: null,
    unclassified: null,
    exact_string: null,
    recorded_calls: null,
    executed: null,
    bfcl:
      turns === null && attempt.calls !== null
        ? scoreBfcl(answered, attempt.calls, context.universe.toolsFor(sample))
        : null,
    parts: [...judged.parts],
    shown: showSample(sample, { prediction, calls: judged.calls, note }),
  };
}

interface DuePart {
  readonly sample: Sample;
  readonly expects: TurnExpects;
}

/** The samples of the task, one per part. */
function membersOf({ parts, turns }: Prediction, samples: ReadonlyMap<string, Sample>): readonly Sample[] {
  const due = turns?.filter(({ expects }) => expects === 'answer') ?? parts ?? [];
  return due.map(({ sample_id }) => find(sample_id, samples));
}

function find(id: string, samples: ReadonlyMap<string, Sample>): Sample {
  const sample = samples.get(id);
  if (sample === undefined) throw new RangeError(`there is no sample ${id}`);
  return sample;
}

/** The parts with their gold; a part with other arguments gets the rows for these. */
async function dueParts(
  { sample_id, parts, turns }: Prediction,
  samples: ReadonlyMap<string, Sample>,
  context: ScoreContext,
): Promise<DuePart[]> {
  const whole = samples.get(sample_id)?.turns;
  // Turns that were never reached count as well.
  if (turns?.every(({ expects }) => expects === 'answer') && whole) {
    return whole.map((turn) => ({ sample: find(turn.sample_id, samples), expects: 'answer' }));
  }
  if (turns != null) {
    return turns.map(({ sample_id, expects }) => ({ sample: find(sample_id, samples), expects }));
  }
  return Promise.all(
    (parts ?? []).map(async ({ sample_id: id, arguments: args }) => {
      const sample = find(id, samples);
      const part = args === undefined ? sample : await forOtherValues(sample, args, context);
      return { sample: part, expects: 'answer' as const };
    }),
  );
}

async function forOtherValues(
  sample: Sample,
  args: Readonly<Record<string, unknown>>,
  { replay }: ScoreContext,
): Promise<Sample> {
  const given = plain({ ...args } as Json);
  const output = sample.output.map((call) => ({ ...call, arguments: { ...Object(given) } }));
  const result = await replay(sample, output);
  if ('error' in result) {
    throw new RangeError(`${sample.sample_id} does not accept other values: ${result.error}`);
  }
  return { ...sample, output, accepted_values: undefined, gold_answer: [...result.rows] };
}

async function judgeTurns(
  prediction: Prediction,
  due: readonly DuePart[],
  whole: Sample | undefined,
  context: ScoreContext,
): Promise<JudgedParts> {
  // Where a tool is missing at first, a turn of the dialogue is asked twice.
  const answered = due.flatMap(({ expects }, i) => (expects === 'answer' ? [i] : []));
  const asked = askedIn(whole ?? {}, (turn) => prediction.turns?.[answered[turn] ?? -1]?.calls ?? []);
  const calls: CallElement[] = [];
  const parts: JudgedPart[] = [];
  for (const [i, part] of due.entries()) {
    const turn = prediction.turns?.[i];
    const { sample_id } = part.sample;
    const { expects } = part;
    const alone: Prediction = {
      sample_id,
      calls:
        turn?.calls?.filter((call) => questionOf(call) === null).map(seenFrom(part.sample, whole)) ?? null,
      answer: turn?.answer,
      raw_output: turn?.answer == null ? (turn?.raw_output ?? null) : null,
    };
    const read = readAttempt(alone, context.options.parse, context.universe.toolsFor(part.sample));
    if (expects === 'no_call') {
      const reached = turn?.calls != null || turn?.raw_output != null;
      const passes = reached && scoreRelevance(read.calls);
      parts.push({ sample_id, expects, passes, strict: passes });
      continue;
    }
    calls.push(...(read.calls ?? []));
    const judged = await judgeTurn(
      part,
      { alone, read, turns: prediction.turns?.slice(0, i + 1) ?? [] },
      context,
    );
    const at = answered.indexOf(i);
    const edit = whole?.turns?.[at]?.edit;
    const facts = asked[at];
    if (edit === undefined || facts === undefined) {
      parts.push(judged);
      continue;
    }
    const earlier = judged.passes
      ? []
      : due.slice(0, i).filter(({ sample }) => sample.gold_columns.length > 0);
    const before = await Promise.all(
      earlier.map(({ sample: { gold_diff: _, ...asked } }) =>
        judgePart(asked, { ...alone, calls: [] }, context),
      ),
    );
    const memory_error = before.some(({ passes }) => passes);
    parts.push({ ...judged, dialogue: { turn: at + 1, edit, memory_error, ...facts } });
  }
  return judgeTogether(parts, calls);
}

/** Names a dialogue's call as a run of the turn's own domain would. */
function seenFrom({ dataset_name: db }: Sample, whole: Sample | undefined) {
  return (call: unknown): unknown => {
    const own = whole?.dataset_name ?? db;
    if (own === db || !isObject(call) || typeof call.name !== 'string') return call;
    const { name } = call;
    const isAway = name.includes('/');
    return { ...call, name: isAway ? name.replace(`${db}/`, '') : `${own}/${name}` };
  };
}

interface ReachedTurn {
  readonly alone: Prediction;
  readonly read: ParsedAttempt;
  /** With those before. */
  readonly turns: readonly PredictedTurn[];
}

/** Where records change, by all that was changed so far; a turn that should change something must have done so. */
async function judgeTurn(
  { sample }: DuePart,
  { alone, read, turns }: ReachedTurn,
  context: ScoreContext,
): Promise<JudgedPart> {
  if (sample.gold_diff === undefined) return judgePart(sample, alone, context);
  const { sample_id, output } = sample;
  if (output.length > 0 && changesNothing(read, turns))
    return { sample_id, expects: 'answer', passes: false, strict: false };
  return judgePart(sample, { ...alone, ...stateAfter(turns) }, context);
}

/** What the turns so far have changed: as their run recorded it, or as their calls change it, made again. */
function stateAfter(turns: readonly PredictedTurn[]): Partial<Prediction> {
  const { diff, broken_rules } = turns.at(-1) ?? {};
  if (diff != null) return { diff, broken_rules };
  return {
    calls: turns.flatMap(({ calls }) => calls ?? []).filter((call) => questionOf(call) === null),
  };
}

/** Whether the last turn left the records as the one before it did. */
function changesNothing({ calls }: ParsedAttempt, turns: readonly PredictedTurn[]): boolean {
  const [before, last] = [turns.at(-2), turns.at(-1)];
  if (last?.diff != null) return stringify(last.diff) === stringify(before?.diff ?? []);
  return !calls?.some((call) => isCall(call) && isWriteTool(call.name));
}

/** `Right: 1, 3 of 3.` */
function describeParts(parts: readonly PartScore[]): string {
  const right = parts.flatMap(({ passes }, i) => (passes ? [i + 1] : []));
  return `Right: ${right.join(', ') || 'none'} of ${parts.length}.`;
}

function shorten(answers: unknown): string {
  const text = stringify(answers) ?? '';
  return text.length > 1000 ? `${text.slice(0, 1000)}…` : text;
}

/** Combines samples of one domain into one, with all their gold calls and rows. Throws RangeError if there are none. */
export function composeSample(id: string, parts: readonly Sample[]): Sample {
  const [first] = parts;
  if (first === undefined) throw new RangeError(`${id} is composed of nothing`);
  const difficulties = new Set(parts.map(({ difficulty }) => difficulty));
  const lines = (of: (part: Sample) => string) => parts.map((part, i) => `${i + 1}. ${of(part)}`).join('\n');
  return {
    ...first,
    sample_id: id,
    question_id: parts.map(({ question_id }) => question_id).join('+'),
    input: lines(({ input }) => input),
    evidence: parts.some(({ evidence }) => evidence !== '') ? lines(({ evidence }) => evidence) : '',
    difficulty: difficulties.size === 1 ? first.difficulty : null,
    query: lines(({ query }) => query),
    gold_answer: parts.flatMap(({ gold_answer }) => gold_answer),
    gold_columns: parts.flatMap(({ gold_columns }) => gold_columns),
    ordered: false,
    order_groups: null,
    output: parts.flatMap(({ output }) => output),
    output_after_executing_api: null,
    flags: [...new Set(parts.flatMap(({ flags }) => flags))],
  };
}

/** Weights of a pair: more right rows outrank more right calls, and these outrank the right tool. */
const WORTH = { rows: 10_000, call: 100, name: 1 };

export interface JudgedParts {
  readonly parts: readonly PartScore[];
  /** Whether the whole task is right: in any accepted form, and in exactly the required one. */
  readonly verdict: AnswerVerdict;
  /** The matched calls, each at the index of its gold call. */
  readonly calls: readonly CallElement[] | null;
}

/** A part, and whether its rows have exactly the required form. */
export type JudgedPart = PartScore & Pick<AnswerVerdict, 'strict'>;

/** A task is right if all of its parts are. */
export function judgeTogether(
  judged: readonly JudgedPart[],
  calls: JudgedParts['calls'],
  nothingLeft = true,
): JudgedParts {
  const strict = nothingLeft && judged.every((part) => part.strict);
  const fair = nothingLeft && judged.every(({ passes }) => passes);
  return { parts: judged.map(({ strict: _, ...part }) => part), verdict: { strict, fair }, calls };
}

/**
 * Judges parallel parts by the answer, which has one element per part, or else by the results of the calls:
 * then each part needs a call of its own, and no call may be left over. SLOT and SEL parts, which take
 * sequences of calls, are judged by the answer alone.
 */
export async function matchParts(
  parts: readonly Sample[],
  attempt: ParsedAttempt,
  context: ScoreContext,
): Promise<JudgedParts> {
  const elements = attempt.calls ?? [];
  const isRest = parts[0]?.formulation === 'rest';
  const byAnswer =
    attempt.answer !== undefined && (context.options.judge === 'answer' || attempt.calls === null);
  const rows =
    byAnswer || !isRest ? [] : await Promise.all(elements.map((element) => rowsOf(element, parts, context)));
  const worth = (gold: number, at: number) => {
    const [part, element] = [parts[gold], elements[at]];
    if (part === undefined || element === undefined || !isCall(element)) return 0;
    const given = rows[at] ?? null;
    const tools = context.universe.toolsFor(part);
    const calls = goldSequence(part, context.universe).raw;
    return (
      (given !== null && judgeRows(part, given).fair ? WORTH.rows : 0) +
      (scoreBfcl([part], [element], tools)?.fixed === 'ok' ? WORTH.call : 0) +
      (calls.some(({ name }) => name === element.name) ? WORTH.name : 0)
    );
  };
  const taken = assignCalls(parts.length, elements.length, worth);
  const own = taken.map((at) => (at === null ? [] : elements.slice(at, at + 1)));
  const answers =
    Array.isArray(attempt.answer) && attempt.answer.length === parts.length ? attempt.answer : [];
  const scored = await Promise.all(
    parts.map(async (part, i): Promise<JudgedPart> => {
      const { sample_id } = part;
      if (!byAnswer) {
        const given = rows[taken[i] ?? -1] ?? null;
        const { strict, fair } = given === null ? NOT_GIVEN : judgeRows(part, given);
        return { sample_id, expects: 'answer', passes: fair, strict };
      }
      return judgePart(part, { sample_id, answer: answers[i] ?? null, calls: [] }, context);
    }),
  );
  // Sequences keep their order: the part that each call belongs to is unknown.
  if (!isRest) return judgeTogether(scored, attempt.calls);
  const left = elements.filter((_, at) => !taken.includes(at));
  const calls = attempt.calls === null ? null : [...own.flat(), ...left];
  return judgeTogether(scored, calls, byAnswer || left.length === 0);
}

const NOT_GIVEN: AnswerVerdict = { strict: false, fair: false };

export async function judgePart(
  part: Sample,
  prediction: Prediction,
  context: ScoreContext,
): Promise<JudgedPart> {
  const { outcome, passes_strictly } = await scoreSample(part, prediction, 1, context);
  const { sample_id } = prediction;
  return { sample_id, expects: 'answer', passes: outcome === 'pass', strict: passes_strictly === true };
}

/** The result of one call on its own; null if it has no rows. */
async function rowsOf(
  element: CallElement,
  [first]: readonly Sample[],
  { replay }: ScoreContext,
): Promise<readonly Row[] | null> {
  if (!isCall(element) || first === undefined) return null;
  const args = plain(element.arguments) as JsonObject;
  const call: Call = { name: element.name, arguments: args };
  const result = await replay(first, [call]);
  return 'rows' in result ? result.rows : null;
}
