import type { LeaderboardRow } from '../../runner/table/leaderboard.ts';
import { publishedRows } from '../../runner/table/published-rows.ts';

/**
 * Which published rows stand beside runs of ours: those of the same split and formulations, all, or none. Of `hybrid` the
 * published questions are on no farm, so that its rows fit every split.
 */
export const PUBLISHED = ['fitting', 'all', 'none'] as const;
export type Published = (typeof PUBLISHED)[number];

/** Those rows. */
export function choosePublished(own: readonly LeaderboardRow[], which: Published): LeaderboardRow[] {
  if (which === 'none') return [];
  const splits = new Set(own.map(({ split }) => split));
  const kinds = new Set(own.map(({ formulation }) => formulation));
  return publishedRows().filter(
    (row) =>
      which === 'all' || (kinds.has(row.formulation) && (splits.has(row.split) || row.hybrid !== null)),
  );
}
