import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type AppliedCorrection, type Correction, correction } from '../../contracts/correction.ts';
import { UserError } from '../../contracts/errors.ts';
import type { Question, Split } from '../../contracts/split.ts';

const FIELDS = ['sql', 'question', 'evidence'] as const;

/**
 * A split with its questions as `corrections.jsonl` says; each corrected one keeps what it was. The file's content
 * counts for the split's hash. UserErrors: CORRECTIONS_INVALID names the line and the field.
 */
export function applyCorrections(split: Split, file: string): Split {
  const text = readText(file);
  const corrections = readCorrections(file, text);
  const left = new Map(corrections.map((one) => [keyOf(one), one]));
  if (left.size < corrections.length)
    throw invalid(file, 'corrects a question twice; keep one line for each');
  const questions = split.questions.map((question) => {
    const found = left.get(keyOf(question));
    left.delete(keyOf(question));
    return found ? correct(question, found) : question;
  });
  // With only some domains read, the others' questions are not there.
  const [stray] = [...left.values()].filter(({ db_id }) => split.domains.some(({ db }) => db === db_id));
  if (stray) throw invalid(file, `there is no question ${stray.question_id} of ${stray.db_id} in this split`);
  const content_hash = createHash('sha256').update(`${split.content_hash}\n${text}`).digest('hex');
  return { ...split, questions, content_hash };
}

function correct(question: Question, found: Correction): Question {
  const changed = FIELDS.filter((field) => found[field] !== undefined && found[field] !== question[field]);
  const original = Object.fromEntries(changed.map((field) => [field, question[field]]));
  const corrected: AppliedCorrection = {
    reason: found.reason,
    ...(found.author === undefined ? {} : { author: found.author }),
    original,
  };
  return {
    ...question,
    ...Object.fromEntries(changed.map((field) => [field, found[field]])),
    correction: corrected,
  };
}

function readCorrections(file: string, text: string): Correction[] {
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    const where = `line ${index + 1}`;
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch (error) {
      throw invalid(file, `${where} is not JSON: ${(error as Error).message}`);
    }
    const parsed = correction.safeParse(value);
    if (parsed.success) return [parsed.data];
    const [issue] = parsed.error.issues;
    throw invalid(file, `${where}: ${issue?.path.join('.') || 'the line'}: ${issue?.message}`);
  });
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new UserError('CORRECTIONS_INVALID', file, 'cannot be read', { cause });
  }
}

function invalid(file: string, detail: string): UserError {
  return new UserError('CORRECTIONS_INVALID', file, detail);
}

function keyOf({ db_id, question_id }: Pick<Question, 'db_id' | 'question_id'>): string {
  return `${db_id}\n${question_id}`;
}
