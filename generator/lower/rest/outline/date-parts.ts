import type { Call, Expr } from '../../../sql/index.ts';

/** A part of a moment in time that a function takes, and how it is written. */
export interface DatePart {
  readonly part: string;
  /** `YYYY-MM`; '' when it is a number without a fixed width. */
  readonly format: string;
  readonly of: Expr;
}

/** STRFTIME('%Y', x), DATE(x), or SUBSTR(x, 1, 4) of a date written as text; null for anything else. */
export function datePart(expr: Call, isDate: (expr: Expr) => boolean): DatePart | null {
  const [first, second, third] = expr.args;
  if (first === undefined) return null;
  if (expr.name === 'strftime') {
    if (second === undefined) return null;
    const format = first.kind === 'literal' && first.type === 'text' ? first.value : '';
    const [part, written] = FORMATS.get(format) ?? ['date', ''];
    return { part, format: written, of: second };
  }
  const whole = WHOLES[expr.name];
  if (whole !== undefined) return { part: whole[0], format: whole[1], of: first };
  if ((expr.name !== 'substr' && expr.name !== 'substring') || !isDate(first)) return null;
  const slice = SLICES[`${numberOf(second)} ${numberOf(third)}`];
  return slice === undefined ? null : { part: slice[0], format: slice[1], of: first };
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
    '%s': ['time', ''],
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
  unixepoch: ['date', ''],
};

const SLICES: Readonly<Record<string, Written>> = {
  '1 4': ['year', 'YYYY'],
  '0 5': ['year', 'YYYY'],
  '1 7': ['month', 'YYYY-MM'],
  '6 2': ['month', 'MM'],
  '9 2': ['day', 'DD'],
  '1 10': ['date', 'YYYY-MM-DD'],
  '12 2': ['hour', 'HH'],
};

function numberOf(expr: Expr | undefined): string {
  return expr?.kind === 'literal' ? String(expr.value) : '';
}
