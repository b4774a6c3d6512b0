import type { Expr } from '../../../sql/index.ts';
import { datePart } from './date-parts.ts';
import { isDateExpr, writtenAs } from './function-phrase.ts';
import { bare } from './patterns.ts';
import { type Phrase, plainPhrase, upTo } from './phrase.ts';
import { phraseOf, type Saying } from './phrase-of.ts';
import { isStill } from './shifted-phrase.ts';

/** A moment as a number; a null expression is the farm's reference time or a fixed one. */
interface Moment {
  /** What two of them differ by. */
  readonly unit: 'days' | 'seconds' | 'years';
  readonly expr: Expr | null;
  readonly fixed: boolean;
}

/**
 * `2024 - 1990 - ('05-17' < '11-30')`: years of which the last is only counted when it is over; null for anything
 * else.
 */
export function fullYearsPhrase(left: Expr, right: Expr, saying: Saying): Phrase | null {
  const [years, over] = [bare(left), bare(right)];
  if (years.kind !== 'binary' || years.op !== '-' || over.kind !== 'compare' || over.op !== '<') return null;
  if (![over.left, over.right].every(isDayOfYear)) return null;
  const of = durationPhrase(years.left, years.right, saying);
  if (of === null || !/^(years|age)\b/.test(of.text)) return null;
  return { ...of, text: of.text.replace(/^years\b/, 'full years') };
}

function isDayOfYear(expr: Expr): boolean {
  const inner = bare(expr);
  const [format] = inner.kind === 'call' && inner.name === 'strftime' ? inner.args : [];
  return format?.kind === 'literal' && /^%m-?%d$/.test(String(format.value));
}

/** age, days from order date to delivery date; null when the sides are no moments in time. */
export function durationPhrase(later: Expr, earlier: Expr, saying: Saying): Phrase | null {
  const [a, b] = [momentOf(later, saying), momentOf(earlier, saying)];
  if (a === null || b === null || a.unit !== b.unit) return null;
  const { unit } = a;
  if (a.expr !== null && b.expr !== null) {
    const [to, from] = [phraseOf(a.expr, saying), phraseOf(b.expr, saying)];
    return plainPhrase(
      upTo(8, [unit, 'from', ...from.noun, 'to', ...to.noun], [unit]),
      `${unit} from ${from.text} to ${to.text}`,
    );
  }
  const since = a.expr ?? b.expr;
  if (since === null) return null;
  const of = phraseOf(since, saying);
  const [to, from] = [a, b].map(({ expr, fixed }) =>
    fixed ? 'a fixed date' : expr === null ? 'now' : of.text,
  );
  const plain = bare(since).kind === 'column';
  const isAge =
    plain && unit === 'years' && a.expr === null && /birth|\bdob\b|\bborn\b/i.test(of.noun.join(' '));
  if (isAge) return plainPhrase(['age'], a.fixed ? 'age on a fixed date' : 'age');
  const words = [unit, a.expr === null ? 'since' : 'until', ...of.noun];
  return to === 'now' ? plainPhrase(words) : plainPhrase(words, `${unit} from ${from} to ${to}`);
}

/** Text in arithmetic is the number that it begins with: the year of a date. */
function momentOf(expr: Expr, saying: Saying): Moment | null {
  const inner = bare(expr);
  if (inner.kind === 'literal') return inner.pinned ? { unit: 'years', expr: null, fixed: false } : null;
  if (inner.kind === 'column')
    return isDateExpr(inner, saying) ? { unit: 'years', expr: inner, fixed: false } : null;
  if (inner.kind !== 'call') return null;
  const found = datePart(inner, (of) => writtenAs(of, saying));
  if (found === null || !found.modifiers.every(isStill)) return null;
  const unit = unitOf(inner.name, found.part, found.format, inner.args[0]);
  if (unit === null) return null;
  const of = bare(found.of);
  return of.kind === 'literal'
    ? { unit, expr: null, fixed: !of.pinned }
    : { unit, expr: found.of, fixed: false };
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
