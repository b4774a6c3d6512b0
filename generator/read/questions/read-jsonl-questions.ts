import type { z } from 'zod';
import { parseJson } from './parse-json.ts';
import { parseRecord } from './parse-record.ts';
import { readText } from './read-text.ts';

/** The records of a file with one JSON object a line; empty lines are left out. UserError names the line. */
export function readJsonlQuestions<T>(file: string, schema: z.ZodType<T>): T[] {
  return readText(file)
    .split('\n')
    .flatMap((line, index) =>
      line.trim() === ''
        ? []
        : [parseRecord(file, `line ${index + 1}`, parseJson(file, line, index + 1), schema)],
    );
}
