import type { CatalogTable } from '../../../../contracts/catalog.ts';
import { leftmost, type Query } from '../../../sql/index.ts';
import type { Saying } from './phrase-of.ts';

/** The table that the first result column is read from. */
export function shownTable(query: Query, { speaker }: Pick<Saying, 'speaker'>): CatalogTable | null {
  const first = leftmost(query);
  const shown = first.kind === 'select' ? first.columns[0]?.expr : undefined;
  return shown === undefined ? null : (speaker.origins.baseColumn(shown)?.table ?? null);
}
