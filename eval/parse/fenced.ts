import { readCallSyntax } from './call-syntax.ts';
import { chooseCalls, type Part } from './choose.ts';
import { readEmbedded } from './embedded.ts';
import { readJson, readJsonLines } from './json-text.ts';
import type { ParsedOutput } from './parsed-output.ts';

/** Blocks between ``` marks, each holding JSON, JSON lines, Python literals or calls; a last mark may be missing. */
export function readFenced(output: string): ParsedOutput | null {
  const parts: Part[] = [];
  let at = output.indexOf(FENCE);
  while (at >= 0) {
    const closing = output.indexOf(FENCE, at + FENCE.length);
    const block = output
      .slice(at + FENCE.length, closing < 0 ? undefined : closing)
      .replace(/^[\w-]*[ \t]*\r?\n/, '');
    const parsed = readBlock(block);
    if (parsed !== null)
      parts.push({ calls: parsed.calls, list: /^\s*\[/.test(block) || parsed.calls.length > 1 });
    at = closing < 0 ? -1 : output.indexOf(FENCE, closing + FENCE.length);
  }
  const calls = chooseCalls(parts);
  return calls === null ? null : { calls, rung: 'fenced' };
}

const FENCE = '```';

function readBlock(block: string): ParsedOutput | null {
  return readJson(block) ?? readJsonLines(block) ?? readEmbedded(block) ?? readCallSyntax(block);
}
