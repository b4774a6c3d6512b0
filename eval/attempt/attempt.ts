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
  /** null when the prediction has no calls, or none that could be read. */
  readonly calls: readonly CallElement[] | null;
  readonly rung: Rung | null;
  /** Whether the strict parser reads the output; null when there was none to parse. */
  readonly strict: boolean | null;
  /** undefined when no answer was given. */
  readonly answer: Json | undefined;
  /** Calls stood as arguments of others: the order in which they are written is not one in which they are to be made. */
  readonly nested: boolean;
  /** Whether nothing in it could be read. */
  readonly unparseable: boolean;
}

/** Characters of an output that are looked at: what is longer is no answer that a model was asked for. */
const LONGEST_OUTPUT = 1_000_000;
/** The same of calls in one output. */
const MOST_CALLS = 1000;

/** Reads a prediction's calls, from `calls` or, where there are none, from `raw_output`, and its answer. */
export function readAttempt(
  prediction: Prediction,
  parser: 'strict' | 'lenient',
  tools?: OfferedTools,
): ParsedAttempt {
  // Runners write null when there was no answer.
  const answer = (prediction.answer ?? undefined) as Json | undefined;
  const given = prediction.calls?.map((call) => toCallElement(call as Json)) ?? null;
  // A runner that records native calls gives an empty list where a model wrote its calls as text.
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

/** An attempt at a task of the `query` tool, in whatever variant it was offered, in calls of the base tool. */
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

/** Whether the attempt ended before it gave an answer: what it did is not judged as one. */
export function isCutOff({ out_of_budget, ended_by }: Prediction): boolean {
  return out_of_budget === true || (ended_by != null && !JUDGED.has(ended_by));
}

const JUDGED: ReadonlySet<EndedBy> = new Set(['answer', 'empty', 'length']);

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
