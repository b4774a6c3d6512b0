import { createHash } from 'node:crypto';
import pluralize from 'pluralize';

/** Words of which there is no plural: to count them is to count records. */
const MASS = `weather equipment software hardware furniture traffic luggage advice knowledge feedback homework money
  machinery clothing merchandise inventory management maintenance employment`;

/** Words that stay as they are, whatever the rules of English say of their endings. */
export const UNCHANGED: ReadonlySet<string> = new Set(
  `data info staff personnel media trans sales goods news series species sat cms greatest least gdp usd eur cm mm km kg lb lbs mhz mph
  ${MASS}`.split(/\s+/),
);

/** Lower case. */
export const MASS_NOUNS: ReadonlySet<string> = new Set(MASS.split(/\s+/));

/** A word in the plural: label → labels, severity → severities; one that is in the plural stays as it is. */
export function pluralOf(word: string): string {
  const lower = word.toLowerCase();
  if (UNCHANGED.has(lower) || !/[a-z]{2}$/i.test(word)) return word;
  if (/[A-Z]$/.test(word) || lower === 'id') return `${word}s`;
  return pluralize.plural(word);
}

/** A word that what follows is told by. */
export const PREPOSITION = /^(of|in|on|at|for|to|by|from|with|per)$/;

/** A word that looks like a participle: what it tells of is no noun. */
export const PARTICIPLE =
  /^(?!(?:seed|speed|breed|feed|bed|need|weed|deed|shed|red|hundred)$)(?:.*ed|spent|given|taken|drawn|shown|due|paid|sold|made|won|lost|left|born|built|held|began|begun|blown|broken|written|seen|known|done|put|went|gone|came|bought|lent|sent|flown|hidden|unsold|remaining|pending)$/i;

/** Where a participle leads: blown down, put out. */
export const ADVERBIAL = /^(down|up|out|off|over|back|away)$/i;

/** A word that asks, or says from when or how often. */
const QUESTION = /^(who|what|when|where|why|how|since|until|till|into|again|every)$/i;

/** Several values of a column called by a word; what is no noun stays: opened, since. */
export function pluralValue(word: string): string {
  return [PARTICIPLE, ADVERBIAL, PREPOSITION, QUESTION].some((each) => each.test(word))
    ? word
    : pluralOf(word);
}

const MAX_CHARACTERS = 64;
const HEX_DIGITS = 8;

/**
 * The SEL tools that read columns, by key: `get_<table>_<columns>`, with the last word in the plural. A name that would be
 * too long for a tool, or that a column of this name itself has (`label` beside `labels`), has a hash of the key instead of
 * its end.
 */
export function getterNames(keys: Iterable<string>): ReadonlyMap<string, string> {
  const all = new Set(keys);
  return new Map(
    [...all].map((key) => {
      const many = manyOf(key);
      return [key, many !== key && all.has(many) ? hashed(key) : shortened(key, many)];
    }),
  );
}

/** The column that a getter reads, out of those there are; undefined for none. */
export function getterKey(name: string, keys: readonly string[]): string | undefined {
  for (const [key, own] of getterNames(keys)) if (own === name) return key;
  // A table that has lost a column keeps the names of the others.
  return keys.find((key) => hashed(key) === name);
}

function manyOf(key: string): string {
  return key.replace(/[^_]+$/, pluralValue);
}

function shortened(key: string, many: string): string {
  const name = `get_${many}`;
  return name.length <= MAX_CHARACTERS ? name : hashed(key);
}

function hashed(key: string): string {
  const digits = createHash('sha256').update(key).digest('hex').slice(0, HEX_DIGITS);
  return `${`get_${key}`.slice(0, MAX_CHARACTERS - HEX_DIGITS - 1)}_${digits}`;
}
