import { type CallElement, isCall } from '../calls/agent-call.ts';
import { bareName, readCallSyntax } from './call-syntax.ts';
import { DIALECTS } from './dialects/all-dialects.ts';
import { harmonyAnswer } from './dialects/harmony.ts';
import { readEmbedded } from './embedded.ts';
import { readFenced } from './fenced.ts';
import { readJson, readJsonLines } from './json-text.ts';
import type { OfferedTools, ParsedOutput } from './parsed-output.ts';
import { trimSpecialTokens, unwrap } from './special-tokens.ts';
import { withoutThoughts } from './thoughts.ts';
import { readTrailing } from './trailing.ts';
import { readXml } from './xml.ts';

/**
 * Reads the calls in whatever a model wrote, by the first of these that finds any: the whole text as JSON, JSON
 * lines, the dialects of model families, fenced blocks, `<tool_call>` elements, JSON or Python literals somewhere in
 * the text, and `f(a=1)` calls. What a model only thought does not count. An empty list of calls says that nothing is
 * to be called; null, that nothing could be read. Takes time linear in the text, and throws for none.
 *
 * @param tools the tools offered, where known: names, positional arguments and bare values are then read as theirs.
 */
export function parseLenient(output: string, tools?: OfferedTools): ParsedOutput | null {
  const { visible, unclosed } = withoutThoughts(output);
  const parsed = readVisible(visible, tools);
  const read = hasCalls(parsed) || unclosed === null ? parsed : (readUnclosed(unclosed, tools) ?? parsed);
  return read === null || tools === undefined
    ? read
    : { ...read, calls: read.calls.map((call) => named(call, tools)) };
}

function readVisible(visible: string, tools?: OfferedTools): ParsedOutput | null {
  const text = trimSpecialTokens(visible);
  const whole = firstWithCalls(text, [readJson, readJsonLines, readDialects], tools);
  if (hasCalls(whole)) return whole;
  const answer = harmonyAnswer(text) ?? text;
  const bare = unwrap(answer);
  return (
    firstWithCalls(answer, LADDER, tools) ??
    (bare === answer ? null : firstWithCalls(bare, LADDER, tools)) ??
    whole
  );
}

/** A call that begins with its dialect's own token is one; anything else, only if the output ends with it. */
function readUnclosed(thoughts: string, tools?: OfferedTools): ParsedOutput | null {
  const text = trimSpecialTokens(thoughts);
  const parsed = readDialects(text, tools) ?? readXml(text, tools);
  return hasCalls(parsed) ? parsed : readTrailing(text, tools);
}

type Reader = (output: string, tools?: OfferedTools) => ParsedOutput | null;

/** What the first reader finds that finds calls; else that nothing is to be called, if one says so. */
function firstWithCalls(
  output: string,
  readers: readonly Reader[],
  tools?: OfferedTools,
): ParsedOutput | null {
  let none: ParsedOutput | null = null;
  for (const read of readers) {
    const parsed = read(output, tools);
    if (hasCalls(parsed)) return parsed;
    none ??= parsed;
  }
  return none;
}

function hasCalls(parsed: ParsedOutput | null): boolean {
  return parsed !== null && parsed.calls.length > 0;
}

function readDialects(output: string, tools?: OfferedTools): ParsedOutput | null {
  for (const { rung, read } of DIALECTS) {
    const calls = read(output, tools);
    if (calls?.some(isCall)) return { calls, rung };
  }
  return null;
}

function named(call: CallElement, tools: OfferedTools): CallElement {
  return isCall(call) ? { ...call, name: bareName(call.name, tools) } : call;
}

const LADDER: readonly Reader[] = [
  readJson,
  readJsonLines,
  readFenced,
  readXml,
  readEmbedded,
  readCallSyntax,
];
