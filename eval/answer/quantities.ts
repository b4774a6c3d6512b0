import { CURRENCIES, MONTHS, NUMBER_WORDS, SCALES, TENS } from './words.ts';

/** A number in its original precision: `digits` × 10^-`scale`. */
export interface Decimal {
  readonly digits: bigint;
  /** Digits after the decimal point, trailing zeros included. */
  readonly scale: number;
}

/** A number with its currency, percent sign or unit. */
export interface Quantity extends Decimal {
  readonly isPercent: boolean;
  /** ISO code of the currency, if any. */
  readonly currency: string | null;
  /** The word after the number, in lower case. */
  readonly unit: string | null;
}

export interface FoundQuantity extends Quantity {
  readonly start: number;
  readonly end: number;
  /** End position of the unit; equals `end` without one. */
  readonly unitEnd: number;
}

/** Parses a text that is one number, with sign, separators, currency, percent sign or unit; else null. */
export function readQuantity(text: string): Quantity | null {
  const trimmed = text.trim();
  if (trimmed.length > LONGEST) return null;
  // Blanks between groups of three digits are unambiguous only if the text has nothing else.
  const joined = trimmed.replace(/^([^\d]*\d{1,3})((?: \d{3})+)(?![\d ])/, (all) =>
    all.replace(/(?<=\d) (?=\d)/g, ''),
  );
  const [found, ...others] = findQuantities(joined);
  if (found === undefined || others.length > 0) return null;
  return found.start === 0 && [found.end, found.unitEnd].includes(joined.length) ? found : null;
}

/** All numbers in a text, in order; not ordinals (`8th`) or digits in names (`A-12`), but both ends of `8-9`. */
export function findQuantities(text: string): FoundQuantity[] {
  const found: FoundQuantity[] = [];
  for (const match of text.matchAll(NUMBER)) {
    const [written] = match;
    const at = match.index;
    if (isInName(text, at)) continue;
    const behind = text.slice(at + written.length, at + written.length + LONGEST_WORD);
    if (/^(?:st|nd|rd|th)\b/i.test(behind)) continue;
    const decimal = readDecimal(written);
    if (decimal === null) continue;
    const after = readAfter(behind);
    const before = readBefore(text.slice(Math.max(0, at - LONGEST_WORD), at));
    const digits = (before.isNegative ? -1n : 1n) * decimal.digits * after.factor;
    found.push({
      digits,
      scale: decimal.scale,
      isPercent: after.isPercent,
      currency: before.currency ?? after.currency,
      unit: after.unit,
      start: at - before.length,
      end: at + written.length + after.length,
      unitEnd: at + written.length + after.unitLength,
    });
  }
  return found;
}

/** Numbers in words, with their positions: `eight`, `eighty-three`, `two hundred and five`, `a dozen`. */
export function findNumberWords(text: string): FoundQuantity[] {
  return [...text.matchAll(SPELLED)].flatMap(({ 0: written, index }) => {
    const value = valueOfWords(written.toLowerCase().match(/\p{L}+/gu) ?? []);
    // Words that do not form one number are several: `two and three`.
    const parts =
      value === null
        ? [...written.matchAll(/\p{L}+/gu)].map((part) => ({
            digits: valueOfWords([part[0].toLowerCase()]),
            start: index + part.index,
            end: index + part.index + part[0].length,
          }))
        : [{ digits: value, start: index, end: index + written.length }];
    return parts.flatMap(({ digits, start, end }) => {
      if (digits === null) return [];
      const { length, unitLength, factor, isPercent, currency, unit } = readAfter(
        text.slice(end, end + LONGEST_WORD),
      );
      const found = { digits: digits * factor, scale: 0, isPercent, currency, unit };
      return [{ ...found, start, end: end + length, unitEnd: end + unitLength }];
    });
  });
}

function valueOfWords(words: readonly string[]): bigint | null {
  let [total, current, last] = [0n, 0n, 1n << 62n];
  for (const [i, word] of words.entries()) {
    const before = words[i - 1] ?? '';
    const [unit, ten, scale] = [NUMBER_WORDS.get(word), TENS.get(word), SCALES.get(word)];
    if (word === 'a') {
      if (i > 0) return null;
      current = 1n;
    } else if (word === 'and') {
      if (!SCALES.has(before)) return null;
    } else if (ten !== undefined) {
      if (current % 100n !== 0n) return null;
      current += ten;
    } else if (unit !== undefined) {
      const isBehindTen = TENS.has(before) && unit > 0n && unit < 10n;
      if (!isBehindTen && (current % 100n !== 0n || (i > 0 && unit === 0n))) return null;
      current += unit;
    } else if (scale === 100n && current > 0n && current < 100n) {
      current *= 100n;
    } else if (scale !== undefined && scale !== 100n && current > 0n && scale < last) {
      total += current * scale;
      [current, last] = [0n, scale];
    } else return null;
  }
  return words.at(-1) === 'and' ? null : total + current;
}

/** The value of a JSON number or another plain decimal, keeping its scale: `5.0` has one decimal. */
export function readDecimal(written: string): Decimal | null {
  const plain = toPlain(written);
  const [, sign, whole = '', fraction = '', power = '0'] = PLAIN.exec(plain) ?? [];
  const exponent = Number(power);
  if (sign === undefined || whole.length + fraction.length === 0) return null;
  if (whole.length + fraction.length > LONGEST || Math.abs(exponent) > LONGEST) return null;
  const digits = BigInt(`${whole}${fraction}`) * (sign === '-' ? -1n : 1n);
  const scale = fraction.length - exponent;
  return scale >= 0 ? { digits, scale } : { digits: digits * 10n ** BigInt(-scale), scale: 0 };
}

/** The quantity as an integer, or null if it has a fraction. */
export function wholeOf({ digits, scale }: Decimal): bigint | null {
  const unit = 10n ** BigInt(scale);
  return digits % unit === 0n ? digits / unit : null;
}

export function toNumber({ digits, scale }: Decimal): number {
  return Number(`${digits}e-${scale}`);
}

/** Longer texts are not parsed as numbers. */
const LONGEST = 400;
/** Characters around the digits that are searched for a currency, unit or percent sign. */
const LONGEST_WORD = 24;

/** Grouped thousands (English, Indian, Swiss, continental, with thin spaces, `_`), decimal commas, exponents. */
const NUMBER =
  /\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\d,]*\d)|\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d+)?(?!\d)|\d{1,3}(?:[\u00a0\u2009\u202f]\d{3})+(?:[.,]\d+)?|\d{1,3}(?:['’]\d{3})+(?:\.\d+)?|\d{1,3}(?:\.\d{3})+,\d+(?!\d)|\d{1,3}(?:\.\d{3}){2,}(?!\d)|\d+(?:_\d{3})+|(?<![\d,])\d+,\d+(?![\d,])|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|(?<!\d)\.\d+/g;
const PLAIN = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;

function toPlain(written: string): string {
  const text = written.replace(/[_'’\u00a0\u2009\u202f]/g, '');
  if (/^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(text) || /^\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d+)?$/.test(text))
    return text.replaceAll(',', '');
  if (/^\d{1,3}(?:\.\d{3})+,\d+$/.test(text)) return text.replaceAll('.', '').replace(',', '.');
  if (/^\d{1,3}(?:\.\d{3}){2,}$/.test(text)) return text.replaceAll('.', '');
  return text.replace(',', '.');
}

/** Digits that continue a word, possibly after a hyphen, belong to a name. */
function isInName(text: string, at: number): boolean {
  return (
    /[\p{L}\p{M}_]$|[\p{L}\p{M}\d_][-–.]$|\d,$/u.test(text.slice(Math.max(0, at - 3), at)) &&
    !isRange(text, at)
  );
}

function isRange(text: string, at: number): boolean {
  return (
    /\d[-–,]$/.test(text.slice(Math.max(0, at - 2), at)) &&
    !/\p{L}\d*[-–,]$/u.test(text.slice(Math.max(0, at - 12), at))
  );
}

function readBefore(text: string): { length: number; isNegative: boolean; currency: string | null } {
  const [all = '', sign1, currency, sign2] = BEFORE.exec(text) ?? [];
  const code = currency === undefined ? null : (CURRENCIES.get(currency.toLowerCase()) ?? null);
  // The hyphen in `5-8` is a range, in `-8` a sign.
  const isNegative = /[-−]/.test(`${sign1 ?? ''}${sign2 ?? ''}`);
  return { length: all.length, isNegative, currency: code };
}

const MONEY = [...CURRENCIES.keys()]
  .sort((a, b) => b.length - a.length)
  .map((name) => name.replace(/[$.]/g, '\\$&'))
  .join('|');
const BEFORE = new RegExp(
  `(?:(?<![\\p{L}\\d.)])([+\\-−]))?(?:(?<!\\p{L})(${MONEY})\\s?)?(?:(?<![\\p{L}\\d.)])([+\\-−]))?$`,
  'iu',
);

/** Parses what follows a number: scale, percent sign, currency and unit. */
export function readAfter(text: string): {
  length: number;
  unitLength: number;
  factor: bigint;
  isPercent: boolean;
  currency: string | null;
  unit: string | null;
} {
  let length = 0;
  const take = (pattern: RegExp): string | null => {
    const found = pattern.exec(text.slice(length));
    if (found === null) return null;
    length += found[0].length;
    return (found[1] ?? '').toLowerCase();
  };
  const scale = take(SCALE);
  const factor = scale === null ? 1n : (SCALES.get(scale) ?? 1n);
  const isPercent = take(PERCENT) !== null;
  const money = take(AFTER_MONEY);
  const currency = money === null ? null : (CURRENCIES.get(money) ?? null);
  const end = length;
  const unit = take(UNIT);
  return { length: end, unitLength: length, factor, isPercent, currency, unit };
}

const DIGITS = [...NUMBER_WORDS.keys(), ...TENS.keys()].join('|');
const LARGE = [...SCALES.keys()].filter((word) => word.length > 2).join('|');
const SPELLED = new RegExp(
  `(?<![\\p{L}\\d-]|half )(?:${DIGITS}|a(?=\\s(?:${LARGE})(?!\\p{L})))(?:[\\s-](?:and\\s)?(?:${DIGITS}|${LARGE})(?!\\p{L}))*(?![\\p{L}]|-\\p{L})`,
  'giu',
);
const SCALE = new RegExp(`^\\s?(${[...SCALES.keys()].join('|')})(?![\\p{L}\\d])`, 'iu');
const PERCENT = /^\s?(%|percentage points?|percent|per cent|pct)(?!\p{L})/iu;
const AFTER_MONEY = new RegExp(`^\\s?(${MONEY})(?![\\p{L}\\d])`, 'iu');
const UNIT = /^(?:\s|-)?(°?[\p{L}µ]{1,15}[²³]?(?:\/\p{L}{1,5})?)(?![\p{L}\d])/u;

export interface FoundDate {
  /** ISO: `2024-03-05`, `2024-03`, `2024-03-05T14:30:00`, whose midnight is omitted, or `T14:30:00` for a time of day. */
  readonly iso: string;
  readonly start: number;
  readonly end: number;
}

/** Whether an ISO text of `FoundDate` is a date, with or without a time, or the time of a day. */
export function kindOfIso(iso: string): 'date' | 'time' {
  return iso.startsWith('T') ? 'time' : 'date';
}

/** Parses a text that is one date or time into ISO form; null otherwise, or if ambiguous (`03/04/2024`). */
export function readDate(text: string): string | null {
  const trimmed = text.trim();
  if (trimmed.length > DATES_LONGEST) return null;
  const [found] = findDates(trimmed);
  return found !== undefined && found.start === 0 && found.end === trimmed.length ? found.iso : null;
}

/** Whether a text is a date, with or without a time, or the time of a day; null for neither. */
export function kindOfDate(text: string): 'date' | 'time' | null {
  const iso = readDate(text);
  return iso === null ? null : kindOfIso(iso);
}

export function findDates(text: string): FoundDate[] {
  const found: FoundDate[] = [];
  for (const match of text.matchAll(DATE)) {
    const groups = match.groups ?? {};
    const day = toDay(groups);
    if (day === null) continue;
    const time = toTime(groups);
    if (time === null) continue;
    const iso = time === '' ? day : `${day}T${time}`;
    found.push({ iso, start: match.index, end: match.index + match[0].length });
  }
  for (const { 0: written, index: start, groups = {} } of text.matchAll(TIME_OF_DAY)) {
    const [time, end] = [toTime(groups), start + written.length];
    if (time === null || found.some((date) => date.start < end && start < date.end)) continue;
    found.push({ iso: `T${time || '00:00:00'}`, start, end });
  }
  return found.sort((a, b) => a.start - b.start);
}

const DATES_LONGEST = 80;
const MONTH = '[A-Za-z]{3,9}';
const CLOCK = String.raw`(?<hour>\d{1,2}):(?<minute>\d{2})(?::(?<second>\d{2})(?<fraction>\.\d{1,9})?)?\s?(?<half>[AaPp]\.?[Mm]\b\.?)?`;
const TIME = String.raw`(?:(?:T|,?\s+(?:at\s+)?)${CLOCK}\s?(?:Z\b|UTC\b|\+00:?00\b)?)?`;
const TIME_OF_DAY = new RegExp(String.raw`(?<![\p{L}\d:.,/-])${CLOCK}(?![\d:/+]|[.,]\d|\s?[-–]\s?\d)`, 'gu');
/** The pattern of a weekday before the date format with this number. */
const weekday = (form: number) =>
  String.raw`(?:(?<weekday${form}>Mon|Tue|Wed|Thu|Fri|Sat|Sun)(?:s|nes|rs|ur)?(?:day)?,?\s+)?`;
const DATE = new RegExp(
  [
    String.raw`(?<![\d-])(?<year1>\d{4})(?<sep>[-/.])(?<month1>\d{1,2})\k<sep>(?<day1>\d{1,2})(?!\d|-\d)`,
    String.raw`(?<!\d)${weekday(2)}(?:the\s+)?(?<day2>\d{1,2})(?:st|nd|rd|th|\.)?[\s-](?:of\s+)?(?<month2>${MONTH})\.?,?[\s-](?<year2>\d{4})(?!\d)`,
    String.raw`${weekday(3)}\b(?<month3>${MONTH})\.?\s(?:the\s+)?(?<day3>\d{1,2})(?:st|nd|rd|th)?,?\s+(?<year3>\d{4})(?!\d)`,
    String.raw`(?<![\d/.-])(?<first>\d{1,2})(?<sep2>[-/.])(?<other>\d{1,2})\k<sep2>(?<year4>\d{4})(?![\d/-])`,
    String.raw`(?<![\d/.-])(?<month7>0?[1-9]|1[0-2])/(?<year7>\d{4})(?![\d/-])`,
    String.raw`\b(?<month5>${MONTH})\.?,?\s(?:of\s+)?(?<year5>\d{4})(?![\d-])`,
    String.raw`(?<![\d-])(?<year6>\d{4})-(?<month6>0[1-9]|1[0-2])(?![\d-])`,
  ]
    .map((form) => `(?:${form})`)
    .join('|')
    .replace(/^/, '(?:')
    .concat(`)${TIME}`),
  'gu',
);

type Groups = Readonly<Record<string, string | undefined>>;

function toDay(groups: Groups): string | null {
  const {
    year1,
    month1,
    day1,
    year2,
    month2,
    day2,
    year3,
    month3,
    day3,
    first,
    other,
    year4,
    month5,
    year5,
    year6,
    month6,
    year7,
    month7,
  } = groups;
  if (year1 !== undefined) return calendarDay(year1, Number(month1), Number(day1));
  if (year2 !== undefined)
    return onWeekday(groups.weekday2, calendarDay(year2, monthOf(month2), Number(day2)));
  if (year3 !== undefined)
    return onWeekday(groups.weekday3, calendarDay(year3, monthOf(month3), Number(day3)));
  if (year4 !== undefined) {
    const [a, b] = [Number(first), Number(other)];
    if (a === b || a > 12) return calendarDay(year4, b, a);
    return b > 12 ? calendarDay(year4, a, b) : null;
  }
  if (year5 !== undefined) {
    const month = monthOf(month5);
    return month === 0 ? null : `${year5}-${twoDigits(month)}`;
  }
  if (year7 !== undefined) return `${year7}-${twoDigits(Number(month7))}`;
  return year6 === undefined ? null : `${year6}-${month6}`;
}

/** 0 for an unknown name. */
function monthOf(name: string | undefined): number {
  return MONTHS.get((name ?? '').toLowerCase()) ?? 0;
}

function calendarDay(year: string, month: number, day: number): string | null {
  const date = new Date(Date.UTC(2000, month - 1, day));
  date.setUTCFullYear(Number(year), month - 1, day);
  if (month < 1 || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null;
  return `${year}-${twoDigits(month)}-${twoDigits(day)}`;
}

/** The day if it falls on the stated weekday, else null. */
function onWeekday(name: string | undefined, day: string | null): string | null {
  const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
  return name === undefined || day === null || days[new Date(`${day}T00:00:00Z`).getUTCDay()] === name
    ? day
    : null;
}

/** Empty for no time or midnight; null for an invalid time. */
function toTime({ hour, minute, second = '00', fraction = '', half }: Groups): string | null {
  if (hour === undefined || minute === undefined) return '';
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (/^p/i.test(half) ? 12 : 0);
  if (hours > 23 || Number(minute) > 59 || Number(second) > 59) return null;
  const rest = fraction.replace(/\.?0+$/, '');
  const time = `${twoDigits(hours)}:${minute}:${second}${rest}`;
  return time === '00:00:00' ? '' : time;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
