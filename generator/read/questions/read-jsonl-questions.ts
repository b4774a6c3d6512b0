import type { z } from 'zod';
import type { Confines } from '../files/own-file.ts';
import { parseJson } from '../files/parse-json.ts';
import { readText } from '../files/read-text.ts';
import { parseRecord } from './parse-record.ts';

/** The records of a file with one JSON object a line; empty lines are left out. UserError names the line. */
export function readJsonlQuestions<T>(file: string, confines: Confines, schema: z.ZodType<T>): T[] {
  const parse = (where: string, record: unknown) => parseRecord(file, where, record, schema);
  return parseLines(file, readText(file, confines), parse);
}

/** What is made of the object in each line that is not empty. UserError names the line that holds none. */
export function parseLines<T>(file: string, text: string, parse: (where: string, record: unknown) => T): T[] {
  return text
    .split('\n')
    .flatMap((line, index) =>
      line.trim() === '' ? [] : [parse(`line ${index + 1}`, parseJson(file, line, index + 1))],
    );
}
