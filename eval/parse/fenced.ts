import { readCallSyntax } from './call-syntax.ts';
import { chooseCalls, type Part } from './choose.ts';
import { readEmbedded } from './embedded.ts';
import { readJson, readJsonLines } from './json-text.ts';
import type { OfferedTools, ParsedOutput } from './parsed-output.ts';

/**
 * Blocks between ``` marks, each holding JSON, JSON lines, Python literals or calls; a last mark may be missing. An
 * empty list in a block says that nothing is to be called.
 */
export function readFenced(output: string, tools?: OfferedTools): ParsedOutput | null {
  const parts: Part[] = [];
  let at = output.indexOf(FENCE);
  while (at >= 0) {
    const closing = output.indexOf(FENCE, at + FENCE.length);
    const block = output
      .slice(at + FENCE.length, closing < 0 ? undefined : closing)
      .replace(/^[\w-]*[ \t]*\r?\n/, '');
    const parsed = block.trim() === '' ? null : readBlock(block, tools);
    if (parsed !== null)
      parts.push({ calls: parsed.calls, list: /^\s*\[/.test(block) || parsed.calls.length > 1 });
    at = closing < 0 ? -1 : output.indexOf(FENCE, closing + FENCE.length);
  }
  const saysNone = parts.some(({ calls }) => calls.length === 0);
  const calls = chooseCalls(parts) ?? (saysNone ? [] : null);
  return calls === null ? null : { calls, rung: 'fenced' };
}

const FENCE = '```';

function readBlock(block: string, tools?: OfferedTools): ParsedOutput | null {
  return readJson(block) ?? readJsonLines(block) ?? readEmbedded(block) ?? readCallSyntax(block, tools);
}
