import type { Expr } from '../../../sql/index.ts';
import { bare } from '../outline/patterns.ts';
import { capital, type Phrase } from '../outline/phrase.ts';
import type { Speaker } from '../outline/speaker.ts';
import { columnProse, placeOf } from './column-prose.ts';
import type { ValueGuard } from './guard.ts';

/** What a result column holds. */
export function describeColumn(
  expr: Expr | null,
  phrase: Phrase,
  speaker: Speaker,
  guard: ValueGuard,
): string {
  const inner = expr === null ? null : bare(shown(expr));
  const base = inner === null ? null : speaker.origins.baseColumn(inner);
  if (base === null) return `${capital(phrase.text)}.`;
  const prose = columnProse(base.column, phrase.text, guard);
  return `${capital(phrase.text)} (${placeOf(base.table, base.column)}).${prose === '' ? '' : ` ${prose}`}`;
}

/** What a subquery that gives one value shows. */
function shown(expr: Expr): Expr {
  if (expr.kind !== 'scalar_query' || expr.query.kind !== 'select') return expr;
  return expr.query.columns[0]?.expr ?? expr;
}
