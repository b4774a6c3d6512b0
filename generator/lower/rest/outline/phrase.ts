/** How something is said: in names (words in order) and in prose. */
export interface Phrase {
  /** As the thing a query is about: count superheroes, percentage of superheroes with gender. */
  readonly head: readonly string[];
  /** As a quantity or property among others: superhero count, average height. */
  readonly noun: readonly string[];
  /** As the key of a result column: count, average height. */
  readonly short: readonly string[];
  /** In a sentence, without an article: number of superheroes. */
  readonly text: string;
  /** What comes with it when it orders rows: dates are early and late, numbers high and low. */
  readonly scale: 'number' | 'date' | 'text' | 'count';
  /** Whether `text` names one thing that "a given …" may precede. */
  readonly simple: boolean;
}

type Scale = Phrase['scale'];

/** A phrase that is said with the same words everywhere. */
export function plainPhrase(words: readonly string[], text = prose(words), scale: Scale = 'number'): Phrase {
  return { head: words, noun: words, short: words, text, scale, simple: true };
}

/** What is computed of constants alone. */
export const FIXED = plainPhrase(['fixed', 'value'], 'a fixed value');

/** The phrase with its words changed wherever they stand, and another text. */
export function reworded(
  of: Phrase,
  change: (words: readonly string[]) => readonly string[],
  text: string,
): Phrase {
  return { ...of, head: change(of.head), noun: change(of.noun), short: change(of.short), text };
}

export function prose(words: readonly string[]): string {
  return words.join(' ');
}

/** The words without what is too long to be read in a name. */
export function upTo(
  most: number,
  words: readonly string[],
  otherwise: readonly string[],
): readonly string[] {
  return words.length <= most ? words : otherwise;
}

/** Every word of the first that is in all others too, in order. */
export function commonWords(lists: readonly (readonly string[])[]): readonly string[] {
  const [first = [], ...others] = lists;
  return first.filter((word) => others.every((words) => words.includes(word)));
}

/** `a`, `a and b`, `a, b and c`. */
export function listed(items: readonly string[], conjunction = 'and'): string {
  if (items.length <= 1) return items[0] ?? '';
  return `${items.slice(0, -1).join(', ')} ${conjunction} ${items.at(-1)}`;
}

const MOST_COLUMNS = 8;

/** What a row holds, as far as anybody reads on: ID, title, year and 40 more columns. */
export function listedColumns(items: readonly string[]): string {
  if (items.length <= MOST_COLUMNS) return listed(items);
  const shown = items.slice(0, MOST_COLUMNS - 3);
  return listed([...shown, `${items.length - shown.length} more columns`]);
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The first letter small unless the word is an acronym. */
export function uncapital(text: string): string {
  return /^[A-Z]{2}/.test(text) ? text : text.charAt(0).toLowerCase() + text.slice(1);
}
