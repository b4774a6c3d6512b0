import { computeFigures } from '../../eval/score/figures.ts';
import { countOutcomes } from '../../eval/score/ledger.ts';
import { summarizeErrors } from '../../eval/score/summarize-errors.ts';
import { completionOf, type FiguredSample, summarizeMetrics } from '../../eval/score/summarize-metrics.ts';
import type { BoardRun, BoardSample } from '../../runner/board/board.ts';
import type { LeaderboardRow } from '../../runner/table/leaderboard.ts';
import { rowFigures } from '../../runner/table/row-figures.ts';

/** Redraws are what takes time; without them a row has its figures and no interval yet. */
export type Intervals = 'none' | 'bootstrap';

/** The row of a run over some of its samples: the figures of a score report, by the code that makes those. */
export function filteredRow(
  run: BoardRun,
  samples: readonly BoardSample[],
  intervals: Intervals,
): LeaderboardRow {
  const figured = samples.map(toFigured);
  const tasks = figured.filter(({ withheld }) => !withheld);
  const metrics = summarizeMetrics(figured, { ...run.resampling, resamples: 0 }, run.category);
  // A leaderboard shows the interval of completion only; redraws are the same whatever is summed over them.
  const completion =
    intervals === 'none'
      ? metrics.completion
      : computeFigures(tasks, { completion: completionOf(tasks) }, {}, run.resampling).shares.completion;
  const judged = samples.filter(({ lucky }) => lucky !== null);
  const costs = samples.flatMap(({ cost }) => cost ?? []);
  const worlds = { passes: judged.length, lucky: judged.filter(({ lucky }) => lucky).length };
  return {
    ...run.row,
    ...rowFigures(
      {
        metrics: { ...metrics, completion },
        ledger: countOutcomes(tasks),
        samples,
        error_classes: summarizeErrors(tasks),
        worlds: judged.length === 0 ? null : worlds,
        cost: costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0),
      },
      run,
    ),
    // Over other samples than the run in a world.
    world_difference: null,
  };
}

function toFigured({ question: _, call_ms, lucky: __, ...score }: BoardSample): FiguredSample {
  const transcript = call_ms.map((latency_ms) => ({ latency_ms }));
  return { ...score, confusions: [], argument_faults: [], shown: { transcript } };
}
