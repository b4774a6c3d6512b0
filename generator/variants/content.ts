import type { Stored } from '../oracle/messages.ts';

/**
 * What the values of a column are, where a value made up at random would be none: JSON objects and lists, days (and
 * times) as text, days as numbers such as 20240131.
 */
export type Content = 'json' | 'date' | 'date_number';

/** What a column holds, told by some of its values; null when they are neither. */
export function contentOf(values: readonly Stored[]): Content | null {
  const present = values.filter((value) => value !== null);
  if (present.length === 0) return null;
  const all = (test: (value: Stored) => boolean) => present.every(test);
  if (all(isJson)) return 'json';
  if (all(isDate)) return 'date';
  return all(isDateNumber) ? 'date_number' : null;
}

/** Whether a value can stand in a column of that content. */
export function fits(value: Stored, content: Content | null): boolean {
  if (value === null || content === null) return true;
  return TESTS[content](value);
}

/** The day after (or before) a date, its time as it was; null for what is no date. */
export function nextDay(value: Stored, up: boolean): Stored {
  const text = String(value);
  const found = isDateNumber(value) ? COMPACT.exec(text) : isDate(value) ? DATE.exec(text) : null;
  if (!found) return null;
  const [, year, month, day, rest = ''] = found;
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day) + (up ? 1 : -1)));
  const iso = date.toISOString().slice(0, 10);
  if (!isDateNumber(value)) return `${iso}${rest}`;
  const compact = iso.replaceAll('-', '');
  return typeof value === 'bigint' ? BigInt(compact) : compact;
}

/**
 * What a condition names, as a date like another: of `2021` the year, of `2021-03` the month, the rest from the other.
 * null where it is no part of a date.
 */
export function asDateLike(value: Stored, like: Stored): Stored {
  const parts = /^(\d{4})(?:-?(\d{2}))?(?:-?(\d{2}))?$/.exec(String(value));
  const found = (isDateNumber(like) ? COMPACT : DATE).exec(String(like));
  if (!parts || !found) return null;
  const [, year = '', month = found[2] as string, day] = parts;
  const kept = day ?? found[3] ?? '01';
  // Not every month has 31 days.
  const safe = Number(kept) > 28 && day === undefined ? '28' : kept;
  const made = isDateNumber(like) ? `${year}${month}${safe}` : `${year}-${month}-${safe}${found[4] ?? ''}`;
  const typed = typeof like === 'bigint' ? BigInt(made) : made;
  return isDateNumber(typed) || isDate(typed) ? typed : null;
}

const DATE = /^(\d{4})-(\d{2})-(\d{2})((?:[ T]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?Z?)?)$/;
const COMPACT = /^((?:19|20)\d{2})(\d{2})(\d{2})$/;

const TESTS: Readonly<Record<Content, (value: Stored) => boolean>> = {
  json: isJson,
  date: isDate,
  date_number: isDateNumber,
};

function isJson(value: Stored): boolean {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return false;
  try {
    JSON.parse(value);
    return true;
  } catch {
    return false;
  }
}

function isDate(value: Stored): boolean {
  const found = typeof value === 'string' ? DATE.exec(value) : null;
  return found !== null && isCalendarDay(found);
}

function isDateNumber(value: Stored): boolean {
  const found = typeof value === 'bigint' || typeof value === 'string' ? COMPACT.exec(String(value)) : null;
  return found !== null && isCalendarDay(found);
}

function isCalendarDay([, year, month, day]: RegExpExecArray): boolean {
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
}
