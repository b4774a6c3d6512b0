import { isLosslessNumber, stringify } from 'lossless-json';
import type { Row } from './catalog.ts';
import { parameterText, printExactJson } from './exact-json.ts';
import type { Call, Formulation } from './sample.ts';
import type { Service } from './service.ts';
import type { ToolVariant } from './toolset-options.ts';

/** Facts about an answer, extracted from its text. */
export interface AnswerFacts {
  /** Rows of an endpoint's answer, a table or a column; 1 for a single value; null for answers without rows. */
  readonly rows: number | null;
  /** The handle of the result, for later calls; null if there is none. */
  readonly handle: string | null;
}

const ROW_COUNT = '"row_count":';

/** The number after the first or last `"row_count":`, which is always a key, since strings escape quotes. */
export function rowCount(body: string, which: 'first' | 'last'): number | null {
  const at = which === 'first' ? body.indexOf(ROW_COUNT) : body.lastIndexOf(ROW_COUNT);
  if (at < 0) return null;
  const start = at + ROW_COUNT.length;
  const digits = /^\d+/.exec(body.slice(start, start + 20))?.[0];
  return digits === undefined ? null : Number(digits);
}

/** The HTTP request that carries out a call. */
export interface CallRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** `/v1/…`, without a query string. */
  readonly path: string;
  /** Query string fields, in order; a repeated name is a list. */
  readonly query: readonly (readonly [name: string, value: unknown])[];
  /** The body of a POST or PATCH; absent for others. */
  readonly body?: unknown;
}

export function addressOf({ path, query }: CallRequest): string {
  const fields = new URLSearchParams();
  for (const [name, value] of query) fields.append(name, textOf(value));
  const text = fields.toString();
  return text === '' ? path : `${path}?${text}`;
}

/** The JSON text of a POST or PATCH; undefined for others. */
export function bodyText({ body }: CallRequest): string | undefined {
  return body === undefined ? undefined : printExactJson(body);
}

/** A query string cannot hold an object; the service rejects it. */
function textOf(value: unknown): string {
  if (typeof value !== 'object' || isLosslessNumber(value)) return parameterText(value);
  return stringify(value) ?? 'null';
}

export interface CallFailure {
  readonly failure: string;
}

export interface ReplayContext {
  /**
   * Sends a request; returns the parsed response body, or the failure of a refused call. Throwing aborts the
   * replay.
   */
  send(request: CallRequest, call: Call): Promise<{ readonly body: unknown } | CallFailure>;
  /** The calls that create the start tables, with their labels; empty for formulations without start tables. */
  readonly starts: readonly Call[];
  /** Query string fields for a call; `onTheWay` means that a later call refers to its result. */
  readonly view?: (onTheWay: boolean, call: Call) => Readonly<Record<string, string>>;
}

export interface Replayed {
  /** The rows of the final answer, by position; null when there is none. */
  readonly rows: readonly Row[] | null;
  /** The rows if the calls at those positions had been answered with other values, under the same handle. */
  readonly rowsIf?: (at: readonly number[], body: unknown) => readonly Row[] | null;
  readonly body: unknown;
  /** The error of the first failed call; null if there are rows, or if no call failed. */
  readonly failure: string | null;
  /** Whether there are no rows because the service truncated the answer. */
  readonly truncated: boolean;
  /** The handle that each call returned; null for calls without one. */
  readonly handles: readonly (string | null)[];
  /** Why each call was refused; null for calls that succeeded. */
  readonly refusals: readonly (string | null)[];
}

/**
 * The public part of a formulation: the form of its calls, and how their answers combine.
 * services/domain/formulations.ts serves it, generator/formulations/ makes its gold.
 */
export interface FormulationContract {
  /** Used in ids, URLs and file names. */
  readonly name: Formulation;
  readonly title: string;
  /** One-line description of its tools. */
  readonly summary: string;
  /**
   * `single`: one call answers a question. `chain`: calls begin from start tables and refer to earlier
   * results, as `$label$` in samples and by handle in a live service.
   */
  readonly calls: 'single' | 'chain';
  /**
   * Whether it applies to every question, so that each one it cannot keep is recorded as a rejection.
   * Otherwise it applies only to questions it can express, and runs only on request.
   */
  readonly everyQuestion: boolean;
  /** Ways to offer its tools; only one unless given. */
  readonly variants?: readonly ToolVariant[];
  /** The route of a tool: the path as in OpenAPI, with `{parameters}`. */
  routeOf(
    service: CalledService,
    tool: string,
  ): {
    readonly method: CallRequest['method'];
    readonly path: string;
  };
  requestOf(service: CalledService, call: SentCall): CallRequest;
  /** Carries out calls in order and combines their answers. */
  replay(service: CalledService, calls: readonly Call[], context: ReplayContext): Promise<Replayed>;
  /** Facts about a successful answer, extracted without parsing: some have millions of characters. */
  factsOf(body: string): AnswerFacts;
}

/** A call to be sent, from a sample or an agent; its arguments are unchecked. */
export interface SentCall {
  readonly name: string;
  readonly arguments: unknown;
  readonly path?: string | undefined;
}

/** The part of a domain's service needed to address it. */
export type CalledService = Pick<Service, 'split' | 'db' | 'endpoints' | 'hidden'>;
