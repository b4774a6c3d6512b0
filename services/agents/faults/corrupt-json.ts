import { stringify } from 'lossless-json';
import { readObject } from './read-object.ts';

/** A text with a number from 0 up to 1 for where it is corrupted. */
export interface Corruption {
  readonly text: string;
  readonly at: number;
}

/** The answer up to some place in its latter three quarters. */
export function truncateText({ text, at }: Corruption): string {
  return text.slice(0, Math.floor(text.length * (0.25 + 0.7 * at)));
}

/** The answer with one of the slips that hand-made JSON has; never JSON any more. */
export function malformText({ text, at }: Corruption): string {
  const slips: readonly ((whole: string) => string)[] = [
    // A comma before the last bracket.
    (whole) => whole.replace(/([}\]])\s*$/, ',$1'),
    // The first name without its quotes.
    (whole) => whole.replace(/"([A-Za-z_]\w*)"\s*:/, '$1:'),
    // A page around it.
    (whole) => `<html><body>${whole}</body></html>`,
  ];
  const slip = slips[Math.floor(at * slips.length)] as (whole: string) => string;
  const corrupted = slip(text);
  return isJson(corrupted) ? `${corrupted}}` : corrupted;
}

/**
 * The answer as a later version of the service might give it: a field renamed, numbers as texts, or all of it one
 * level deeper. What is no JSON object stays as it is.
 */
export function driftJson({ text, at }: Corruption): string {
  const value = readObject(text);
  if (!value) return text;
  const names = Object.keys(value);
  const renamed = names[Math.floor(at * 97) % Math.max(1, names.length)];
  const drifts: readonly (() => unknown)[] = [
    () =>
      Object.fromEntries(
        Object.entries(value).map(([key, inner]) => [key === renamed ? `${key}_v2` : key, inner]),
      ),
    () => numbersAsTexts(value),
    () => ({ result: value }),
  ];
  return stringify((drifts[Math.floor(at * drifts.length)] as () => unknown)()) ?? text;
}

function numbersAsTexts(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(numbersAsTexts);
  if (typeof value !== 'object' || value === null) return value;
  if ('isLosslessNumber' in value) return String(value);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, numbersAsTexts(inner)]));
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
