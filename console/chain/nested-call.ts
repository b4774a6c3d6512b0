import { usedLabels } from '../../contracts/assemble-answer.ts';
import type { ChainCall } from './chain.ts';

/** Past this many characters a call that is used again stands as `$label$`: each branch would double the text. */
const LONGEST = 4000;

/** A chain as calls inside of calls, one line for each result that no other call refers to. */
export function nestedCall(calls: readonly ChainCall[]): string {
  const texts = new Map<string, string>();
  const used = usedLabels(calls);
  const lines: string[] = [];
  for (const { name, arguments: args, label } of calls) {
    const items = Object.entries(args).map(([key, value]) => `${key}=${textOf(value, texts)}`);
    const text = `${name}(${items.join(', ')})`;
    if (text.length <= LONGEST) texts.set(label, text);
    if (!used.has(label)) lines.push(text);
  }
  return lines.join('\n');
}

function textOf(value: unknown, texts: ReadonlyMap<string, string>): string {
  if (typeof value === 'string')
    return texts.get(/^\$([^$]+)\$$/.exec(value)?.[1] ?? '') ?? JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => textOf(item, texts)).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const entries = Object.entries(value).map(
    ([key, item]) => `${JSON.stringify(key)}: ${textOf(item, texts)}`,
  );
  return `{${entries.join(', ')}}`;
}
