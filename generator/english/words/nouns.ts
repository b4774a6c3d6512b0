import pluralize from 'pluralize';

/** Words of which there is no plural: to count them is to count records. */
const MASS = `weather equipment software hardware furniture traffic luggage advice knowledge feedback homework money
  machinery clothing merchandise inventory management maintenance employment`;

/** Words that stay as they are, whatever the rules of English say of their endings. */
const UNCHANGED: ReadonlySet<string> = new Set(
  `data info staff personnel media trans sales goods news series species sat cms greatest least gdp usd eur cm mm km kg lb lbs mhz mph
  ${MASS}`.split(/\s+/),
);

const MASS_NOUNS: ReadonlySet<string> = new Set(MASS.split(/\s+/));

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
  if (ADVERBIAL.test(last) && words.length > 1) return [...pluralValues(words.slice(0, -1)), last];
  if (!PARTICIPLE.test(last)) return plural(words);
  return words.length === 1 ? words : [...plural(words.slice(0, -1)), last];
}

/** A word that looks like a participle: what it tells of is no noun. */
export const PARTICIPLE =
  /^(?!(?:seed|speed|breed|feed|bed|need|weed|deed|shed|red|hundred)$)(?:.*ed|spent|given|taken|drawn|shown|due|paid|sold|made|won|lost|left|born|built|held|began|begun|blown|broken|written|seen|known|done|put|went|gone|came|remaining|pending)$/i;

/** Where a participle leads: blown down, put out. */
export const ADVERBIAL = /^(down|up|out|off|over|back|away)$/i;

/** The words of a noun in the singular. */
export function singular(words: readonly string[]): readonly string[] {
  return inflected(words, (word) => (UNCHANGED.has(word.toLowerCase()) ? word : pluralize.singular(word)));
}

function pluralOf(word: string): string {
  const lower = word.toLowerCase();
  if (UNCHANGED.has(lower) || !/[a-z]{2}$/i.test(word)) return word;
  if (/[A-Z]$/.test(word) || lower === 'id') return `${word}s`;
  return pluralize.plural(word);
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
