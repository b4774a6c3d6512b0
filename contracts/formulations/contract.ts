import { isLosslessNumber, stringify } from 'lossless-json';
import type { Row } from '../catalog.ts';
import { parameterText, printExactJson } from '../exact-json.ts';
import type { Call, Formulation } from '../sample.ts';
import type { Service } from '../service.ts';
import type { ToolVariant } from '../toolset-options.ts';

/** Facts about an answer, read from its text. */
export interface AnswerFacts {
  /** Of an endpoint's answer, a table or a column; 1 for a single value; null for answers without rows. */
  readonly rows: number | null;
  /** The handle of the result, for later calls; null where there is none. */
  readonly handle: string | null;
}

const ROW_COUNT = '"row_count":';

/**
 * The number after the first or the last `"row_count":`. Inside a JSON text no quote stands alone, so a name with its
 * quotes and colon is a name.
 */
export function rowCount(body: string, which: 'first' | 'last'): number | null {
  const at = which === 'first' ? body.indexOf(ROW_COUNT) : body.lastIndexOf(ROW_COUNT);
  if (at < 0) return null;
  const start = at + ROW_COUNT.length;
  const digits = /^\d+/.exec(body.slice(start, start + 20))?.[0];
  return digits === undefined ? null : Number(digits);
}

/** A request that carries out a call. */
export interface CallRequest {
  readonly method: 'GET' | 'POST';
  /** `/v1/…`, without a query string. */
  readonly path: string;
  /** Fields of the query string, in order; one that is given several times is a list. */
  readonly query: readonly (readonly [name: string, value: unknown])[];
  /** The arguments of a POST; absent for GET. */
  readonly body?: unknown;
}

/** Path and query string. */
export function addressOf({ path, query }: CallRequest): string {
  const fields = new URLSearchParams();
  for (const [name, value] of query) fields.append(name, textOf(value));
  const text = fields.toString();
  return text === '' ? path : `${path}?${text}`;
}

/** The JSON text of a POST; undefined for GET. */
export function bodyText({ body }: CallRequest): string | undefined {
  return body === undefined ? undefined : printExactJson(body);
}

/** A query string cannot hold an object, whatever is in it; the service answers with an error. */
function textOf(value: unknown): string {
  if (typeof value !== 'object' || isLosslessNumber(value)) return parameterText(value);
  return stringify(value) ?? 'null';
}

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

/**
 * The public part of a formulation: the form of its calls, and how their answers combine. How it is served is in
 * services/domain/formulations/, how its gold is made in generator/formulations/.
 */
export interface FormulationContract {
  /** In ids, addresses and file names. */
  readonly name: Formulation;
  /** For people. */
  readonly title: string;
  /** One line that describes its tools. */
  readonly summary: string;
  /**
   * `single`: a call answers a question by itself. `chain`: calls begin from start tables and refer to the results of
   * earlier ones, as `$label$` in samples and by handle in a live service.
   */
  readonly calls: 'single' | 'chain';
  /**
   * Whether it takes every question, and so says why it does not keep one; else only those that it has a form for, and it
   * is run when it is asked for.
   */
  readonly everyQuestion: boolean;
  /** How its tools may be offered; in one way unless given. */
  readonly variants?: readonly ToolVariant[];
  /** How a tool of a domain's service is called: the path as in OpenAPI, with `{parameters}`. */
  routeOf(service: CalledService, tool: string): { readonly method: 'GET' | 'POST'; readonly path: string };
  /** The request that carries out a call of a domain's service. */
  requestOf(service: CalledService, call: SentCall): CallRequest;
  /** Carries out calls in their order and puts their answers together. */
  replay(service: CalledService, calls: readonly Call[], context: ReplayContext): Promise<Replayed>;
  /** Facts about a successful answer, read without parsing it: some have millions of characters. */
  factsOf(body: string): AnswerFacts;
}

/** A call to be sent, from a sample or from an agent, whose arguments may be anything. */
export interface SentCall {
  readonly name: string;
  readonly arguments: unknown;
  readonly path?: string | undefined;
}

/** The part of a domain's service that is needed to address it. */
export type CalledService = Pick<Service, 'split' | 'db' | 'endpoints' | 'hidden'>;
