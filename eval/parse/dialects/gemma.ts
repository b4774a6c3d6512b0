import { readCompactCalls } from './compact-object.ts';
import type { Dialect } from './dialect.ts';

/**
 * Gemma 4: `<|tool_call>call:name{a:<|"|>text<|"|>,n:1}<tool_call|>`. Gemma 3 has no tokens of its own; what it writes
 * in a `tool_code` block is program text.
 *
 * Source: chat template of google/gemma-4 on Hugging Face.
 */
export const gemma: Dialect = {
  rung: 'gemma',
  read: (output) => readCompactCalls(output, /<\|tool_call>/g, '<tool_call|>', '<|"|>'),
};
