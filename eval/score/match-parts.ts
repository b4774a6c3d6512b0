import type { PartScore } from '../../contracts/report.ts';
import type { Call, Sample } from '../../contracts/sample.ts';
import type { Row } from '../../contracts/value.ts';
import { judgeRows } from '../answer/judge-answer.ts';
import { type CallElement, isCall } from '../calls/agent-call.ts';
import { assignCalls } from '../calls/assign-calls.ts';
import { type JsonObject, plain } from '../json/lossless.ts';
import { goldSequence } from './gold-sequence.ts';
import type { Attempt } from './read-attempt.ts';
import { scoreBfcl } from './score-bfcl.ts';
import type { ScoreContext } from './score-context.ts';
import { scoreSample } from './score-sample.ts';

/** What a pair is worth, so that more right rows count before more right calls, and these before the right tool. */
const WORTH = { rows: 10_000, call: 100, name: 1 };

/**
 * Judges parts that were asked for at once, by the answer, which has a place for each, or where there is none by what
 * the calls give: then each part needs a call of its own, and no call may be left over. Parts
 * of SLOT and SEL, which take sequences of calls, are judged by the answer alone.
 */
export async function matchParts(
  parts: readonly Sample[],
  attempt: Attempt,
  context: ScoreContext,
): Promise<{ parts: PartScore[]; passes: boolean; calls: readonly CallElement[] | null }> {
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
    parts.map(async (part, i): Promise<PartScore> => {
      const { sample_id } = part;
      if (!byAnswer) {
        const given = rows[taken[i] ?? -1] ?? null;
        const passes = given !== null && judgeRows(part, given).fair;
        return { sample_id, expects: 'answer', passes };
      }
      const alone = { sample_id, answer: answers[i] ?? null, calls: [] };
      const { outcome } = await scoreSample(part, alone, 1, context);
      return { sample_id, expects: 'answer', passes: outcome === 'pass' };
    }),
  );
  // Sequences stay as they were made: which call was made for which part they do not say.
  if (!isRest) {
    return { parts: scored, passes: scored.every((part) => part.passes), calls: attempt.calls };
  }
  const left = elements.filter((_, at) => !taken.includes(at));
  const passes = scored.every((part) => part.passes) && (byAnswer || left.length === 0);
  return { parts: scored, passes, calls: attempt.calls === null ? null : [...own.flat(), ...left] };
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
