import { Pool } from 'undici';
import { type Failure, kindOfFailure } from '../gateway/failure.ts';
import { HttpProblem } from '../http/problem.ts';
import type { Backend, BackendAnswer, BackendRequest } from './backend.ts';
import { problemAnswer } from './call-tool.ts';

export interface HttpBackendOptions {
  /** How long an answer may take, from the request to its last byte. */
  readonly timeoutMs?: number;
  readonly connections?: number;
}

const DEFAULTS = { timeoutMs: 60_000, connections: 128 };

/**
 * The services of a farm that is served elsewhere, at one address such as `http://127.0.0.1:8080`. Where nobody
 * answers, or not in time, the answer is a problem: DOMAIN_UNAVAILABLE, GATEWAY_TIMEOUT or BAD_GATEWAY.
 */
export function httpBackend(origin: string, options: HttpBackendOptions = {}): Backend {
  const { timeoutMs, connections } = { ...DEFAULTS, ...options };
  const pool = new Pool(origin, { connections });
  return {
    async request(request) {
      // Not undici's own limits: those begin anew with every piece of an answer.
      const signal = AbortSignal.timeout(timeoutMs);
      try {
        return await send(pool, request, signal);
      } catch (error) {
        return failed(signal.aborted ? 'late' : kindOfFailure(error));
      }
    },
    close: () => pool.close(),
  };
}

async function send(
  pool: Pool,
  { method, path, body, headers = {} }: BackendRequest,
  signal: AbortSignal,
): Promise<BackendAnswer> {
  const answer = await pool.request({
    method,
    path,
    headers: {
      ...headers,
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: body ?? null,
    signal,
  });
  const retryAfter = answer.headers['retry-after'];
  return {
    status: answer.statusCode,
    contentType: String(answer.headers['content-type'] ?? ''),
    ...(retryAfter === undefined ? {} : { retryAfter: String(retryAfter) }),
    body: await answer.body.text(),
  };
}

const PROBLEMS = {
  unreachable: ['DOMAIN_UNAVAILABLE', 'The service cannot be reached; try again in a moment.', '1'],
  closed: ['BAD_GATEWAY', 'The service broke off its answer.', undefined],
  late: ['GATEWAY_TIMEOUT', 'The service did not answer in time.', undefined],
  broken: ['BAD_GATEWAY', 'The service gave an answer that is not HTTP.', undefined],
} as const satisfies Record<Failure, unknown>;

function failed(failure: Failure): BackendAnswer {
  const [code, detail, retryAfter] = PROBLEMS[failure];
  return problemAnswer(new HttpProblem(code, detail).toProblem(), retryAfter);
}
