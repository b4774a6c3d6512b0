import { useEffect, useState } from 'preact/hooks';
import type { BoardRun, BoardSample } from '../../runner/board/board.ts';
import type { LeaderboardRow } from '../../runner/table/leaderboard.ts';
import { filteredRow, intervalOf } from './filtered-row.ts';
import { filterSamples, isOpen, type SampleFilter } from './sample-filter.ts';

/**
 * The rows of runs over the samples that a filter leaves. They are made one run after the other, figures first and then intervals,
 * so that the page can be used meanwhile; until all have figures, the last rows stay.
 */
export function useRows(
  runs: readonly BoardRun[],
  samples: ReadonlyMap<string, readonly BoardSample[]> | undefined,
  filter: SampleFilter,
): readonly LeaderboardRow[] {
  const whole = isOpen(filter) || samples === undefined;
  const key = JSON.stringify([runs.map(({ id }) => id), filter, whole]);
  const [rows, setRows] = useState<readonly LeaderboardRow[] | null>(null);
  useEffect(() => {
    if (whole) {
      setRows(null);
      return undefined;
    }
    const left = runs.map((run) => filterSamples(samples.get(run.id) ?? [], filter));
    const made: LeaderboardRow[] = [];
    const work = [
      ...runs.map((run, i) => () => made.push(filteredRow(run, left[i] ?? []))),
      ...runs.map((run, i) => () => {
        made[i] = { ...(made[i] ?? run.row), interval: intervalOf(run, left[i] ?? []) };
      }),
    ];
    let next = 0;
    let timer = window.setTimeout(function go() {
      work[next++]?.();
      if (made.length === runs.length) setRows([...made]);
      if (next < work.length) timer = window.setTimeout(go);
    });
    return () => window.clearTimeout(timer);
  }, [key]);
  return whole || rows === null ? runs.map(({ row }) => row) : rows;
}
