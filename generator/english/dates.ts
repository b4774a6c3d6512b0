import type { CatalogColumn } from '../../contracts/catalog.ts';
import type { Call, Expr } from '../../sql/index.ts';
import { formatOf } from './catalog-prose.ts';
import type { Age, Duration, Given, Shift, Term } from './clause.ts';
import { isDate, isEpoch } from './column-text.ts';
import { bare, numberLiteral } from './patterns.ts';
import type { Scope } from './query-context.ts';

/** The term of a date function: a part of a moment, or the moment moved; null for other functions. */
export function dateTerm(expr: Call, scope: Scope): Term | null {
  const found = datePart(expr, (of) => writtenAs(of, scope));
  if (found === null) return null;
  const of = movedBy(scope.term(epochOf(found.of)), found.modifiers, scope);
  if (of.kind === 'constant') return of;
  return of.kind === 'moved' && /^(date|time)$/.test(found.part) ? of : partOf(found.part, of);
}

/** Milliseconds divided by 1000 are the same moment. */
function epochOf(expr: Expr): Expr {
  const inner = bare(expr);
  const thousand =
    inner.kind === 'binary' && inner.op === '/' && Number(numberLiteral(inner.right)?.value) === 1000;
  return thousand ? inner.left : expr;
}

/** A part of a term; a part of a date is a part of its moment. */
export function partOf(part: string, of: Term): Term {
  const isDay = of.kind === 'date_part' && of.part === 'date';
  return { kind: 'date_part', part, of: isDay ? of.of : of };
}

/** A value given to a date function that moves it: a given date plus 1 month. */
export function movedGiven(expr: Expr, given: Given, scope: Scope): Given {
  const part = expr.kind === 'call' ? datePart(expr, () => '') : null;
  return part === null ? given : { ...given, shifts: shiftsOf(part.modifiers, scope) };
}

function movedBy(of: Term, modifiers: readonly Expr[], scope: Scope): Term {
  const shifts = shiftsOf(modifiers, scope);
  return shifts.length === 0 ? of : { kind: 'moved', of, shifts };
}

function shiftsOf(modifiers: readonly Expr[], scope: Scope): readonly Shift[] {
  return modifiers.flatMap((modifier) => shiftOf(bare(modifier), scope) ?? []);
}

function shiftOf(modifier: Expr, scope: Scope): Shift | null {
  if (modifier.kind !== 'literal' || scope.context.choiceOf.has(modifier)) {
    return { kind: 'term', by: scope.term(modifier) };
  }
  const written = String(modifier.value).trim().toLowerCase();
  if (FORMS.test(written)) return null;
  const start = written.match(/^start of (day|month|year)$/)?.[1];
  if (start !== undefined) return { kind: 'start', unit: start };
  const weekday = written.match(/^weekday (\d)$/)?.[1];
  if (weekday !== undefined) return { kind: 'weekday', day: Number(weekday) };
  const [, sign, count, unit] =
    written.match(/^([+-]?)\s*(\d+(?:\.\d+)?)\s*(day|hour|minute|second|month|year)s?$/) ?? [];
  if (count === undefined || unit === undefined) return { kind: 'term', by: scope.term(modifier) };
  return {
    kind: 'by',
    sign: sign === '-' ? 'minus' : 'plus',
    count,
    unit: count === '1' ? unit : `${unit}s`,
  };
}

/** Modifiers that only concern the format of a moment. */
const FORMS = /^(auto|unixepoch|julianday|subsec|subsecond|localtime|utc|ceiling|floor)$/;

/** The format of a moment in time, by its column: YYYY-MM-DD, YYYYMM; '' for other columns. */
export function writtenAs(expr: Expr, { context }: Scope): string {
  const base = context.origins.baseColumn(bare(expr));
  if (base === null) return '';
  if (isDate(base.column)) return 'YYYY-MM-DD HH:MM:SS';
  const written = formatOf(base.column);
  return compactFormat(base.column) || (written.startsWith('D') ? written : '');
}

/** A moment as a number. */
interface Moment {
  /** The unit of a difference of two of them. */
  readonly unit: 'days' | 'seconds' | 'years';
  readonly expr: Expr;
  /** True for a moment that the query fixes. */
  readonly fixed: boolean;
}

/**
 * Age, days from order date to delivery date; null if the sides are not moments in time. `2024 - 1990 -
 * ('05-17' < '11-30')` are full years.
 */
export function durationTerm(later: Expr, earlier: Expr, scope: Scope): Duration | Age | null {
  const whole = fullYears(later, earlier, scope);
  if (whole !== null) return whole;
  const [a, b] = [momentOf(later, scope), momentOf(earlier, scope)];
  if (a === null || b === null || a.unit !== b.unit || (a.fixed && b.fixed)) return null;
  const [to, from] = [scope.term(a.expr), scope.term(b.expr)];
  // Nothing but an age counts up to a year.
  if (a.expr.kind === 'literal' && a.expr.type === 'integer' && !isBirth(from)) return null;
  if (a.unit === 'years' && isBirth(from) && !isBirth(to))
    return { kind: 'age', of: from, on: to, years: 'calendar' };
  return { kind: 'duration', unit: a.unit, from, to, full: false };
}

function fullYears(left: Expr, right: Expr, scope: Scope): Duration | Age | null {
  const [years, over] = [bare(left), bare(right)];
  if (years.kind !== 'binary' || years.op !== '-' || over.kind !== 'compare' || over.op !== '<') return null;
  if (![over.left, over.right].every(isDayOfYear)) return null;
  const of = durationTerm(years.left, years.right, scope);
  if (of === null || (of.kind === 'duration' && of.unit !== 'years')) return null;
  return of.kind === 'age' ? { ...of, years: 'full' } : { ...of, full: true };
}

function isDayOfYear(expr: Expr): boolean {
  const inner = bare(expr);
  const [format] = inner.kind === 'call' && inner.name === 'strftime' ? inner.args : [];
  return format?.kind === 'literal' && /^%m-?%d$/.test(String(format.value));
}

/** Whether a moment is a birth, so that years since then are an age. */
export function isBirth(of: Term): boolean {
  return of.kind === 'property' && /birth|\bdob\b|\bborn\b/i.test(of.full.words.join(' '));
}

/** Text in arithmetic is the number that it begins with: the year of a date. */
function momentOf(expr: Expr, scope: Scope): Moment | null {
  const inner = bare(expr);
  if (inner.kind === 'literal') {
    const isYear = inner.type === 'integer' && Number(inner.value) > 1800 && Number(inner.value) < 2200;
    return inner.pinned || isYear ? { unit: 'years', expr: inner, fixed: true } : null;
  }
  if (inner.kind === 'column') {
    const base = scope.context.origins.baseColumn(inner);
    if (base === null || !(isDate(base.column) || isEpoch(base.column))) return null;
    // Text in arithmetic is its year, a count of seconds is itself; milliseconds are not supported.
    const seconds = isEpoch(base.column) && Number(base.column.statistics.max) < 1e11;
    if (isEpoch(base.column) && !seconds) return null;
    return { unit: seconds ? 'seconds' : 'years', expr: inner, fixed: false };
  }
  if (inner.kind !== 'call') return null;
  const found = datePart(inner, (of) => writtenAs(of, scope));
  if (found === null || shiftsOf(found.modifiers, scope).length > 0) return null;
  const unit = unitOf(inner.name, found.part, found.format, inner.args[0]);
  if (unit === null) return null;
  const of = bare(found.of);
  return { unit, expr: of, fixed: of.kind === 'literal' };
}

function unitOf(name: string, part: string, format: string, first: Expr | undefined): Moment['unit'] | null {
  if (name === 'julianday') return 'days';
  if (name === 'unixepoch') return 'seconds';
  if (name === 'strftime' && first?.kind === 'literal') {
    if (first.value === '%J') return 'days';
    if (first.value === '%s') return 'seconds';
  }
  if (part === 'year') return 'years';
  return part === 'date' && format.startsWith('YYYY') ? 'years' : null;
}

/** A part of a moment in time that a function takes, and how it is written. */
export interface DatePart {
  readonly part: string;
  /** `YYYY-MM`; '' when it is a number without a fixed width. */
  readonly format: string;
  readonly of: Expr;
  /** Modifiers that move the moment before its part is taken: `'+7 days'`. */
  readonly modifiers: readonly Expr[];
}

/**
 * STRFTIME('%Y', x), DATE(x), or SUBSTR(x, 1, 4) of a date written as text; null for anything else. `formatOf` returns
 * the format of a text, '' if it is not a date.
 */
export function datePart(expr: Call, formatOf: (expr: Expr) => string): DatePart | null {
  const [first, second, third] = expr.args;
  if (first === undefined) return null;
  if (expr.name === 'strftime') {
    if (second === undefined || first.kind !== 'literal') return null;
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

/** The format of a column with months or days without dashes, or times of day: YYYYMM, YYYYMMDD, HH:MM:SS; '' for others. */
function compactFormat({ type, statistics: { min, max } }: CatalogColumn): string {
  const written = [min, max].map(String);
  if (type !== 'string' && type !== 'integer') return '';
  if (written.every((one) => /^[0-2]\d:[0-5]\d(:[0-5]\d.*)?$/.test(one))) return 'HH:MM:SS';
  if (written.every((one) => /^(1[6-9]|20)\d\d(0[1-9]|1[0-2])$/.test(one))) return 'YYYYMM';
  return written.every((one) => /^(1[6-9]|20)\d\d(0[1-9]|1[0-2])([0-2]\d|3[01])$/.test(one))
    ? 'YYYYMMDD'
    : '';
}
