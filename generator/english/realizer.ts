import { literalPattern } from '../../contracts/wording.ts';
import type { Choice } from '../template/choices.ts';
import type { Clauses, Condition, Given, Term, Thing } from './clause.ts';
import type { NounPhrase } from './noun-phrase.ts';

/**
 * The style of a text: a `summary` has "a given value", a `description` the parameters' names, a `question` the
 * values themselves.
 */
export type Style = 'summary' | 'description' | 'question';

/** The amount of detail in a summary; columns that are left out are mentioned, and no condition is left out. */
export interface Detail {
  /** Sort keys of rows that are not cut. */
  readonly order: boolean;
  /** The number of columns beside the rows' names. */
  readonly columns: number;
  /** Whether columns that only one table has are rendered with their owner. */
  readonly whose: boolean;
}

export const EVERYTHING: Detail = {
  order: true,
  columns: 5,
  whose: true,
};

/**
 * The words before the conditions: `for` rows, `one` row, `with` a noun inside another phrase, `of` what is a share of all,
 * `among` a number that already has other conditions: percentage of films with a given type among those with a score above a given value.
 */
export type Lead = 'for' | 'with' | 'one' | 'of' | 'among';

/** Renders parts of a sentence in the context of the whole. */
export interface Realizer {
  readonly style: Style;
  readonly detail: Detail;
  /** The subject of the sentence, which is not named again. */
  readonly subject: Thing | null;
  /** The same sentence with another subject. */
  about(subject: Thing | null): Realizer;
  /** A chosen value, named after the term it is compared with: as the thing itself ("a given year") or as a value of it. */
  given(given: Given, about: NounPhrase, as: 'thing' | 'value'): string;
  noun(term: Term): NounPhrase;
  /** Conditions after a noun: for a given year with a score above a given value. */
  adjuncts(conditions: readonly Condition[], lead?: Lead): string;
  clause(condition: Condition): string;
  /** Renders a part; if the result is null, mentions made meanwhile are forgotten. */
  attempt<T>(render: () => T | null): T | null;
  /** A query as a noun phrase without an article; in the singular (`one`) if it is read as one value. */
  query(clauses: Clauses, one?: boolean): string;
}

/**
 * Keeps the values that questions choose out of an endpoint's texts. Prose of the catalog (descriptions)
 * is dropped piece by piece when it holds one: a text as a whole word in any case, a code of two letters in
 * its own case, one of a single letter where it is written like a code (`'A'`, `A: …`, `A = …`), a number of two
 * digits or more as a whole number. Names of tables and columns are not prose: they are the interface itself
 * and stay, and so do words such as "no" and "in".
 */
export class ValueGuard {
  readonly #texts: readonly RegExp[];
  readonly #known = new Map<string, boolean>();

  constructor(choices: Iterable<Pick<Choice, 'value'>>) {
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
    const known = this.#known.get(prose) ?? this.#texts.some((pattern) => pattern.test(prose));
    this.#known.set(prose, known);
    return known;
  }
}

function patternOf(value: string): RegExp | null {
  const escaped = literalPattern(value);
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
