import type { Problem } from '../../../contracts/problem.ts';

/** A problem whose every text for people is reworded; codes, types and titles stay. */
export function rewordProblem(problem: Problem, reword: (text: string) => string): Problem {
  const errors = problem.errors?.map(({ field, message, suggestions, ...rest }) => ({
    ...rest,
    field: reword(field),
    message: reword(message),
    ...(suggestions ? { suggestions: suggestions.map(reword) } : {}),
  }));
  return { ...problem, detail: reword(problem.detail), ...(errors ? { errors } : {}) };
}
