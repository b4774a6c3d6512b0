import { HttpProblem } from '../../http/problem.ts';
import type { Upstream } from './upstream.ts';

/** No replica can be reached: nothing was sent. */
export function unavailable(upstream: Upstream): HttpProblem {
  return new HttpProblem(
    upstream.db === '' ? 'AGENTS_UNAVAILABLE' : 'DOMAIN_UNAVAILABLE',
    `${nameOf(upstream)} cannot be reached; try again in a moment.`,
    { headers: { 'retry-after': '1' } },
  );
}

/** The connection ended before a word of the answer, and the request must not be sent again. */
export function brokenOff(upstream: Upstream, cause: unknown): HttpProblem {
  const detail = `${nameOf(upstream)} broke off before it answered. The request may have been carried out: look before you send it again.`;
  return new HttpProblem('BAD_GATEWAY', detail, { cause });
}

export function late(upstream: Upstream, cause: unknown): HttpProblem {
  return new HttpProblem('GATEWAY_TIMEOUT', `${nameOf(upstream)} did not answer in time.`, { cause });
}

export function notHttp(upstream: Upstream, cause: unknown): HttpProblem {
  return new HttpProblem('BAD_GATEWAY', `${nameOf(upstream)} gave an answer that is not HTTP.`, { cause });
}

function nameOf({ db }: Upstream): string {
  return db === '' ? 'The process that keeps tasks, tool lists, MCP and runs' : `The service of ${db}`;
}
