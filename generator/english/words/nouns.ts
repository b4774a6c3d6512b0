import pluralize from 'pluralize';
import {
  ADVERBIAL,
  MASS_NOUNS,
  PARTICIPLE,
  PREPOSITION,
  pluralOf,
  UNCHANGED,
} from '../../../contracts/plural.ts';

export { ADVERBIAL, PARTICIPLE, PREPOSITION };

/** Whether a word has no plural and takes no article. */
export function isMassNoun(word: string): boolean {
  return MASS_NOUNS.has(word.toLowerCase()) || /^(data|info|information|content|staff)$/i.test(word);
}

/** Verbs that tables are named by and that are no nouns: has_pet, takes, enroll. */
const VERBS: ReadonlySet<string> = new Set(
  `has have is are takes teaches undergoes prescribes owns writes contains belongs attends enrolls participates lives
  manages includes requires serves sells buys performs directs employs operates speaks knows cites arranges
  teach undergo prescribe own write contain belong attend enroll participate manage include require serve sell buy
  perform employ operate cite arrange`.split(/\s+/),
);

/** Whether what words say can be counted: visits; of takes, weather and trained in there are only records. */
export function isCountable(words: readonly string[]): boolean {
  const said = words.map((word) => word.toLowerCase());
  const [first = '', last = ''] = [said[0], said.at(-1)];
  return (
    headOf(said) >= 0 &&
    !VERBS.has(first) &&
    !VERBS.has(last) &&
    !MASS_NOUNS.has(last) &&
    !PARTICIPLE.test(last)
  );
}

const PEOPLE: ReadonlySet<string> = new Set(
  `person people user member customer client employee worker manager student pupil teacher professor instructor player
  driver rider pilot singer artist actor author writer editor director owner patient doctor physician nurse vet candidate
  superhero character guest visitor passenger donor farmer chef trainer coach man woman child friend voter contestant
  sailor captain officer agent seller buyer tenant landlord resident scientist researcher winner`.split(
    /\s+/,
  ),
);

/** Whether rows are people, so that what is theirs is not its. */
export function isPerson(thing: { readonly one: readonly string[] } | null): boolean {
  return PEOPLE.has(thing?.one.at(-1)?.toLowerCase() ?? '');
}

/** The words of a noun in the plural: `card type` → card types, `number of days` → numbers of days. */
export function plural(words: readonly string[]): readonly string[] {
  return inflected(words, pluralOf);
}

/** The words of a column in the plural: dates received; what is no noun stays: spent, approved. */
export function pluralValues(words: readonly string[]): readonly string[] {
  const last = words.at(-1) ?? '';
  if (words.length === 2 && PREPOSITION.test(last)) return words;
  if (ADVERBIAL.test(last) && words.length > 1) return [...pluralValues(words.slice(0, -1)), last];
  if (!PARTICIPLE.test(last)) return plural(words);
  return words.length === 1 ? words : [...plural(words.slice(0, -1)), last];
}

/** The words of a noun in the singular. */
export function singular(words: readonly string[]): readonly string[] {
  return inflected(words, (word) => (UNCHANGED.has(word.toLowerCase()) ? word : pluralize.singular(word)));
}

/** Words before a preposition that are no nouns themselves: active from date, date effective from. */
const ADJECTIVE = /^(active|effective|valid|open|available|eligible|responsible)$/i;

/** Where the head of an English noun is: its last word, or the one before the first preposition; -1 if it has none. */
function headOf(words: readonly string[]): number {
  if (/^(how|when|where|why|what|who|which|whether)$/i.test(words[0] ?? '')) return -1;
  const last = words.length - 1;
  const preposition = words.findIndex((word, i) => i > 0 && PREPOSITION.test(word));
  if (preposition < 0) return last;
  const before = words[preposition - 1] ?? '';
  if (!ADJECTIVE.test(before) && !PARTICIPLE.test(before)) return preposition - 1;
  if (preposition > 1) return preposition - 2;
  return preposition < last ? last : -1;
}

function inflected(words: readonly string[], inflect: (word: string) => string): readonly string[] {
  const head = headOf(words);
  return words.map((word, i) => (i === head ? inflect(word) : word));
}
