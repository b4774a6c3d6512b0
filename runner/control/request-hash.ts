import { createHash } from 'node:crypto';
import type { ModelRequest, ModelTool } from '../model/model.ts';

/** sha256 of a request and of whom it goes to. Attempts of other epochs are other requests. */
export function requestHash(
  target: string,
  { prompt, tools, decoding, origin, replySchema }: ModelRequest,
): string {
  const asked = [target, origin.epoch, prompt, hashOfTools(tools), sorted(decoding)];
  const text = JSON.stringify(replySchema === undefined ? asked : [...asked, replySchema]);
  return createHash('sha256').update(text).digest('hex');
}

/** Tasks of a toolset are offered the same list: a hundred tools are not read again for every turn. */
const KNOWN = new WeakMap<readonly ModelTool[], string>();

function hashOfTools(tools: readonly ModelTool[]): string {
  const known = KNOWN.get(tools);
  if (known !== undefined) return known;
  const hash = createHash('sha256').update(JSON.stringify(tools)).digest('hex');
  KNOWN.set(tools, hash);
  return hash;
}

function sorted(value: object): [string, unknown][] {
  return Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}
