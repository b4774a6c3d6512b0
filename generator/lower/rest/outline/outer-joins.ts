import type { CatalogTable } from '../../../../contracts/catalog.ts';
import {
  conjuncts,
  type Expr,
  exprsWithin,
  type FromItem,
  type Select,
  type SourceId,
} from '../../../sql/index.ts';
import { isPadded } from '../template/is-not-null.ts';
import { bracketed, conditionText, type Wording } from './condition-text.ts';
import { bare } from './patterns.ts';
import type { Saying } from './phrase-of.ts';
import { plainJoins } from './plain-joins.ts';

/** The table that an outer join found no row of, when a column's NULL tells so. */
export function absentTable(expr: Expr, { speaker }: Pick<Saying, 'speaker'>): CatalogTable | null {
  const inner = bare(expr);
  if (inner.kind !== 'column' || !isPadded(inner.source, speaker.origins)) return null;
  const table = speaker.origins.tableOf(inner.source);
  const base = speaker.origins.baseColumn(inner);
  const on = speaker.origins
    .selectOf(inner.source)
    ?.from.find(({ source }) => source.id === inner.source)?.on;
  if (table === null || base === null || !on) return null;
  const joined = exprsWithin(on).some(
    (part) => part.kind === 'column' && part.source === inner.source && part.name === inner.name,
  );
  const sure = joined || base.column.not_null || base.column.primary_key > 0;
  return sure ? table : null;
}

/** Which rows an outer join looks for, besides those that refer; '' where it says no more. */
export function joinedWhere(column: Expr, wording: Wording): string {
  const inner = bare(column);
  const { origins } = wording.speaker;
  const select = inner.kind === 'column' ? origins.selectOf(inner.source) : null;
  const item = select?.from.find(({ source }) => inner.kind === 'column' && source.id === inner.source);
  return select === null || item === undefined ? '' : joinText(item, select, wording);
}

/** The conditions of a join besides what goes without saying; '' without any. */
export function joinText({ on }: FromItem, select: Select, wording: Wording): string {
  const plain = plainJoins(select, wording.speaker.origins);
  const conditions = conjuncts(on).filter((one) => !plain.has(one));
  const own = { ...wording, query: select, qualified: true };
  return conditions.map((one) => bracketed(one, conditionText(one, own))).join(' and ');
}

/** The outer-joined sources of a SELECT that its rows must have nothing of. */
export function absentSources({ where }: Select, speaker: Saying['speaker']): ReadonlySet<SourceId> {
  const saying = { speaker };
  return new Set(
    conjuncts(where).flatMap((one) =>
      one.kind === 'is_null' &&
      !one.negated &&
      one.expr.kind === 'column' &&
      absentTable(one.expr, saying) !== null
        ? [one.expr.source]
        : [],
    ),
  );
}
