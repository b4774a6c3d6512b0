import { sortRows } from '../runner/leaderboard/columns.ts';
import { BoardFiles, sourceOfRun } from './board.ts';
import { choosePublished, findScoredRuns, type Published } from './run/find-runs.ts';

export interface OpenBoardOptions {
  readonly title: string;
  /** Whether reviews include the gold. */
  readonly gold: boolean;
  readonly published: Published;
}

/** The leaderboard of the scored runs in these folders. Throws RUN_INVALID if there are none, REPORT_INVALID. */
export function openBoard(
  places: readonly string[],
  { published, ...options }: OpenBoardOptions,
): BoardFiles {
  const runs = findScoredRuns(places);
  const rows = runs.map(({ row }) => row);
  return new BoardFiles(runs.map(sourceOfRun), {
    ...options,
    published: sortRows(choosePublished(rows, published)),
  });
}
