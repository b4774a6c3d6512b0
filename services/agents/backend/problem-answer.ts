import { type Problem, problem as problemSchema } from '../../../contracts/problem.ts';
import { HttpProblem, PROBLEM_TYPE } from '../../base/http/problem.ts';
import type { BackendAnswer } from './backend.ts';

/** A problem as the answer of a service. */
export function problemAnswer(problem: Problem, retryAfter?: string): BackendAnswer {
  return {
    status: problem.status,
    contentType: PROBLEM_TYPE,
    ...(retryAfter === undefined ? {} : { retryAfter }),
    body: JSON.stringify(problem),
  };
}

/** What is recorded of a call whose client hung up before the answer. */
export function callerGone(): BackendAnswer {
  return problemAnswer(new HttpProblem('CALLER_GONE', 'The caller hung up before the answer.').toProblem());
}

/** The code of a problem's body, or null when it is none. */
export function problemCode({ body }: BackendAnswer): string | null {
  return readProblem(body)?.code ?? null;
}

/** The problem that a body describes, or null when it describes none. */
export function readProblem(body: string): Problem | null {
  try {
    return problemSchema.parse(JSON.parse(body));
  } catch {
    return null;
  }
}
