import type { z } from 'zod';
import { UserError } from '../../../contracts/errors.ts';
import type { Confines } from '../files/own-file.ts';
import { parseJson } from '../files/parse-json.ts';
import { readText } from '../files/read-text.ts';
import { parseRecord } from './parse-record.ts';
import { parseLines } from './read-jsonl-questions.ts';

/**
 * The records of a JSON file that holds one array, or a record a line. The SQL may be called as in another layout.
 * UserError names the position, record or field at fault.
 */
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
  if (!Array.isArray(value)) {
    throw new UserError(
      'SPLIT_INVALID',
      file,
      'is not a JSON array; a questions file is an array of records, or has a record a line',
    );
  }
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
