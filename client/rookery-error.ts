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
    try {
      const problem = JSON.parse(text) as Problem;
      return new RookeryError(status, `${problem.code}: ${problem.detail}`, problem);
    } catch {
      return new RookeryError(status, `${status}: ${text.slice(0, 200)}`, null);
    }
  }
}
