import { MONTHS } from './words.ts';

export interface FoundDate {
  /** ISO: `2024-03-05`, `2024-03`, or `2024-03-05T14:30:00`; a time of midnight is left out. */
  readonly iso: string;
  readonly start: number;
  readonly end: number;
}

/**
 * The one date or moment that a text is, in ISO form; null for anything else, and for days and months that could be
 * either (`03/04/2024`).
 */
export function readDate(text: string): string | null {
  const trimmed = text.trim();
  if (trimmed.length > LONGEST) return null;
  const [found] = findDates(trimmed);
  return found !== undefined && found.start === 0 && found.end === trimmed.length ? found.iso : null;
}

/** All dates in a text, in its order. */
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
  return found;
}

const LONGEST = 80;
const MONTH = '[A-Za-z]{3,9}';
const TIME = String.raw`(?:(?:T|,?\s+(?:at\s+)?)(?<hour>\d{1,2}):(?<minute>\d{2})(?::(?<second>\d{2})(?<fraction>\.\d{1,9})?)?\s?(?<half>[AaPp]\.?[Mm]\b\.?)?\s?(?:Z\b|UTC\b|\+00:?00\b)?)?`;
/** The pattern of a weekday before the form of a date with this number. */
const weekday = (form: number) =>
  String.raw`(?:(?<weekday${form}>Mon|Tue|Wed|Thu|Fri|Sat|Sun)(?:s|nes|rs|ur)?(?:day)?,?\s+)?`;
const DATE = new RegExp(
  [
    String.raw`(?<![\d-])(?<year1>\d{4})(?<sep>[-/.])(?<month1>\d{1,2})\k<sep>(?<day1>\d{1,2})(?!\d|-\d)`,
    String.raw`(?<!\d)${weekday(2)}(?:the\s+)?(?<day2>\d{1,2})(?:st|nd|rd|th)?[\s-](?:of\s+)?(?<month2>${MONTH})\.?,?[\s-](?<year2>\d{4})(?!\d)`,
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

/** 0 for what is no month. */
function monthOf(name: string | undefined): number {
  return MONTHS.get((name ?? '').toLowerCase()) ?? 0;
}

function calendarDay(year: string, month: number, day: number): string | null {
  const date = new Date(Date.UTC(2000, month - 1, day));
  date.setUTCFullYear(Number(year), month - 1, day);
  if (month < 1 || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null;
  return `${year}-${twoDigits(month)}-${twoDigits(day)}`;
}

/** The day, where it is on the weekday that is said of it. */
function onWeekday(name: string | undefined, day: string | null): string | null {
  const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
  return name === undefined || day === null || days[new Date(`${day}T00:00:00Z`).getUTCDay()] === name
    ? day
    : null;
}

/** Empty for none, and for midnight; null for what is no time. */
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
