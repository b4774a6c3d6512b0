import { UserError } from '../../../contracts/errors.ts';
import type { Question } from '../../../contracts/split.ts';

/** A question as read from its layout; not every layout has ids. */
export interface RawQuestion extends Omit<Question, 'question_id'> {
  readonly question_id: Question['question_id'] | undefined;
}

/**
 * Gives questions without an id their 0-based position. UserError when two ids are the same, when there are no
 * questions, or when a db_id cannot be a file name.
 */
export function numberQuestions(file: string, raw: readonly RawQuestion[]): Question[] {
  if (raw.length === 0) {
    throw new UserError('SPLIT_INVALID', file, 'holds no questions; a farm needs at least one');
  }
  const seen = new Map<string, number>();
  const duplicates: string[] = [];
  const questions = raw.map((record, position) => {
    requireFileName(file, record.db_id, position);
    const question = { ...record, question_id: record.question_id ?? position };
    // Ids end up in paths and sample ids, where 7 and "7" are the same.
    const key = String(question.question_id);
    const first = seen.get(key);
    if (first === undefined) seen.set(key, position);
    else duplicates.push(`${key} (records ${first} and ${position})`);
    return question;
  });
  if (duplicates.length > 0) {
    const shown = duplicates.slice(0, 5).join(', ') + (duplicates.length > 5 ? ', …' : '');
    const fix = 'make every question_id unique, or leave it out of all records';
    throw new UserError('SPLIT_INVALID', file, `question_id is used more than once: ${shown}; ${fix}`);
  }
  return questions;
}

function requireFileName(file: string, db: string, position: number): void {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  if (!/[/\\\u0000-\u001f\u007f-\u009f\u2028\u2029]|^\.|^\s|\s$/.test(db)) return;
  const fix =
    'a db_id is the plain name of a database, without path separators, line breaks or a leading dot';
  throw new UserError(
    'SPLIT_INVALID',
    file,
    `record ${position}: db_id ${readable(db)} cannot be used; ${fix}`,
  );
}

/** In quotes, with what cannot be seen written out. */
function readable(text: string): string {
  const hex = (letter: string) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(text).replace(/[\u007f-\u009f\u2028\u2029]/g, hex);
}
