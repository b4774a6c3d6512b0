import { stringify } from 'lossless-json';
import type { Row } from '../../contracts/catalog.ts';
import { FORMULATIONS } from '../../contracts/formulations.ts';
import type { Call, Sample } from '../../contracts/sample.ts';
import { rowsOfAnswer } from '../answer/judge-answer.ts';
import { type AgentCall, type CallElement, isCall, isMalformed } from '../calls/agent-call.ts';
import { type Json, type JsonObject, plain } from '../json/lossless.ts';
import type { ParsedAttempt } from './attempt.ts';

/**
 * Runs calls as an agent would, `$label$` references included, and returns the rows of the final result, or
 * why there are none. A rejected promise means a failure of the service, not of the calls.
 */
export type Replay = (sample: Sample, calls: readonly Call[]) => Promise<ReplayResult>;

export type ReplayResult = ({ readonly rows: readonly Row[] } | { readonly error: string }) & {
  /** The handle that each call returned; null for a call without one. */
  readonly handles?: readonly (string | null)[];
  /** Why each call was refused; null for calls that succeeded. */
  readonly refusals?: readonly (string | null)[];
};

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

const NONE: FinalRows = { readings: [], source: null, note: null, handles: [], refusals: [], broken: false };

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
    const { handles, refusals } = needsHandles ? await replayCalls(sample, calls, options.replay) : NONE;
    const readings = rowsOfAnswer(sample, answer);
    const note = readings.length === 0 ? `The answer cannot be read as rows: ${shorten(answer)}` : null;
    return { ...NONE, readings, source: 'answer', note, handles, refusals };
  }
  if (calls === null) return NONE;
  if (options.isProven()) return { ...NONE, readings: [sample.gold_answer], source: 'gold_calls' };
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
    return { ...NONE, note: 'A call is not {name, arguments}; nothing was replayed.' };
  if (calls.length === 0) return { ...NONE, note: 'No call was made.' };
  try {
    const result = await replay(sample, calls.filter(isCall).map(toCall));
    const { handles = [], refusals = [] } = result;
    const seen = { source: 'replay', handles, refusals } as const;
    if ('error' in result) return { ...NONE, ...seen, note: result.error };
    return { ...NONE, ...seen, readings: [result.rows] };
  } catch (error) {
    return {
      ...NONE,
      source: 'replay',
      note: `The replay broke: ${error instanceof Error ? error.message : error}`,
      broken: true,
    };
  }
}

function toCall(call: AgentCall): Call {
  const args = plain(call.arguments) as JsonObject;
  return { name: call.name, arguments: args, ...(call.label === null ? {} : { label: call.label }) };
}

function shorten(answer: Json): string {
  const text = stringify(answer) ?? '';
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
