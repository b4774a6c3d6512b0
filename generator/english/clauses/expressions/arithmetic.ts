import { type Binary, columnsOf, type Expr, exprsWithin, sameExpr } from '../../../../sql/index.ts';
import { typeOf } from '../../../template/template.ts';
import { isPersonName, personOf } from '../../words/word-lists.ts';
import type { Arithmetic, Term, Wording } from '../clause.ts';
import { bare, flatten, isPiece, numberLiteral } from '../patterns.ts';
import type { Scope } from '../query-context.ts';
import { signature } from '../tree.ts';
import { durationTerm, isBirth, partOf, writtenAs } from './date.ts';
import { quotientTerm } from './quotient.ts';

/** Enrollment difference, full name, percentage of loans, weeks between two dates. */
export function arithmeticTerm(expr: Binary, scope: Scope): Term {
  const { op } = expr;
  if (op === '||') return joinedText(textParts(expr), scope);
  const amounts = quarter(expr, scope) ?? compactPart(expr, scope) ?? stepped(expr, scope);
  if (amounts !== null) return amounts;
  const plain = inUnit(expr, scope) ?? asPercentage(expr, scope) ?? operation(expr, scope);
  return op === '/' && isWhole(expr, scope) ? (withoutFraction(plain) ?? derivedWhole(plain)) : plain;
}

function operation(expr: Binary, scope: Scope): Term {
  const { op, left, right } = expr;
  switch (op) {
    case '/':
      return quotientTerm(left, right, scope);
    case '-':
      return durationTerm(left, right, scope) ?? arithmetic('-', [left, right], scope);
    case '+':
      return sum(expr, scope);
    case '*':
      return arithmetic('*', flatten(expr, '*'), scope);
    case '%':
      return arithmetic('%', [left, right], scope);
    case '->':
    case '->>': {
      const [of, path] = [scope.term(left), scope.term(right)];
      return { kind: 'derived', word: 'field', place: 'of', of, more: [path] };
    }
    default: {
      const bitwise = BITWISE[op];
      if (bitwise === undefined) return arithmetic('bits', [left, right], scope);
      return { kind: 'derived', word: bitwise, place: 'of', of: scope.term(left), more: [scope.term(right)] };
    }
  }
}

const BITWISE: Readonly<Record<string, string>> = {
  '|': 'bitwise or',
  '<<': 'left shift',
  '>>': 'right shift',
};

export function arithmetic(op: Arithmetic['op'], items: readonly Expr[], scope: Scope): Term {
  return { kind: 'arithmetic', op, items: items.map((item) => scope.term(item)), whole: false, step: null };
}

function derivedWhole(of: Term): Term {
  return { kind: 'derived', word: 'whole part', place: 'of', of, more: [] };
}

/** A term without its fraction, where its kind tells whether it has one; else null. */
export function withoutFraction(term: Term): Term | null {
  switch (term.kind) {
    case 'age':
      return { ...term, years: term.years === 'exact' ? 'whole' : term.years };
    case 'duration':
      return { ...term, full: true };
    case 'arithmetic':
      return term.op === '/' ? { ...term, whole: true } : null;
    default:
      return null;
  }
}

/** Integers are divided without a remainder. */
function isWhole({ left, right }: Binary, { context: { origins } }: Scope): boolean {
  return [left, right].every((side) => isDatePart(side) || typeOf(side, origins) === 'integer');
}

/** A part of a date is text, and in arithmetic the integer that it writes. */
function isDatePart(expr: Expr): boolean {
  const [format] = expr.kind === 'call' && expr.name === 'strftime' ? expr.args : [];
  return format?.kind === 'literal' && /^%[YmdHMSjwWs]$/.test(String(format.value));
}

/** `(month + 2) / 3` and `(month - 1) / 3 + 1` are the quarter. */
function quarter(expr: Binary, scope: Scope): Term | null {
  const isBy = ({ op, right }: Binary, sign: Binary['op'], number: number) =>
    op === sign && Number(numberLiteral(right)?.value) === number;
  const later = isBy(expr, '+', 1);
  const divided = later ? bare(expr.left) : expr;
  if (divided.kind !== 'binary' || !isBy(divided, '/', 3) || !isWhole(divided, scope)) return null;
  const moved = bare(divided.left);
  if (moved.kind !== 'binary' || !isBy(moved, later ? '-' : '+', later ? 1 : 2)) return null;
  const month = scope.term(moved.left);
  return month.kind === 'date_part' && month.part === 'month' ? { ...month, part: 'quarter' } : null;
}

/** `year / 10 * 10` is the decade; of other numbers they are rounded down. */
function stepped({ op, left, right }: Binary, scope: Scope): Term | null {
  const [by, divided] = [numberLiteral(right), bare(left)];
  if (op !== '*' || by === null || divided.kind !== 'binary' || divided.op !== '/') return null;
  if (!isWhole(divided, scope) || numberLiteral(divided.right)?.value !== by.value) return null;
  const of = scope.term(divided.left);
  const isYear =
    of.kind === 'date_part' ? of.part === 'year' : of.kind === 'property' && /year$/i.test(of.own.text);
  if (isYear && by.value === 10n)
    return { kind: 'date_part', part: 'decade', of: of.kind === 'date_part' ? of.of : of };
  return { kind: 'arithmetic', op: '/', items: [of], whole: true, step: Number(by.value) };
}

/** The part of `201208` that division by 100 leaves: the year, and as the remainder the month. */
function compactPart({ op, left, right }: Binary, scope: Scope): Term | null {
  const format = writtenAs(left, scope);
  if (!format.startsWith('YYYYMM')) return null;
  const by = Number(numberLiteral(right)?.value);
  const of = scope.term(left);
  const part = (name: string): Term => ({ kind: 'date_part', part: name, of });
  if (format === 'YYYYMMDD' && by === 10_000) return op === '/' ? part('year') : null;
  if (by !== 100) return null;
  const [quotient, remainder] = format === 'YYYYMM' ? ['year', 'month'] : ['month', 'day'];
  return op === '/' ? part(quotient) : op === '%' ? part(remainder) : null;
}

/** A ratio, a share or a change times 100, in whichever order it is multiplied. */
function asPercentage({ op, left, right }: Binary, scope: Scope): Term | null {
  if (op === '*') {
    const factor = isHundred(right) ? left : isHundred(left) ? right : null;
    return factor === null ? null : percentOf(scope.term(factor));
  }
  if (op !== '/') return null;
  const top = bare(left);
  if (top.kind !== 'binary' || top.op !== '*') return null;
  const factor = isHundred(top.right) ? top.left : isHundred(top.left) ? top.right : null;
  return factor === null ? null : percentOf(quotientTerm(bare(factor), right, scope));
}

function isHundred(expr: Expr): boolean {
  return Number(numberLiteral(expr)?.value) === 100;
}

function percentOf(of: Term): Term | null {
  return of.kind === 'share' || of.kind === 'ratio' || of.kind === 'change' ? { ...of, percent: true } : null;
}

/** What a duration becomes when it is multiplied or divided. */
const UNITS: readonly (readonly [from: string, op: Binary['op'], by: number, to: string])[] = [
  ['days', '*', 24, 'hours'],
  ['days', '*', 1440, 'minutes'],
  ['days', '*', 86_400, 'seconds'],
  ['days', '/', 7, 'weeks'],
  ['days', '/', 30, 'months'],
  ['days', '/', 365, 'years'],
  ['days', '/', 365.25, 'years'],
  ['seconds', '/', 60, 'minutes'],
  ['seconds', '/', 3600, 'hours'],
  ['seconds', '/', 86_400, 'days'],
];

/** A duration in another unit, also inside an average of it; null for anything else. */
function inUnit({ op, left, right }: Binary, scope: Scope): Term | null {
  const by = Number(numberLiteral(right)?.value);
  if ((op !== '*' && op !== '/') || Number.isNaN(by)) return null;
  return converted(scope.term(left), op, by);
}

function converted(of: Term, op: Binary['op'], by: number): Term | null {
  if (of.kind === 'summary') {
    const inner = converted(of.of, op, by);
    return inner === null ? null : { ...of, of: inner };
  }
  if (of.kind !== 'duration') return null;
  const unit = UNITS.find(([from, sign, number]) => from === of.unit && sign === op && number === by)?.[3];
  if (unit === undefined) return null;
  const { from, to } = of;
  if (unit === 'years' && isBirth(from) && to.kind === 'constant') {
    return { kind: 'age', of: from, on: to, years: 'exact' };
  }
  return { ...of, unit };
}

function sum(expr: Binary, scope: Scope): Term {
  const items = flatten(expr, '+');
  // A time taken apart and added up again is still that time.
  const [only, ...others] = items.flatMap(columnsOf);
  if (only !== undefined && others.every((other) => sameExpr(other, only)) && items.every(isPiece)) {
    const of = scope.term(only);
    const unit = timeUnit(expr);
    return unit === null ? of : { kind: 'derived', word: unit, place: 'after', of, more: [] };
  }
  return arithmetic('+', items, scope);
}

/** What a time is counted in when its minutes and hours are multiplied and added up; null where that is not told. */
function timeUnit(expr: Binary): string | null {
  const factors = exprsWithin(expr).flatMap((part) =>
    part.kind === 'binary' && part.op === '*' ? [Number(numberLiteral(part.right)?.value)] : [],
  );
  if (factors.some((factor) => factor === 60_000 || factor === 3_600_000)) return 'in milliseconds';
  return factors.some((factor) => factor === 60 || factor === 3600) ? 'in seconds' : null;
}

function textParts(expr: Binary): readonly Expr[] {
  return flatten(expr, '||').filter((part) => {
    const inner = bare(part);
    return inner.kind !== 'literal' || /[\p{L}\p{N}]/u.test(String(inner.value));
  });
}

/** Several texts written one after the other: full name, city and state. */
export function joinedText(parts: readonly Expr[], scope: Scope): Term {
  const items = parts.map((part) => scope.term(part));
  const [first, ...others] = items;
  if (first !== undefined && others.length === 0) return first;
  const moment = writtenAnew(items);
  if (moment !== null) return moment;
  return { kind: 'joined_text', items, person: personName(items) };
}

/** A date whose parts are put in another order is still that date; null for other texts. */
function writtenAnew(items: readonly Term[]): Term | null {
  const parts = items.flatMap((item) => (item.kind === 'date_part' ? [item] : []));
  const [first] = parts;
  if (first === undefined || parts.length < items.length) return null;
  if (parts.some(({ of }) => signature(of) !== signature(first.of))) return null;
  const told = parts.map(({ part }) => part).join(' ');
  return /^year month( day)?$/.test(told) ? partOf(told === 'year month' ? 'month' : 'date', first.of) : null;
}

/** A manager's first and last name are the manager's full name. */
function personName(items: readonly Term[]): Wording | null {
  const words = items.flatMap((item) => (item.kind === 'property' ? [item.own.words] : []));
  if (words.length < items.length || !isPersonName(words)) return null;
  const [first] = items;
  const full = first?.kind === 'property' && !first.clear ? first.full.words : (words[0] ?? []);
  const said = [...(personOf(full)?.whose ?? []), 'full', 'name'];
  return { words: said, text: said.join(' ') };
}
