import { columnProse, placeOf } from './catalog-prose.ts';
import type { Term } from './clauses/clause.ts';
import { capital } from './noun-phrase.ts';
import type { ValueGuard } from './value-guard.ts';

/** What a result column holds: its text, and of a base column what the catalog says of it. */
export function describeColumn(term: Term, text: string, guard: ValueGuard): string {
  const inner = shown(term);
  const column = inner.kind === 'date_part' ? inner.of : inner;
  const base = column.kind === 'property' ? column.base : null;
  if (base === null) return `${capital(text)}.`;
  const prose = columnProse(base.column, text, guard);
  return `${capital(text)} (${placeOf(base.table, base.column)}).${prose === '' ? '' : ` ${prose}`}`;
}

/** What a subquery that gives one value shows. */
function shown(term: Term): Term {
  const [first] = term.kind === 'query' && term.query.kind === 'list' ? term.query.columns : [];
  return first ?? term;
}
