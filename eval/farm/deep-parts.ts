import { DEEPEST_LINE } from '../../contracts/json-depth.ts';
import type { Json } from '../json/lossless.ts';

/** The replacement for a part that is nested too deeply to be a call or a row. */
const TOO_DEEP = '… nested too deeply to be read';

/**
 * Parses a line of a prediction file that is nested too deeply, and truncates such fields: one answer must not make all
 * others unreadable. Throws SyntaxError.
 */
export function withoutDeepParts(text: string): Json {
  return cut(JSON.parse(text) as Json, DEEPEST_LINE);
}

function cut(value: Json, levels: number): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) return TOO_DEEP;
  if (Array.isArray(value)) return value.map((item) => cut(item, levels - 1));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, cut(item as Json, levels - 1)]));
}
