import { HttpProblem } from './problem.ts';

// What is said of a server that is busy or broken. It is worded here alone, so that a fault on purpose reads as a real one.

export function tooManySlowQueries(retryAfterS = '1', cause?: unknown): HttpProblem {
  return new HttpProblem('OVERLOADED', 'Too many slow queries are waiting. Try again in a moment.', {
    headers: { 'retry-after': retryAfterS },
    cause,
  });
}

export function tooManyRequests(aMinute: number, retryAfterS: number): HttpProblem {
  const detail = `${aMinute} requests a minute are possible; try again in ${retryAfterS} s.`;
  return new HttpProblem('RATE_LIMITED', detail);
}

export function internalProblem(requestId: string, cause?: unknown): HttpProblem {
  return new HttpProblem('INTERNAL', `The server's log has more under request id ${requestId}.`, { cause });
}

/** `who` begins a sentence: `The service of shop`. */
export function lateAnswer(who: string, cause?: unknown): HttpProblem {
  return new HttpProblem('GATEWAY_TIMEOUT', `${who} did not answer in time.`, { cause });
}
