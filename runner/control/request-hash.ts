import { createHash } from 'node:crypto';
import type { ModelRequest } from '../model/model.ts';

/** sha256 of a request and of whom it goes to. Attempts of other epochs are other requests. */
export function requestHash(target: string, { prompt, tools, decoding, origin }: ModelRequest): string {
  const text = JSON.stringify([target, origin.epoch, prompt, tools, sorted(decoding)]);
  return createHash('sha256').update(text).digest('hex');
}

function sorted(value: object): [string, unknown][] {
  return Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}
