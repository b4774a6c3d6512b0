import { lateAnswer } from '../http/busy-problems.ts';
import { HttpProblem } from '../http/problem.ts';
import type { Upstream } from './upstream.ts';

/** No replica can be reached: nothing was sent. */
export function unavailable(upstream: Upstream): HttpProblem {
  return new HttpProblem(
    upstream.identity.goneCode,
    `${upstream.identity.title} cannot be reached; try again in a moment.`,
    { headers: { 'retry-after': '1' } },
  );
}

/** The connection ended before a word of the answer, and the request must not be sent again. */
export function brokenOff(upstream: Upstream, cause: unknown): HttpProblem {
  const detail = `${upstream.identity.title} broke off before it answered. The request may have been carried out: look before you send it again.`;
  return new HttpProblem('BAD_GATEWAY', detail, { cause });
}

export function late(upstream: Upstream, cause: unknown): HttpProblem {
  return lateAnswer(upstream.identity.title, cause);
}

export function notHttp(upstream: Upstream, cause: unknown): HttpProblem {
  return new HttpProblem('BAD_GATEWAY', `${upstream.identity.title} gave an answer that is not HTTP.`, {
    cause,
  });
}
