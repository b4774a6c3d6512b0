import { createHash } from 'node:crypto';

/** What a seed's sha256 is taken of is the seed itself, so that anybody can check it: `printf %s <seed> | sha256sum`. */
export function commitmentOf(seed: string): string {
  return createHash('sha256').update(seed, 'utf8').digest('hex');
}
