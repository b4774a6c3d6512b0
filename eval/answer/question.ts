import { type Decimal, type Quantity, toNumber } from './quantities.ts';
import { CURRENCIES, UNITS } from './words.ts';

/** What a question implies about the form of its answer. */
export interface Question {
  readonly text: string;
  /** The question without its evidence. */
  readonly input: string;
  readonly isYesNo: boolean;
  readonly isCount: boolean;
  readonly asksForPercent: boolean;
  /** Number of decimals that it asks for; null if none. */
  readonly decimals: number | null;
  /** Number of decimals to which its gold SQL rounds without being asked; null if it does not. */
  readonly unasked: number | null;
  /** `hundredths`: the gold is a fraction, so 45 % is 0.45. `percent`: 45 % is 45. */
  readonly percent: ReadonlySet<'percent' | 'hundredths'>;
  /** All words, in lower case. */
  readonly words: ReadonlySet<string>;
  readonly currencies: ReadonlySet<string>;
  /** Names of units, by the dimension they measure. */
  readonly units: ReadonlyMap<number, ReadonlySet<string>>;
}

/** Analyses a question with its evidence, its gold SQL, and the column names of its result. */
export function readQuestion(
  { input, evidence, query }: { readonly input: string; readonly evidence: string; readonly query: string },
  columns: readonly string[],
): Question {
  const text = `${input}\n${evidence}`;
  const said = `${text} ${columns.join(' ')}`.toLowerCase();
  const words = wordsOf(said);
  const decimals = decimalsAsked(text);
  // Units in the question itself take precedence over those in the evidence.
  const units = new Map([...unitsIn(wordsOf(said)), ...unitsIn(wordsOf(input.toLowerCase()))]);
  return {
    text,
    input,
    isYesNo: YES_NO.test(input) || SAYS_YES_NO.test(text),
    isCount: /^\s*SELECT\s+COUNT\s*\([^()]*\)\s*(?:AS\s+\S+\s+)?FROM\b/i.test(query),
    asksForPercent: /\bpercent|\bper cent\b|%/i.test(input),
    decimals,
    unasked: decimals === null ? roundedTo(query) : null,
    percent: percentOf(said, query),
    words: new Set(words.flatMap((word) => [word, singular(word)])),
    currencies: new Set(words.flatMap((word) => CURRENCIES.get(word) ?? [])),
    units,
  };
}

function wordsOf(text: string): string[] {
  return text.match(/°?[\p{L}µ]+[²³]?(?:\/\p{L}{1,5})?|[$€£¥₹%]/gu) ?? [];
}

function unitsIn(words: readonly string[]): Map<number, Set<string>> {
  const units = new Map<number, Set<string>>();
  for (const word of words) {
    const unit = unitOf(word);
    if (unit === undefined) continue;
    const names = units.get(unit.measured) ?? new Set();
    units.set(unit.measured, names.add(unit.name));
  }
  return units;
}

/**
 * The possible values of a quantity here; none if its currency or unit contradicts the question's. If it
 * stands alone, its unit must be a known unit or a word of the question.
 */
export function quantityFits(quantity: Quantity, question: Question, isAlone = false): Decimal[] {
  const { digits, scale, isPercent, currency, unit } = quantity;
  const { currencies, words } = question;
  if (question.isCount && (currency !== null || isPercent)) return [];
  if (currency !== null && currencies.size > 0 && !currencies.has(currency)) return [];
  // An amount in cents is not one in euros.
  if (
    currency !== null &&
    currency !== 'CENT' &&
    /\bin cents\b/i.test(question.input) &&
    !/^cent/.test(unit ?? '')
  )
    return [];
  const known = unit === null ? undefined : unitOf(unit);
  const asked = known && question.units.get(known.measured);
  if (known && asked && !asked.has(known.name)) return [];
  if (isAlone && unit !== null && !known && !words.has(unit) && !words.has(singular(unit))) return [];
  // A number of cases is not a percentage of them.
  if (!isPercent && question.asksForPercent && unit !== null && /[^s]s$/.test(unit) && words.has(unit))
    return [];
  if (!isPercent) return [{ digits, scale }];
  return [
    ...(question.percent.has('percent') ? [{ digits, scale }] : []),
    ...(question.percent.has('hundredths') ? [{ digits, scale: scale + 2 }] : []),
  ];
}

/**
 * Whether a number is a rounding of a real gold number: to at least four significant digits, or to the number
 * of decimals that the question asks for. From the sixth digit on, the rest may also be truncated.
 */
export function isRoundingOf(
  gold: number,
  value: Decimal,
  { decimals, unasked }: Pick<Question, 'decimals' | 'unasked'>,
): boolean {
  const given = toNumber(value);
  if (!Number.isFinite(gold) || !Number.isFinite(given)) return false;
  const difference = Math.abs(gold - given);
  if (difference <= 1e-9 * Math.max(Math.abs(gold), Math.abs(given))) return true;
  if (
    unasked !== null &&
    value.scale > unasked &&
    Number(gold.toFixed(unasked)) === gold &&
    difference <= half(unasked)
  )
    return true;
  const before = wholeDigits(gold);
  const fewest = decimals ?? Math.max(0, SIGNIFICANT - before);
  const shown = Math.max(value.scale, fewest);
  if (difference <= half(shown)) return true;
  return before + shown >= EXACT_ENOUGH && value.scale === shown && isCutOff(gold, value);
}

/** Whether a number is a truncation of a longer one. */
function isCutOff(gold: number, { digits, scale }: Decimal): boolean {
  const shifted = Number((gold * 10 ** scale).toPrecision(15));
  return Number.isSafeInteger(Math.trunc(shifted)) && BigInt(Math.trunc(shifted)) === digits;
}

/** The maximum distance of a gold number from its rounding. */
export function roundingReach(
  value: Decimal,
  { decimals, unasked }: Pick<Question, 'decimals' | 'unasked'>,
): number {
  const given = Math.abs(toNumber(value));
  // The gold number may have a digit more or less before the point.
  const fewest = decimals ?? Math.max(0, SIGNIFICANT - wholeDigits(given) - 1);
  const shown = 2 * half(Math.max(value.scale, fewest));
  return Math.max(shown, unasked === null ? 0 : half(unasked), 2e-9 * given);
}

/** Digits before the point; for a number below 0.1, minus the number of zeros after the point. */
function wholeDigits(value: number): number {
  return value === 0 ? 1 : Math.floor(Math.log10(Math.abs(value))) + 1;
}

const SIGNIFICANT = 4;
const EXACT_ENOUGH = 6;

/** Half a unit of the last decimal, plus slack for floating-point rounding. */
function half(decimals: number): number {
  return 0.5 * 10 ** -decimals * (1 + 1e-9);
}

const YES_NO =
  /(?:^|[,;:.]\s*|\band\s+)(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|must)\b(?!\s+(?:the|a)?\s*following)/i;
const SAYS_YES_NO =
  /\bwhether\b|\b(?:state|say|tell|indicate|show|check|specify|mention)(?: me)? if\b|\byes(?:\/| or )no\b|\btrue(?:\/| or )false\b|\b(?:1|yes) (?:if|for yes|when|means yes)\b|\b(?:0|no) (?:if|for no|when|otherwise|means no)\b|\b1 = yes\b/i;

function unitOf(word: string) {
  return UNITS.get(word) ?? UNITS.get(singular(word)) ?? UNITS.get(word.replace(/es$/, ''));
}

function singular(word: string): string {
  return word.replace(/s$/, '');
}

const DIGIT_WORDS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six'];
const PLACES = ['integer', 'tenth', 'hundredth', 'thousandth'];

function decimalsAsked(text: string): number | null {
  const digits =
    /\b(\d|zero|one|two|three|four|five|six) (?:decimal|digits? (?:after|behind)|places?\b)/i.exec(text)?.[1];
  if (digits !== undefined)
    return /\d/.test(digits) ? Number(digits) : DIGIT_WORDS.indexOf(digits.toLowerCase());
  const place =
    /\bnearest (integer|whole|tenth|hundredth|thousandth)|\b(?:to|as) (?:an|the nearest|a) (integer|whole)|\bone decimal\b/i.exec(
      text,
    );
  if (place === null) return null;
  const name = (place[1] ?? place[2] ?? 'tenth').toLowerCase();
  return Math.max(0, PLACES.indexOf(name));
}

/** The second argument of ROUND if all calls in a query agree; 0 for a call without one. */
function roundedTo(query: string): number | null {
  const found = new Set<number>();
  for (const { index } of query.matchAll(/\bROUND\s*\(/gi)) {
    const args = argumentsFrom(query.slice(query.indexOf('(', index) + 1));
    found.add(args.length < 2 ? 0 : Number(args[1]));
  }
  const [only, ...others] = found;
  return only === undefined || others.length > 0 || !Number.isInteger(only) ? null : only;
}

/** Splits the arguments of a call, given the text after its opening bracket. */
function argumentsFrom(text: string): string[] {
  const args = [''];
  let depth = 0;
  for (const char of text) {
    if (char === ')' && depth === 0) return args;
    if (char === '(') depth++;
    else if (char === ')') depth--;
    if (char === ',' && depth === 0) args.push('');
    else args[args.length - 1] += char;
  }
  return args;
}

function percentOf(said: string, query: string): Set<'percent' | 'hundredths'> {
  const isAsked = /percent|per cent|%|\bpct\b/.test(said);
  if (/\*\s*100(?:\.0+)?\b|\b100(?:\.0+)?\s*\*/.test(query)) return new Set(['percent']);
  if (!isAsked) return new Set(/\/|\bavg\b/i.test(query) ? ['hundredths'] : []);
  return new Set(['percent', 'hundredths']);
}
