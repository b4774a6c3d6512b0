import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { type Dialogue, statementsHolding } from '../../contracts/dialogue.ts';
import { UserError } from '../../contracts/errors.ts';
import {
  type AppliedCorrection,
  type Correction,
  correction,
  type Question,
  type Split,
} from '../../contracts/split.ts';
import { faultIn, wordIssue } from '../../contracts/wording.ts';
import { type Confines, parseJson, readText } from './files.ts';

/** A question whose layout may have no ids. */
export interface RawQuestion extends Omit<Question, 'question_id'> {
  readonly question_id?: Question['question_id'] | undefined;
}

/** Ids default to positions. UserError for duplicates, no questions, or a db_id that is no file name. */
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
  const fault = `record ${position}: db_id ${readable(db)} cannot be used; ${fix}`;
  throw new UserError('SPLIT_INVALID', file, fault);
}

/** Quoted, with invisible characters escaped. */
function readable(text: string): string {
  const hex = (letter: string) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(text).replace(/[\u007f-\u009f\u2028\u2029]/g, hex);
}

/** Reads a JSON array, or one record per line. UserError names position, record or field. */
export function readJsonQuestions<T>(
  file: string,
  confines: Confines,
  schema: z.ZodType<T>,
  sql: 'SQL' | 'query',
): T[] {
  const text = readText(file, confines);
  const parse = (where: string, record: unknown) => parseRecord(file, where, withSql(record, sql), schema);
  if (isJsonLines(text)) return parseLines(file, text, parse);
  const value = parseJson(file, text);
  const fault = 'is not a JSON array; a questions file is an array of records, or has one record per line';
  if (!Array.isArray(value)) throw new UserError('SPLIT_INVALID', file, fault);
  return value.map((record, index) => parse(`record ${index}`, record));
}

/** Whether the first line is an object by itself and others follow. */
function isJsonLines(text: string): boolean {
  const [first = '', ...others] = text.trim().split(/\r?\n/);
  return first.startsWith('{') && first.endsWith('}') && others.length > 0;
}

function withSql(record: unknown, field: string): unknown {
  if (typeof record !== 'object' || record === null || field in record) return record;
  const found = Object.entries(record).find(
    ([name, value]) => /^(sql|query)$/i.test(name) && typeof value === 'string',
  );
  return found === undefined ? record : { ...record, [field]: found[1] };
}

/** Reads one JSON object per line; empty lines are skipped. UserError names the line. */
export function readJsonlQuestions<T>(file: string, confines: Confines, schema: z.ZodType<T>): T[] {
  const parse = (where: string, record: unknown) => parseRecord(file, where, record, schema);
  return parseLines(file, readText(file, confines), parse);
}

/** Parses the object in each non-empty line. UserError names the line. */
function parseLines<T>(file: string, text: string, parse: (where: string, record: unknown) => T): T[] {
  return text
    .split('\n')
    .flatMap((line, index) =>
      line.trim() === '' ? [] : [parse(`line ${index + 1}`, parseJson(file, line, index + 1))],
    );
}

/** Validates a record. UserError names the record and all wrong fields. */
function parseRecord<T>(file: string, where: string, record: unknown, schema: z.ZodType<T>): T {
  const result = schema.safeParse(record, { reportInput: true });
  if (result.success) return result.data;
  const faults = result.error.issues.map((issue) => {
    const field = issue.path.join('.');
    if (field === '') return 'is not a JSON object';
    if (issue.input === undefined) return `field "${field}" is missing`;
    return `field "${field}" ${wordIssue(issue)}`;
  });
  const fields = schema instanceof z.ZodObject ? `; fields: ${fieldList(schema)}` : '';
  throw new UserError('SPLIT_INVALID', file, `${where}: ${faults.join(', ')}${fields}`);
}

function fieldList(schema: z.ZodObject): string {
  return Object.entries(schema.shape)
    .map(([name, type]) => (z.safeParse(type as z.ZodType, undefined).success ? `${name} (optional)` : name))
    .join(', ');
}

/** The turns of a dialogue as questions, each to be proven by itself; the first has the whole script. */
export function turnsAsQuestions(
  known: Pick<RawQuestion, 'db_id' | 'origin' | 'canary'>,
  dialogue: Dialogue,
  id: Question['question_id'],
): Question[] {
  const holding = statementsHolding(dialogue.turns);
  return dialogue.turns.map(({ db_id = known.db_id, question, evidence, sql }, i) => ({
    ...known,
    db_id,
    question_id: `${id}.${i + 1}`,
    question,
    evidence,
    difficulty: null,
    sql,
    turn_of: id,
    ...(i === 0 ? { dialogue } : {}),
    ...(holding ? { holding: [...(holding[i] ?? [])] } : {}),
  }));
}

/** The questions of the databases in `only`; all without it. UserError for an unknown database. */
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

const CORRECTED = ['sql', 'question', 'evidence'] as const;

/** Applies corrections.jsonl; a corrected question keeps its original. UserError CORRECTIONS_INVALID names line and field. */
export function applyCorrections(split: Split, file: string): Split {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    throw invalid(file, 'cannot be read', { cause });
  }
  const corrections = readCorrections(file, text);
  const left = new Map(corrections.map((one) => [keyOf(one), one]));
  if (left.size < corrections.length)
    throw invalid(file, 'corrects a question twice; keep one line for each');
  const questions = split.questions.map((question) => {
    const found = left.get(keyOf(question));
    left.delete(keyOf(question));
    return found ? correct(question, found) : question;
  });
  // When only some domains are read, the others' questions are not there.
  const [stray] = [...left.values()].filter(({ db_id }) => split.domains.some(({ db }) => db === db_id));
  if (stray) throw invalid(file, `there is no question ${stray.question_id} of ${stray.db_id} in this split`);
  const content_hash = createHash('sha256').update(`${split.content_hash}\n${text}`).digest('hex');
  return { ...split, questions, content_hash };
}

function correct(question: Question, found: Correction): Question {
  const changed = CORRECTED.filter((field) => found[field] !== undefined && found[field] !== question[field]);
  const original = Object.fromEntries(changed.map((field) => [field, question[field]]));
  const correction: AppliedCorrection = { reason: found.reason, author: found.author, original };
  const { endpoint_words, ...rest } = question;
  // Words for an endpoint describe the SQL that there was.
  const kept = changed.includes('sql') ? rest : question;
  return { ...kept, ...Object.fromEntries(changed.map((field) => [field, found[field]])), correction };
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
    throw invalid(file, `${where}: ${faultIn(parsed.error, 'the line')}`);
  });
}

function invalid(file: string, detail: string, options?: ErrorOptions): UserError {
  return new UserError('CORRECTIONS_INVALID', file, detail, options);
}

function keyOf({ db_id, question_id }: Pick<Question, 'db_id' | 'question_id'>): string {
  return `${db_id}\n${question_id}`;
}
