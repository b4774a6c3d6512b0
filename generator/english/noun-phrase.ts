import { article } from '../../contracts/wording.ts';
import type { Scale, Thing, Words } from './clause.ts';
import { isMoment } from './relations.ts';
import { isMassNoun, PARTICIPLE, PREPOSITION, plural, pluralValues } from './words.ts';

/** A noun phrase that can still be inflected and given an article. */
export interface NounPhrase {
  /** Before the head, never inflected: highest, average. */
  readonly lead: string;
  /** The words that the plural is made of: number, date of birth. */
  readonly head: Words;
  /** After it: of films, per studio. */
  readonly tail: string;
  /** The owner, where the words do not name it. */
  readonly owner: Thing | null;
  readonly scale: Scale;
  /** The counted things, if it is a number of things: films of a given type. */
  readonly counted: string | null;
  /** The word for a value that it is compared with: amount, date; '' by its scale. */
  readonly value: string;
  /** False for values with fractions, which cannot be a number of things. */
  readonly whole: boolean;
}

/** A phrase of one noun. */
export function noun(text: string, more: Partial<NounPhrase> = {}): NounPhrase {
  return {
    lead: '',
    head: text.split(' '),
    tail: '',
    owner: null,
    scale: 'number',
    counted: null,
    value: '',
    whole: true,
    ...more,
  };
}

/** A text that takes no article and no plural. */
export function fixedText(text: string, more: Partial<NounPhrase> = {}): NounPhrase {
  return noun('', { head: [], tail: text, ...more });
}

export function singularText({ lead, head, tail }: NounPhrase): string {
  return joinTexts(lead, head.join(' '), tail);
}

export function pluralText({ lead, head, tail }: NounPhrase): string {
  return joinTexts(lead, pluralValues(head).join(' '), tail);
}

/** Whether it is one plain noun, so that "a given" may precede it. */
export function isPlain({ tail }: NounPhrase): boolean {
  return tail === '';
}

/** A phrase with a text after it: score as a percentage of all. It is no longer a number of things. */
export function behind(np: NounPhrase, text: string): NounPhrase {
  return { ...np, tail: joinTexts(np.tail, text), counted: null, value: '' };
}

/** With its article: a score, an opening date, cylinders. */
export function withArticle(np: NounPhrase): string {
  const text = singularText(np);
  if (np.head.length === 0) return text;
  const superlative = /^(highest|lowest|latest|earliest|most|fewest)\b/.test(np.lead);
  if (superlative) return `the ${text}`;
  return isUncounted(np) ? text : article(text);
}

/** The word for a value that a phrase is compared with. */
export function valueWord(np: NounPhrase): string {
  const { value, scale } = np;
  if (value !== '' && np.head.join(' ') !== value) return value;
  return isMoment(scale) ? scale : scale === 'count' ? 'number' : 'value';
}

/** A value that rows have; if it has the subject's own noun, it is the subject's name. */
export function presentNoun(np: NounPhrase, subject: Thing | null): NounPhrase {
  return subject !== null && singularText(np) === subject.one.join(' ') ? noun('name') : np;
}

/** Whether a phrase takes no "a": plurals and mass nouns. */
export function isUncounted({ head }: NounPhrase): boolean {
  const preposition = head.findIndex((word, i) => i > 0 && PREPOSITION.test(word));
  const own = preposition < 0 ? head : head.slice(0, preposition);
  return isMassNoun(own.at(-1) ?? '') || isPlural(own);
}

/** The verb of a phrase: the age is, the points are. */
export function isOrAre(np: NounPhrase): 'is' | 'are' {
  return np.lead === '' && np.tail === '' && isPlural(np.head) ? 'are' : 'is';
}

const LATER = new RegExp(`${PARTICIPLE.source}|^active$`);

function isPlural(words: Words): boolean {
  // Tickets sold, years active.
  const head = words.length === 2 && LATER.test(words[1] ?? '') ? words.slice(0, 1) : words;
  const last = head.at(-1) ?? '';
  return /[a-z]s$/.test(last) && !/(ss|us|is|ies)$/.test(last) && plural(head).join(' ') === head.join(' ');
}

/** The things that a phrase is a number of: cylinders, beds; null for other phrases. */
export function countedPlural(np: NounPhrase): string | null {
  if (np.counted !== null) return np.counted;
  const [first, second, ...rest] = np.head;
  if (np.lead !== '' || np.tail !== '' || np.scale !== 'number') return null;
  if (first === 'number' && second === 'of') return rest.join(' ');
  if (isCountOf(np)) return isMassNoun(first ?? '') ? (first ?? null) : plural([first ?? '']).join(' ');
  // Years of experience, lessons per week.
  const end = np.head.findIndex((word, at) => at > 0 && /^(of|per)$/.test(word));
  const own = end < 0 ? np.head : np.head.slice(0, end);
  const isWhole = np.whole || DIVISIBLE.test(own.at(-1) ?? '');
  return isWhole && isPlural(own) && !isMassNoun(own.at(-1) ?? '') ? np.head.join(' ') : null;
}

/** Whether a phrase is a number of things: a view count, not a blood count, nor the count of surveys. */
function isCountOf({ head, owner }: NounPhrase): boolean {
  const [thing = '', count, ...more] = head;
  return (
    owner !== null && count === 'count' && more.length === 0 && /^(?!head|blood|cell)[a-z]{3,}$/.test(thing)
  );
}

/** The noun of a count that is called by its things: `number of beds` for beds. */
export function countedText(text: string): string {
  return countedPlural(noun(text)) === text ? `number of ${text}` : text;
}

/** The things that there can be most or fewest of: films, test takers. Other plurals, such as ratings, are high or low. */
export function rankedPlural(np: NounPhrase): string | null {
  const isNumber = (np.head[0] === 'number' && np.head[1] === 'of') || isCountOf(np);
  const isRated = /^(attribute|rating|skill|evaluation)$/i.test(np.owner?.one.at(-1) ?? '');
  const isThings = np.scale === 'number' && !isRated && !np.head.some((word) => MEASURED.test(word));
  return np.lead === '' && (np.counted !== null || isNumber || isThings) ? countedPlural(np) : null;
}

/** More of it is higher, not more. */
const MEASURED =
  /^(ratings|earnings|winnings|savings|sales|proceeds|receipts|revenues|profits|expenses|costs|fees|wages|taxes|assets|dues|odds|results|levels|scores|rates|amounts|prices|values|statistics|metres|kilometres|grams|kilograms|degrees|dollars|euros|pounds|percents|thousands|millions|billions)$/i;

/** Of these there can be one and a half. */
const DIVISIBLE = /^(points|hours|minutes|days|nights|weeks|months|years|miles|hectares)$/i;

export function joinTexts(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' ');
}

/** A query with its article; a given number of rows takes none. */
export function theText(text: string): string {
  return /^(a given|the|[\d.]+ times) /.test(text) ? text : `the ${text}`;
}
