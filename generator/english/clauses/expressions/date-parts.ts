import type { CatalogColumn } from '../../../../contracts/catalog.ts';
import type { Call, Expr } from '../../../../sql/index.ts';

/** A part of a moment in time that a function takes, and how it is written. */
export interface DatePart {
  readonly part: string;
  /** `YYYY-MM`; '' when it is a number without a fixed width. */
  readonly format: string;
  readonly of: Expr;
  /** What the moment is moved by before its part is taken: `'+7 days'`. */
  readonly modifiers: readonly Expr[];
}

/**
 * STRFTIME('%Y', x), DATE(x), or SUBSTR(x, 1, 4) of a date written as text; null for anything else. `formatOf` tells
 * how a text is written, '' when it is no date.
 */
export function datePart(expr: Call, formatOf: (expr: Expr) => string): DatePart | null {
  const [first, second, third] = expr.args;
  if (first === undefined) return null;
  if (expr.name === 'strftime') {
    if (second === undefined) return null;
    if (first.kind !== 'literal') return null;
    const format = first.type === 'text' ? first.value : '';
    const [part, written] = FORMATS.get(format) ?? ['date', ''];
    return { part, format: written, of: second, modifiers: expr.args.slice(2) };
  }
  const whole = WHOLES[expr.name];
  if (whole !== undefined)
    return { part: whole[0], format: whole[1], of: first, modifiers: expr.args.slice(1) };
  if (expr.name !== 'substr' && expr.name !== 'substring') return null;
  const slice = sliceOf(formatOf(first), second, third);
  return slice === null ? null : { part: slice[0], format: slice[1], of: first, modifiers: [] };
}

type Written = readonly [part: string, format: string];

const FORMATS: ReadonlyMap<string, Written> = new Map<string, Written>(
  Object.entries({
    '%Y': ['year', 'YYYY'],
    '%m': ['month', 'MM'],
    '%d': ['day', 'DD'],
    '%H': ['hour', 'HH'],
    '%M': ['minute', 'MM'],
    '%S': ['second', 'SS'],
    '%w': ['weekday', '0 for Sunday to 6'],
    '%W': ['week', '00 to 53'],
    '%j': ['day of year', '001 to 366'],
    '%J': ['date', ''],
    '%s': ['seconds since 1970', ''],
    '%Y-%m': ['month', 'YYYY-MM'],
    '%Y%m': ['month', 'YYYYMM'],
    '%m-%d': ['day', 'MM-DD'],
    '%Y-%m-%d': ['date', 'YYYY-MM-DD'],
    '%H:%M': ['time', 'HH:MM'],
    '%H:%M:%S': ['time', 'HH:MM:SS'],
  } as const),
);

const WHOLES: Readonly<Record<string, Written>> = {
  date: ['date', 'YYYY-MM-DD'],
  datetime: ['date', 'YYYY-MM-DD HH:MM:SS'],
  time: ['time', 'HH:MM:SS'],
  julianday: ['date', ''],
  unixepoch: ['seconds since 1970', ''],
};

/** The part that a slice of a written date is, by the letters that it cuts out: `YYYY` of YYYY-MM-DD. */
function sliceOf(format: string, from: Expr | undefined, length: Expr | undefined): Written | null {
  const start = numberOf(from);
  if (format === '' || start === null) return null;
  const at = start > 0 ? start - 1 : start < 0 ? format.length + start : 0;
  const count = length === undefined ? format.length : numberOf(length);
  if (count === null || count <= 0 || at < 0) return null;
  // SUBSTR(x, 0, n) has one letter less.
  const cut = format.slice(at, at + count - (start === 0 ? 1 : 0));
  const part = PARTS.get(cut.replace(/[^A-Z]/g, ''));
  const clean = /^[A-Z].*[A-Z]$/.test(cut);
  const before = format[at - 1] !== cut[0] && format[at + cut.length] !== cut.at(-1);
  if (part === undefined || !clean || !before) return null;
  return [cut === 'MM' && at > format.indexOf('HH') && format.includes('HH') ? 'minute' : part, cut];
}

const PARTS: ReadonlyMap<string, string> = new Map([
  ['YYYY', 'year'],
  ['MM', 'month'],
  ['DD', 'day'],
  ['HH', 'hour'],
  ['SS', 'second'],
  ['YYYYMM', 'month'],
  ['MMYYYY', 'month'],
  ['MMDD', 'day'],
  ['YYYYMMDD', 'date'],
  ['DDMMYYYY', 'date'],
  ['MMDDYYYY', 'date'],
  ['HHMM', 'time'],
  ['HHMMSS', 'time'],
]);

function numberOf(expr: Expr | undefined): number | null {
  return expr?.kind === 'literal' && expr.type === 'integer' ? Number(expr.value) : null;
}

/** How a column writes a month or day without dashes, or a time of day: YYYYMM, YYYYMMDD, HH:MM:SS; '' for any other. */
export function compactFormat({ type, statistics: { min, max } }: CatalogColumn): string {
  const written = [min, max].map(String);
  if (type !== 'string' && type !== 'integer') return '';
  if (written.every((one) => /^[0-2]\d:[0-5]\d(:[0-5]\d.*)?$/.test(one))) return 'HH:MM:SS';
  if (written.every((one) => /^(1[6-9]|20)\d\d(0[1-9]|1[0-2])$/.test(one))) return 'YYYYMM';
  return written.every((one) => /^(1[6-9]|20)\d\d(0[1-9]|1[0-2])([0-2]\d|3[01])$/.test(one))
    ? 'YYYYMMDD'
    : '';
}
