import type { z } from 'zod';
import { UserError } from '../../../contracts/errors.ts';
import type { Confines } from '../files/own-file.ts';
import { parseJson } from '../files/parse-json.ts';
import { readText } from '../files/read-text.ts';
import { parseRecord } from './parse-record.ts';

/** The records of a JSON file that holds one array. UserError names the position, record or field at fault. */
export function readJsonQuestions<T>(file: string, confines: Confines, schema: z.ZodType<T>): T[] {
  const value = parseJson(file, readText(file, confines));
  if (!Array.isArray(value)) {
    throw new UserError(
      'SPLIT_INVALID',
      file,
      'is not a JSON array; a questions file is an array of records',
    );
  }
  return value.map((record, index) => parseRecord(file, `record ${index}`, record, schema));
}
