import { QueryError } from '../../contracts/errors.ts';
import type { Question } from '../../contracts/split.ts';

/** Called for each bug of rookery that costs a question. */
export type OnBug = (question: Question, error: unknown) => void;

/**
 * Runs a step of one question that does no I/O. Any error except a QueryError is a bug of rookery: with `onBug` it
 * costs that question (a QueryError, GENERATOR_BUG), without it the whole run.
 */
export function isolateBugs<T>(question: Question, onBug: OnBug | undefined, step: () => T): T {
  try {
    return step();
  } catch (error) {
    if (error instanceof QueryError || !onBug) throw error;
    onBug(question, error);
    throw new QueryError('GENERATOR_BUG', error instanceof Error ? error.message : String(error));
  }
}
