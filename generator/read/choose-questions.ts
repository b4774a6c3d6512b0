import { UserError } from '../../contracts/errors.ts';
import type { Question } from '../../contracts/split.ts';

/** The questions of some databases; all when none are named. UserError when a named database has no questions. */
export function chooseQuestions(
  questions: readonly Question[],
  only: readonly string[] | undefined,
): readonly Question[] {
  if (!only) return questions;
  const known = new Set(questions.map(({ db_id }) => db_id));
  const unknown = only.find((db) => !known.has(db));
  if (unknown !== undefined) {
    const names = [...known].sort().join(', ');
    throw new UserError('OPTION_INVALID', '--only', `the split has no domain ${unknown}; it has ${names}`);
  }
  return questions.filter(({ db_id }) => only.includes(db_id));
}
