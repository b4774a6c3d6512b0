import { FORMULATION_NAMES } from '../../contracts/formulation-names.ts';
import type { LeaderboardRow } from './leaderboard.ts';

/**
 * Sorts rows as tables show them: by formulation, then by what completion is at least, so that a lucky run of three tasks
 * does not stand above a good one of a hundred.
 */
export function sortRows(rows: readonly LeaderboardRow[]): LeaderboardRow[] {
  return [...rows].sort(
    (a, b) =>
      FORMULATION_NAMES.indexOf(a.formulation) - FORMULATION_NAMES.indexOf(b.formulation) ||
      lowerEnd(b) - lowerEnd(a) ||
      (b.completion ?? 0) - (a.completion ?? 0) ||
      (a.name < b.name ? -1 : a.name > b.name ? 1 : 0),
  );
}

/**
 * The lower end of the 95 % interval of a row's completion, or of its relevance where there is none; -1 where neither is
 * known. Redraws of few samples that are all alike give an interval of no width, and published rows have none: Wilson's
 * interval is the wider one then, and counts.
 */
function lowerEnd({ completion, relevance, interval, n }: LeaderboardRow): number {
  const share = completion ?? relevance;
  if (share === null) return -1;
  const wilson = wilsonLowerEnd(share, n);
  return completion === null || interval === null ? wilson : Math.min(interval[0], wilson);
}

function wilsonLowerEnd(share: number, n: number): number {
  if (n === 0) return 0;
  const z = 1.96;
  const middle = share + (z * z) / (2 * n);
  const half = z * Math.sqrt((share * (1 - share)) / n + (z * z) / (4 * n * n));
  return (middle - half) / (1 + (z * z) / n);
}
