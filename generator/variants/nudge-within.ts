import type { Stored } from '../oracle/messages.ts';
import { type Content, fits, nextDay } from './content.ts';
import { nudgeJson } from './json-change.ts';
import { nudge } from './nudge.ts';
import type { Random } from './random.ts';

/** A value slightly changed that a column of that content could hold: JSON stays JSON, a day a day. */
export function nudgeWithin(value: Stored, content: Content | null, random: Random): Stored {
  if (content === null || value === null || !fits(value, content)) return nudge(value, random);
  if (content === 'json') return nudgeJson(String(value), random);
  return nextDay(value, random.chance(0.5));
}
