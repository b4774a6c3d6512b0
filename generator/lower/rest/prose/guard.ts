import type { Choice } from '../choices/choice.ts';

/**
 * Keeps the values that questions choose out of what an endpoint says. Prose of the catalog (descriptions)
 * is dropped piece by piece when it holds one: a text as a whole word in any case, a number of two digits or
 * more as a whole number, and a code of one or two letters where it stands like one (`'A'`, `A: …`, `A = …`).
 * Names of tables and columns are no prose: they are the interface itself and stay.
 */
export class ValueGuard {
  readonly #texts: readonly RegExp[];

  constructor(choices: Iterable<Choice>) {
    const values = new Set<string>();
    for (const { value } of choices) {
      for (const one of typeof value === 'object' ? value : [value])
        values.add(String(one).trim().toLowerCase());
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
  if (value.length > 2) return new RegExp(`(?<![\\p{L}\\p{N}])${escaped}(?![\\p{L}\\p{N}])`, 'iu');
  const code = `(?:['"‘“(]${escaped}['"’”)]|(?<![\\p{L}\\p{N}])${escaped}\\s*[:：=])`;
  return new RegExp(code, 'iu');
}
