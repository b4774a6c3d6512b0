import { useEffect, useState } from 'preact/hooks';
import type { BoardRun, BoardSample } from '../../runner/board/board.ts';
import type { LeaderboardRow } from '../../runner/table/leaderboard.ts';
import { filteredRow } from './filtered-row.ts';
import { filterSamples, isOpen, type SampleFilter } from './sample-filter.ts';

/**
 * The rows of runs over the samples that a filter leaves. Figures are there at once, intervals one run after the other, so that the
 * page can be used meanwhile.
 */
export function useRows(
  runs: readonly BoardRun[],
  samples: ReadonlyMap<string, readonly BoardSample[]> | undefined,
  filter: SampleFilter,
): readonly LeaderboardRow[] {
  const whole = isOpen(filter) || samples === undefined;
  const key = JSON.stringify([runs.map(({ id }) => id), filter, whole]);
  const [rows, setRows] = useState<{ key: string; rows: readonly LeaderboardRow[] }>({ key: '', rows: [] });
  useEffect(() => {
    if (whole) return undefined;
    const left = (run: BoardRun) => filterSamples(samples.get(run.id) ?? [], filter);
    const made = runs.map((run) => filteredRow(run, left(run), 'none'));
    setRows({ key, rows: made });
    let next = 0;
    let timer = window.setTimeout(function refine() {
      const run = runs[next];
      if (!run) return;
      made[next] = filteredRow(run, left(run), 'bootstrap');
      setRows({ key, rows: [...made] });
      next++;
      timer = window.setTimeout(refine);
    });
    return () => window.clearTimeout(timer);
  }, [key]);
  if (whole) return runs.map(({ row }) => row);
  return rows.key === key ? rows.rows : [];
}
