import type { LightMyRequestResponse } from 'fastify';
import { QueryError } from '../../../contracts/errors.ts';
import { parseExactJson } from '../../../contracts/exact-json.ts';
import { addressOf, bodyText } from '../../../contracts/formulations/call-request.ts';
import type { CalledService } from '../../../contracts/formulations/formulation-contract.ts';
import { FORMULATIONS } from '../../../contracts/formulations/registry.ts';
import { startCalls } from '../../../contracts/formulations/start-calls.ts';
import type { Call, Sample } from '../../../contracts/sample.ts';
import type { Row } from '../../../contracts/value.ts';

/** An app that takes requests: fastify's `inject`, or anything else with the same interface. */
export interface InjectableApp {
  inject(request: {
    method: 'GET' | 'POST';
    url: string;
    /** JSON, with all digits of its numbers. */
    payload?: string;
    headers?: Record<string, string>;
  }): Promise<InjectedAnswer>;
}

export type InjectedAnswer = Pick<LightMyRequestResponse, 'statusCode' | 'body'>;

/** What calls came to. */
export interface Played {
  /** The final answer's rows, by position. */
  readonly rows: readonly Row[];
  /** The final answer as the service gave it. */
  readonly body: unknown;
}

/** The calls of a sample or of a candidate for one. */
export interface Playable extends Pick<Sample, 'formulation' | 'initialization_step'> {
  readonly output: readonly Call[];
}

export interface PlayOptions {
  /**
   * Whose answers are as an agent gets them; all by default. Other intermediate results show next to no rows, since
   * rendering them takes most of the time; with `none`, final ones have all rows at once.
   */
  readonly previews?: 'all' | 'none' | readonly Call[];
}

/**
 * Sends calls as an agent would, as their formulation says. Throws QueryError TOO_SLOW for a call
 * that was stopped, CALL_FAILED for any other answer but 200 or when the answers cannot be read as rows, SQL_TOO_LARGE for an answer truncated by a cap.
 */
export async function playCalls(
  app: InjectableApp,
  service: CalledService,
  { formulation, initialization_step, output }: Playable,
  { previews = 'all' }: PlayOptions = {},
): Promise<Played> {
  const contract = FORMULATIONS[formulation];
  const { rows, body, failure, truncated } = await contract.replay(service, output, {
    starts: startCalls(initialization_step),
    view: (onTheWay, call) => {
      if (previews === 'all') return {};
      if (previews === 'none') return onTheWay ? UNSEEN : WHOLE;
      return onTheWay && !previews.includes(call) ? UNSEEN : {};
    },
    async send(request, call) {
      const text = bodyText(request);
      const response = await app.inject({
        method: request.method,
        url: addressOf(request),
        ...(text === undefined ? {} : { payload: text, headers: JSON_HEADERS }),
      });
      if (response.statusCode !== 200) throw callFailed(call.name, response);
      return { body: parseExactJson(response.body) };
    },
  });
  if (rows) return { rows, body };
  throw new QueryError(truncated ? 'SQL_TOO_LARGE' : 'CALL_FAILED', failure ?? 'the calls answer no rows');
}

const JSON_HEADERS = { 'content-type': 'application/json' };

const UNSEEN = { preview: '0', limit: '1' };
const WHOLE = { limit: '100000' };

/** A call was answered with an error. */
export class CallFailedError extends QueryError {
  /** The code of the problem that the service answered with; null when it was none. */
  readonly problem: string | null;

  constructor(reason: string, problem: string | null) {
    super(problem === 'QUERY_TIMEOUT' ? 'TOO_SLOW' : 'CALL_FAILED', reason);
    this.problem = problem;
  }
}

/** The error that an unsuccessful response describes. */
function callFailed(name: string, response: InjectedAnswer): QueryError {
  let said = '';
  let code: string | null = null;
  try {
    const problem = JSON.parse(response.body) as { code?: unknown; detail?: unknown };
    said = ` ${problem.code}: ${problem.detail}`;
    code = typeof problem.code === 'string' ? problem.code : null;
  } catch {
    // Not JSON: only the status is known.
  }
  return new CallFailedError(`${name} was answered with ${response.statusCode}${said}`, code);
}
