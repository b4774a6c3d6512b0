import pluralize from 'pluralize';

/** Words that stay as they are, whatever the rules of English say of their endings. */
const UNCHANGED: ReadonlySet<string> = new Set(
  'data info staff personnel media trans sales goods gdp cm mm km kg lb lbs usd eur mhz staff news series species sat cms'.split(
    ' ',
  ),
);

/** A word that what follows is told by. */
export const PREPOSITION = /^(of|in|on|at|for|to|by|from|with|per)$/;

/** The words of a noun in the plural: `card type` → card types, `number of days` → numbers of days. */
export function plural(words: readonly string[]): readonly string[] {
  return inflected(words, pluralOf);
}

/** The words of a column in the plural: dates received; what is no noun stays: spent, approved. */
export function pluralValues(words: readonly string[]): readonly string[] {
  const last = words.at(-1) ?? '';
  if (words.length === 2 && PREPOSITION.test(last)) return words;
  if (!PARTICIPLE.test(last)) return plural(words);
  return words.length === 1 ? words : [...plural(words.slice(0, -1)), last];
}

/** A word that looks like a participle: what it tells of is no noun. */
export const PARTICIPLE =
  /^(?!(?:seed|speed|breed|feed|bed|need|weed|hundred)$)(?:.*ed|spent|given|taken|drawn|shown|due|paid|sold|made|won|lost|left|born|held|remaining|pending)$/i;

/** The words of a noun in the singular. */
export function singular(words: readonly string[]): readonly string[] {
  return inflected(words, (word) => (UNCHANGED.has(word.toLowerCase()) ? word : pluralize.singular(word)));
}

function pluralOf(word: string): string {
  const lower = word.toLowerCase();
  if (UNCHANGED.has(lower) || !/[a-z]$/i.test(word)) return word;
  if (/^[A-Z]{2,}$/.test(word) || lower === 'id') return `${word}s`;
  return pluralize.plural(word);
}

/** The head of an English noun is its last word, or the one before the first preposition. */
function inflected(words: readonly string[], inflect: (word: string) => string): readonly string[] {
  const preposition = words.findIndex((word, i) => i > 0 && PREPOSITION.test(word));
  const head = (preposition < 0 ? words.length : preposition) - 1;
  return words.map((word, i) => (i === head ? inflect(word) : word));
}
