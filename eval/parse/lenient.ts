import type { Rung } from '../../contracts/report.ts';
import { readCallSyntax } from './call-syntax.ts';
import { readEmbedded } from './embedded.ts';
import { readFenced } from './fenced.ts';
import { readJson, readJsonLines } from './json-text.ts';
import type { ParsedOutput } from './parsed-output.ts';
import { readXml } from './xml.ts';

/**
 * Reads the calls in whatever a model wrote, by the first of these that finds any: the whole text as JSON, JSON
 * lines, fenced blocks, `<tool_call>` elements, JSON or Python literals somewhere in the text, and `f(a=1)` calls.
 * null if none does. Takes time linear in the text, and throws for none.
 */
export function parseLenient(output: string): ParsedOutput | null {
  const visible = afterThinking(output);
  for (const read of LADDER) {
    const parsed = read(visible);
    if (parsed !== null) return parsed;
  }
  return null;
}

const LADDER: readonly ((output: string) => ParsedOutput | null)[] = [
  readJson,
  readJsonLines,
  readFenced,
  readXml,
  readEmbedded,
  readCallSyntax,
];

/** The rungs in the order in which they are tried. */
export const RUNGS: readonly Rung[] = [
  'json',
  'native',
  'jsonl',
  'fenced',
  'xml',
  'json_in_text',
  'python_literal',
  'call_syntax',
];

/** What follows the last block of thoughts: calls that a model only considered are not its answer. */
function afterThinking(output: string): string {
  const end = output.lastIndexOf(THOUGHTS_END);
  return end < 0 ? output : output.slice(end + THOUGHTS_END.length);
}

const THOUGHTS_END = '</think>';
