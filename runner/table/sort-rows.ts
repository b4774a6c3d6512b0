import { FORMULATION_NAMES } from '../../contracts/formulation-names.ts';
import type { LeaderboardRow } from './leaderboard.ts';

/** Sorts rows as tables show them. */
export function sortRows(rows: readonly LeaderboardRow[]): LeaderboardRow[] {
  const rank = (row: LeaderboardRow) => row.completion ?? row.relevance ?? -1;
  return [...rows].sort(
    (a, b) =>
      FORMULATION_NAMES.indexOf(a.formulation) - FORMULATION_NAMES.indexOf(b.formulation) ||
      rank(b) - rank(a) ||
      (a.model < b.model ? -1 : a.model > b.model ? 1 : 0),
  );
}
