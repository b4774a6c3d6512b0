import { createHash } from 'node:crypto';
import pluralize from 'pluralize';

/** Mass nouns, which have no plural. */
const MASS = `weather equipment software hardware furniture traffic luggage advice knowledge feedback homework money
  machinery clothing merchandise inventory management maintenance employment fuel parking heating electricity insurance furnishing`;

/** Words whose plural is the same, whatever the rules for their endings say. */
export const UNCHANGED: ReadonlySet<string> = new Set(
  `data info staff personnel media trans sales goods news series species spacecraft hovercraft watercraft sat cms greatest least gdp usd eur cm mm km kg lb lbs mhz mph
  ${MASS}`.split(/\s+/),
);

export const MASS_NOUNS: ReadonlySet<string> = new Set(MASS.split(/\s+/));

/** The plural of a word: label → labels, severity → severities; a plural is returned unchanged. */
export function pluralOf(word: string): string {
  const lower = word.toLowerCase();
  if (UNCHANGED.has(lower) || !/[a-z]{2}$/i.test(word)) return word;
  if (/[A-Z]$/.test(word) || lower === 'id') return `${word}s`;
  return pluralize.plural(word);
}

/** Prepositions, which attach a complement to the word before. */
export const PREPOSITION = /^(of|in|on|at|for|to|by|from|with|per)$/;

/** Words that look like participles and so describe no noun. */
export const PARTICIPLE =
  /^(?!(?:seed|speed|breed|feed|bed|need|weed|deed|shed|red|hundred)$)(?:.*ed|spent|given|taken|(?:with)?drawn|shown|due|paid|sold|made|won|lost|left|born|built|held|began|begun|blown|broken|written|seen|known|done|put|went|gone|came|bought|lent|sent|flown|hidden|unsold|remaining|pending)$/i;

/** Particles that follow a participle: blown down, put out. */
export const ADVERBIAL = /^(down|up|out|off|over|back|away)$/i;

/** Interrogatives, and adverbs of time or frequency. */
const QUESTION = /^(who|what|when|where|why|how|since|until|till|into|again|every)$/i;

/** The plural for the values of a column; words that are not nouns stay: opened, since. */
export function pluralValue(word: string): string {
  return [PARTICIPLE, ADVERBIAL, PREPOSITION, QUESTION].some((each) => each.test(word))
    ? word
    : pluralOf(word);
}

const MAX_CHARACTERS = 64;
const HEX_DIGITS = 8;

/**
 * Names of the SEL tools that read columns, by key: `get_<table>_<columns>`, with the last word in the
 * plural. A name that is too long for a tool, or that collides with another column's (`label` beside
 * `labels`), ends in a hash of the key instead.
 */
export function getterNames(keys: Iterable<string>): ReadonlyMap<string, string> {
  const all = new Set(keys);
  return new Map(
    [...all].map((key) => {
      const many = key.replace(/[^_]+$/, pluralValue);
      return [key, many !== key && all.has(many) ? hashed(key) : shortened(key, many)];
    }),
  );
}

/** The key of the column that a getter reads; undefined if there is none. */
export function getterKey(name: string, keys: readonly string[]): string | undefined {
  for (const [key, own] of getterNames(keys)) if (own === name) return key;
  // A table that lost a column keeps the names of the other getters.
  return keys.find((key) => hashed(key) === name);
}

function shortened(key: string, many: string): string {
  const name = `get_${many}`;
  return name.length <= MAX_CHARACTERS ? name : hashed(key);
}

function hashed(key: string): string {
  const digits = createHash('sha256').update(key).digest('hex').slice(0, HEX_DIGITS);
  return `${`get_${key}`.slice(0, MAX_CHARACTERS - HEX_DIGITS - 1)}_${digits}`;
}
