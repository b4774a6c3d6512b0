import type { z } from 'zod';
import type { Confines } from '../files/own-file.ts';
import { parseJson } from '../files/parse-json.ts';
import { readText } from '../files/read-text.ts';
import { parseRecord } from './parse-record.ts';

/** The records of a file with one JSON object a line; empty lines are left out. UserError names the line. */
export function readJsonlQuestions<T>(file: string, confines: Confines, schema: z.ZodType<T>): T[] {
  return readText(file, confines)
    .split('\n')
    .flatMap((line, index) =>
      line.trim() === ''
        ? []
        : [parseRecord(file, `line ${index + 1}`, parseJson(file, line, index + 1), schema)],
    );
}
