import type { Call } from '../sample.ts';
import type { Row } from '../value.ts';
import type { CallRequest } from './call-request.ts';

/** Why a call has no answer. */
export interface CallFailure {
  readonly failure: string;
}

export interface ReplayContext {
  /**
   * Sends one request and gives the body of the answer, parsed; a failure for a call that was refused. If it throws,
   * the replay ends.
   */
  send(request: CallRequest, call: Call): Promise<{ readonly body: unknown } | CallFailure>;
  /** One call for each start table, with its label; none where the formulation has no start tables. */
  readonly starts: readonly Call[];
  /** Fields for the query string of a call; `onTheWay`: a later call refers to its result. */
  readonly view?: (onTheWay: boolean, call: Call) => Readonly<Record<string, string>>;
}

/** What calls came to. */
export interface Replayed {
  /** The rows of the final answer, by position; null when there is none. */
  readonly rows: readonly Row[] | null;
  /** The body of the last answer. */
  readonly body: unknown;
  /**
   * Why there are no rows: the error of the first call that failed; null when there are rows, or when no call failed.
   */
  readonly failure: string | null;
  /** Whether there are no rows because a cap of the service cut the answer. */
  readonly truncated: boolean;
  /** The handle that each call returned; null for calls without one. */
  readonly handles: readonly (string | null)[];
  /** Why each call was refused; null for calls that were carried out. */
  readonly refusals: readonly (string | null)[];
}
