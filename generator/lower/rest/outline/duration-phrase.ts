import type { Expr } from '../../../sql/index.ts';
import { datePart } from './date-parts.ts';
import { isDateExpr } from './function-phrase.ts';
import { bare } from './patterns.ts';
import { type Phrase, plainPhrase, upTo } from './phrase.ts';
import { phraseOf, type Saying } from './phrase-of.ts';

/** A part of a moment; a null expression is a fixed one or the farm's reference time. */
interface Moment {
  readonly part: string;
  readonly expr: Expr | null;
}

/** age, days from order date to delivery date; null when the sides are no moments in time. */
export function durationPhrase(later: Expr, earlier: Expr, saying: Saying): Phrase | null {
  const [a, b] = [momentOf(later, saying), momentOf(earlier, saying)];
  if (a === null || b === null) return null;
  const unit = a.part === 'year' && b.part === 'year' ? 'years' : 'days';
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
  return /birth|\bdob\b|\bborn\b/i.test(of.noun.join(' '))
    ? plainPhrase(['age'])
    : plainPhrase([unit, 'since', ...of.noun]);
}

function momentOf(expr: Expr, saying: Saying): Moment | null {
  const inner = bare(expr);
  if (inner.kind === 'literal') return inner.pinned ? { part: 'date', expr: null } : null;
  if (inner.kind === 'column') return isDateExpr(inner, saying) ? { part: 'date', expr: inner } : null;
  if (inner.kind !== 'call') return null;
  const found = datePart(inner, (of) => isDateExpr(of, saying));
  if (found === null || (found.part !== 'year' && found.part !== 'date')) return null;
  return { part: found.part, expr: bare(found.of).kind === 'literal' ? null : found.of };
}
