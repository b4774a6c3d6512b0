import type { Problem } from '../contracts/problem.ts';

/** A farm's answer other than 2xx. */
export class RookeryError extends Error {
  readonly status: number;
  /** The problem that the farm described, or null when the answer was none of its own. */
  readonly problem: Problem | null;

  constructor(status: number, message: string, problem: Problem | null) {
    super(message);
    this.name = 'RookeryError';
    this.status = status;
    this.problem = problem;
  }

  static of(status: number, text: string): RookeryError {
    const problem = problemOf(text);
    return problem
      ? new RookeryError(status, `${problem.code}: ${problem.detail}`, problem)
      : new RookeryError(status, `${status}: ${text.slice(0, 200)}`, null);
  }
}

/** The problem in a body, or null: a proxy on the way may answer with a page, or with JSON of its own. */
function problemOf(text: string): Problem | null {
  try {
    const body = JSON.parse(text) as Partial<Problem> | null;
    return typeof body?.code === 'string' && typeof body.detail === 'string' ? (body as Problem) : null;
  } catch {
    return null;
  }
}
