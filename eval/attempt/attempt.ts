import type { Rung } from '../../contracts/judgement.ts';
import type { EndedBy, Prediction } from '../../contracts/prediction.ts';
import { collectionTools, QUERY_TOOL, toBaseCall } from '../../contracts/query-tool.ts';
import type { Sample } from '../../contracts/sample.ts';
import { type CallElement, isCall, toCallElement } from '../calls/agent-call.ts';
import { flattenNested } from '../calls/references.ts';
import type { ToolSchema } from '../calls/tool-universe.ts';
import type { Json } from '../json/lossless.ts';
import type { OfferedTools, ParsedOutput } from '../parse/call-syntax.ts';
import { parseLenient, parseStrict } from '../parse/lenient.ts';

/** A parsed prediction: the agent's calls and answer. */
export interface ParsedAttempt {
  /** null if the prediction has no calls, or none that could be read. */
  readonly calls: readonly CallElement[] | null;
  readonly rung: Rung | null;
  /** Whether the strict parser reads the output; null if there was none to parse. */
  readonly strict: boolean | null;
  /** undefined if no answer was given. */
  readonly answer: Json | undefined;
  /** Whether calls were nested as arguments of others, so that their written order is not the execution order. */
  readonly nested: boolean;
  /** Whether no part of the output could be read. */
  readonly unparseable: boolean;
}

/** Maximum length of an output in characters; longer ones are truncated. */
const LONGEST_OUTPUT = 1_000_000;
const MOST_CALLS = 1000;

/** Reads a prediction's calls, from `calls` or else from `raw_output`, and its answer. */
export function readAttempt(
  prediction: Prediction,
  parser: 'strict' | 'lenient',
  tools?: OfferedTools,
): ParsedAttempt {
  // Runners write null if there was no answer.
  const answer = (prediction.answer ?? undefined) as Json | undefined;
  const given = prediction.calls?.map((call) => toCallElement(call as Json)) ?? null;
  // Runners that record native calls write an empty list if the model wrote its calls as text.
  const written = prediction.raw_output ?? '';
  if (given !== null && (given.length > 0 || prediction.recorded === true || written.trim() === '')) {
    if (prediction.recorded === true || tools === undefined) {
      return { calls: given, rung: 'calls', strict: null, answer, nested: false, unparseable: false };
    }
    const { calls, nested } = flattenNested(given, tools);
    const isWritten =
      nested || (parser === 'lenient' && isShort(written) && parseLenient(written)?.nested === true);
    return { calls, rung: 'calls', strict: null, answer, nested: isWritten, unparseable: false };
  }
  const text = prediction.raw_output;
  const isRead = text != null && isShort(text);
  const strictly = isRead ? withinLimit(parseStrict(text)) : null;
  const parsed = strictly ?? (isRead && parser === 'lenient' ? withinLimit(parseLenient(text, tools)) : null);
  const flat = parsed && tools ? flattenNested(parsed.calls, tools) : null;
  return {
    calls: flat?.calls ?? parsed?.calls ?? given,
    rung: parsed?.rung ?? (given === null ? null : 'calls'),
    strict: text == null ? null : strictly !== null,
    answer,
    nested: (flat?.nested || parsed?.nested) ?? false,
    unparseable: parsed === null && given === null && answer === undefined,
  };
}

function isShort(text: string): boolean {
  return text.length <= LONGEST_OUTPUT;
}

function withinLimit(parsed: ParsedOutput | null): ParsedOutput | null {
  return parsed !== null && parsed.calls.length <= MOST_CALLS ? parsed : null;
}

/** Translates an attempt at a `query` task, in any variant, to calls of the base tool. */
export function inBaseCalls(
  attempt: ParsedAttempt,
  sample: Sample,
  tools: ReadonlyMap<string, ToolSchema>,
): ParsedAttempt {
  if (attempt.calls === null || sample.output[0]?.name !== QUERY_TOOL) return attempt;
  const collections = tools.get(QUERY_TOOL)?.properties.collection_name?.enum ?? [];
  const names = collectionTools(collections.map(String));
  return { ...attempt, calls: attempt.calls.map((call) => (isCall(call) ? toBaseCall(call, names) : call)) };
}

/** Whether the attempt ended before it gave an answer, so that nothing is judged as one. */
export function isCutOff({ out_of_budget, ended_by }: Prediction): boolean {
  return out_of_budget === true || (ended_by != null && !JUDGED.has(ended_by));
}

const JUDGED: ReadonlySet<EndedBy> = new Set(['answer', 'empty', 'length']);

/** How an attempt ended: as recorded, else as derived from its other fields. */
export function endingOf(prediction: Prediction, attempt: Pick<ParsedAttempt, 'calls' | 'answer'>): EndedBy {
  const { ended_by, out_of_budget, error, raw_output } = prediction;
  if (error?.trim()) return 'error';
  if (ended_by != null) return ended_by;
  if (out_of_budget === true) return 'out_of_budget';
  const { answer, calls } = attempt;
  const hasText = (answer !== undefined && answer !== '') || !!raw_output?.trim();
  return hasText || (calls !== null && calls.length > 0) ? 'answer' : 'empty';
}
