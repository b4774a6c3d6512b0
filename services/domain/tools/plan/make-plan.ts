import { createHash } from 'node:crypto';
import type { Plan } from './plan.ts';

const HEX_DIGITS = 12;
const MAX_NAME_LETTERS = 40;

/** `<word>_<12 hex digits>`, e.g. `filtered_1b0c8fd77e20`. */
export const HANDLE_PATTERN = /^[a-z][a-z0-9_]*_[0-9a-f]{12}$/;

/** A handle without the word for the operation that made it: `t_1b0c8fd77e20`. It names the same plan. */
export function bareHandle(handle: string): string {
  return `t_${handle.slice(-HEX_DIGITS)}`;
}

/** A plan node from its content: adds the handle, which equal contents share on every machine. */
export function makePlan<P extends Plan>(word: string, content: Omit<P, 'handle'>): P {
  // A plan inside is written as its handle, so the text stays short however deep the plan.
  const text = JSON.stringify(content, (key, value: unknown) => {
    if (key === 'columns') return undefined;
    if (typeof value === 'bigint') return { integer: value.toString() };
    if (isPlan(value)) return { plan: value.handle };
    return value;
  });
  const digits = createHash('sha256').update(text).digest('hex').slice(0, HEX_DIGITS);
  const name = word
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, MAX_NAME_LETTERS);
  return Object.freeze({ ...content, handle: `${/^[a-z]/.test(name) ? name : `t_${name}`}_${digits}` }) as P;
}

function isPlan(value: unknown): value is Plan {
  return typeof value === 'object' && value !== null && 'op' in value && 'handle' in value;
}
