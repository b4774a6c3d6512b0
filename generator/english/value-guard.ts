import type { Choice } from '../template/choices.ts';

/**
 * Keeps the values that questions choose out of what an endpoint says. Prose of the catalog (descriptions)
 * is dropped piece by piece when it holds one: a text as a whole word in any case, a code of two letters in
 * its own case, one of a single letter where it stands like a code (`'A'`, `A: …`, `A = …`), a number of two
 * digits or more as a whole number. Names of tables and columns are no prose: they are the interface itself
 * and stay, and so do words such as "no" and "in".
 */
export class ValueGuard {
  readonly #texts: readonly RegExp[];

  constructor(choices: Iterable<Choice>) {
    const values = new Set<string>();
    for (const { value } of choices) {
      for (const one of typeof value === 'object' ? value : [value]) values.add(String(one).trim());
    }
    this.#texts = [...values]
      .filter((value) => value !== '')
      .map(patternOf)
      .filter((pattern) => pattern !== null);
  }

  /** Whether a piece of prose holds a value that some question chooses. */
  holdsValue(prose: string): boolean {
    return this.#texts.some((pattern) => pattern.test(prose));
  }
}

function patternOf(value: string): RegExp | null {
  const escaped = value.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  if (/^-?\d+(\.\d+)?$/.test(value)) {
    return value.replace(/\D/g, '').length < 2 ? null : new RegExp(`(?<![\\d.])${escaped}(?!\\d|\\.\\d)`);
  }
  const word = `(?<![\\p{L}\\p{N}])${escaped}(?![\\p{L}\\p{N}])`;
  if (value.length > 2) return new RegExp(word, 'iu');
  if (value.length === 2) return SMALL_WORDS.has(value) ? null : new RegExp(word, 'u');
  const code = `(?:['"‘“(]${escaped}['"’”)]|(?<![\\p{L}\\p{N}])${escaped}\\s*[:：=])`;
  return new RegExp(code, 'iu');
}

const SMALL_WORDS: ReadonlySet<string> = new Set(
  'an as at be by do he if in is it me my no of on or so to up us we'.split(' '),
);
