import type { z } from 'zod';
import { parseArguments } from '../arguments/parse-arguments.ts';
import { argumentProblem } from './argument-problem.ts';

/**
 * A query string or body as its schema has it. Throws INVALID_PARAMETERS with one entry a field: missing,
 * unknown with the nearest names, wrong type, not one of.
 */
export function checked<Schema extends z.ZodObject>(schema: Schema, value: unknown): z.output<Schema> {
  try {
    return parseArguments(schema, value);
  } catch (error) {
    throw argumentProblem(error);
  }
}
