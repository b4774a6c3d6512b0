import { DEEPEST_LINE } from '../../contracts/json-depth.ts';
import type { Json } from '../json/lossless.ts';

/** What stands for a part that is nested too deeply to be anything meant: no call, and no row. */
const TOO_DEEP = '… nested too deeply to be read';

/**
 * A line of a prediction file that is nested too deeply, with each of its fields cut where it is: one such answer must
 * not make all the others unreadable. Throws SyntaxError.
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
