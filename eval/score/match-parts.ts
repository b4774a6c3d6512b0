import type { Prediction } from '../../contracts/prediction.ts';
import type { PartScore } from '../../contracts/report.ts';
import type { Call, Sample } from '../../contracts/sample.ts';
import type { AnswerVerdict } from '../../contracts/served-gold.ts';
import type { Row } from '../../contracts/value.ts';
import { judgeRows } from '../answer/judge-answer.ts';
import { type CallElement, isCall } from '../calls/agent-call.ts';
import { assignCalls } from '../calls/assign-calls.ts';
import { type JsonObject, plain } from '../json/lossless.ts';
import { goldSequence } from './gold-sequence.ts';
import type { ParsedAttempt } from './read-attempt.ts';
import { scoreBfcl } from './score-bfcl.ts';
import type { ScoreContext } from './score-context.ts';
import { scoreSample } from './score-sample.ts';

/** What a pair is worth, so that more right rows count before more right calls, and these before the right tool. */
const WORTH = { rows: 10_000, call: 100, name: 1 };

export interface JudgedParts {
  readonly parts: readonly PartScore[];
  /** Whether the task is done as a whole: in any accepted form, and in exactly the one asked for. */
  readonly verdict: AnswerVerdict;
  /** The calls that count, each in the place of the gold call that it was taken for. */
  readonly calls: readonly CallElement[] | null;
}

/** A part and whether its rows are in exactly the form that was asked for. */
export type JudgedPart = PartScore & Pick<AnswerVerdict, 'strict'>;

/** A task is right when all of its parts are. */
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
 * Judges parts that were asked for at once, by the answer, which has a place for each, or where there is none by what
 * the calls give: then each part needs a call of its own, and no call may be left over. Parts
 * of SLOT and SEL, which take sequences of calls, are judged by the answer alone.
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
      (scoreBfcl(part, [element], calls, tools)?.fixed === 'ok' ? WORTH.call : 0) +
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
  // Sequences stay as they were made: which call was made for which part they do not say.
  if (!isRest) return judgeTogether(scored, attempt.calls);
  const left = elements.filter((_, at) => !taken.includes(at));
  const calls = attempt.calls === null ? null : [...own.flat(), ...left];
  return judgeTogether(scored, calls, byAnswer || left.length === 0);
}

const NOT_GIVEN: AnswerVerdict = { strict: false, fair: false };

/** Judges a part by itself. */
export async function judgePart(
  part: Sample,
  prediction: Prediction,
  context: ScoreContext,
): Promise<JudgedPart> {
  const { outcome, passes_strictly } = await scoreSample(part, prediction, 1, context);
  const { sample_id } = prediction;
  return { sample_id, expects: 'answer', passes: outcome === 'pass', strict: passes_strictly === true };
}

/** What one call gives by itself; null for no rows. */
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
