import { QueryError } from '../../contracts/errors.ts';
import type { Question } from '../../contracts/split.ts';

/** Hears of faults of rookery's own that cost a question. */
export type OnBug = (question: Question, error: unknown) => void;

/**
 * Does a step of one question that reads and writes nothing. Whatever it throws besides QueryErrors is a fault of
 * ours: where somebody listens it costs the question (a QueryError, GENERATOR_BUG) and not the whole farm.
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
