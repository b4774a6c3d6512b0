import { readCompactCalls } from './compact-object.ts';
import type { Dialect } from './dialect.ts';

/**
 * FunctionGemma: `<start_function_call>call:name{a:<escape>text<escape>,n:1}<end_function_call>`.
 *
 * Source: https://ai.google.dev/gemma/docs/functiongemma/formatting-and-best-practices
 */
export const functionGemma: Dialect = {
  rung: 'function_gemma',
  read: (output) => readCompactCalls(output, /<start_function_call>/g, '<end_function_call>', '<escape>'),
};
