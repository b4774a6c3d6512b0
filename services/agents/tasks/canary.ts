import { createHash } from 'node:crypto';

/**
 * A text that stands in every row that trainers are given of a farm, and nowhere else: what it is found in was trained on
 * the farm. Each farm and each world has its own.
 */
export function canaryOf(farmHash: string): string {
  const hash = createHash('sha256').update(`canary of ${farmHash}`).digest('hex');
  return `rookery-canary ${hash.slice(0, 32)}`;
}
