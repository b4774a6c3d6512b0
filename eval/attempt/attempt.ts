import { stringify } from 'lossless-json';
import type { Row } from '../../contracts/catalog.ts';
import { FORMULATIONS } from '../../contracts/formulations.ts';
import type { Rung } from '../../contracts/judgement.ts';
import type { EndedBy, Prediction } from '../../contracts/prediction.ts';
import { collectionTools, QUERY_TOOL, toBaseCall } from '../../contracts/query-tool.ts';
import type { RecordChange } from '../../contracts/records.ts';
import type { Call, Sample } from '../../contracts/sample.ts';
import { rowsOfAnswer } from '../answer/judge-answer.ts';
import {
  type AgentCall,
  type CallElement,
  flattenNested,
  isCall,
  isMalformed,
  toCallElement,
} from '../calls/calls.ts';
import type { ToolSchema } from '../calls/tool-universe.ts';
import { type Json, type JsonObject, plain } from '../json/lossless.ts';
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

/**
 * Runs calls as an agent would, `$label$` references included, and returns the rows of the final result, or
 * why there are none. A rejected promise means a failure of the service, not of the calls. `elsewhere`: the same calls
 * as they were answered over other data; what calls took from those answers, they take from the answers here.
 */
export type Replay = (
  sample: Sample,
  calls: readonly Call[],
  elsewhere?: readonly AnsweredCall[],
) => Promise<ReplayResult>;

export type ReplayResult = ({ readonly rows: readonly Row[] } | { readonly error: string }) & {
  /** The handle that each call returned; null for a call without one. */
  readonly handles?: readonly (string | null)[];
  /** Why each call was refused; null for calls that succeeded. */
  readonly refusals?: readonly (string | null)[];
  /** `records`: what the calls changed on the whole. */
  readonly diff?: readonly RecordChange[];
  readonly broken_rules?: readonly string[];
  /** `records`: the calls with their answers. */
  readonly answered?: readonly AnsweredCall[];
  /** `records`: whether a change names a record by a key that the run can only have guessed. */
  readonly guessed?: boolean;
};

/** A call on records, with the body of its answer; undefined where it was refused. */
export interface AnsweredCall {
  readonly call: Pick<Call, 'name' | 'arguments'>;
  readonly body: unknown;
}

/** The result of an attempt: its possible readings as rows, and their origin. */
export interface FinalRows {
  /** Empty if there is no result. */
  readonly readings: readonly (readonly Row[])[];
  readonly source: 'answer' | 'replay' | 'gold_calls' | null;
  readonly note: string | null;
  /** The handles that the calls returned, if they were replayed. */
  readonly handles: readonly (string | null)[];
  /** Why each was refused, if they were replayed. */
  readonly refusals: readonly (string | null)[];
  /** Whether the service failed during the replay. */
  readonly broken: boolean;
}

export interface FinalRowsOptions {
  readonly judge: 'answer' | 'calls';
  readonly replay: Replay;
  /** Whether the calls are known to give the gold rows; evaluated only if the calls decide. */
  readonly isProven: () => boolean;
}

export const NO_ROWS: FinalRows = {
  readings: [],
  source: null,
  note: null,
  handles: [],
  refusals: [],
  broken: false,
};

/** The rows that an attempt is judged by: those of its answer, or of its calls. */
export async function finalRows(
  sample: Sample,
  attempt: ParsedAttempt,
  options: FinalRowsOptions,
): Promise<FinalRows> {
  const { answer, calls } = attempt;
  const judgedByAnswer = answer !== undefined && (options.judge === 'answer' || calls === null);
  const needsHandles =
    calls !== null && FORMULATIONS[sample.formulation].calls === 'chain' && calls.some(lacksName);
  if (judgedByAnswer) {
    const { handles, refusals } = needsHandles ? await replayCalls(sample, calls, options.replay) : NO_ROWS;
    const readings = rowsOfAnswer(sample, answer);
    const note = readings.length === 0 ? `The answer cannot be read as rows: ${shorten(answer)}` : null;
    return { ...NO_ROWS, readings, source: 'answer', note, handles, refusals };
  }
  if (calls === null) return NO_ROWS;
  if (options.isProven()) return { ...NO_ROWS, readings: [sample.gold_answer], source: 'gold_calls' };
  return replayCalls(sample, calls, options.replay);
}

/** Whether its result can only be named by a handle, which the prediction lacks. */
function lacksName(element: CallElement): boolean {
  return isCall(element) && element.label === null && element.handle === undefined;
}

async function replayCalls(
  sample: Sample,
  calls: readonly CallElement[],
  replay: Replay,
): Promise<FinalRows> {
  if (calls.some(isMalformed))
    return { ...NO_ROWS, note: 'A call is not {name, arguments}; nothing was replayed.' };
  if (calls.length === 0) return { ...NO_ROWS, note: 'No call was made.' };
  try {
    const result = await replay(sample, calls.filter(isCall).map(toCall));
    const { handles = [], refusals = [] } = result;
    const seen = { source: 'replay', handles, refusals } as const;
    if ('error' in result) return { ...NO_ROWS, ...seen, note: result.error };
    return { ...NO_ROWS, ...seen, readings: [result.rows] };
  } catch (error) {
    return {
      ...NO_ROWS,
      source: 'replay',
      note: `The replay broke: ${error instanceof Error ? error.message : error}`,
      broken: true,
    };
  }
}

export function toCall(call: AgentCall): Call {
  const args = plain(call.arguments) as JsonObject;
  return { name: call.name, arguments: args, ...(call.label === null ? {} : { label: call.label }) };
}

function shorten(answer: Json): string {
  const text = stringify(answer) ?? '';
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
