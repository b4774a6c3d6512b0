import { computeFigures } from '../../eval/score/figures.ts';
import { countOutcomes } from '../../eval/score/ledger.ts';
import { summarizeErrors } from '../../eval/score/summarize-errors.ts';
import { completionOf, type FiguredSample, summarizeMetrics } from '../../eval/score/summarize-metrics.ts';
import type { BoardRun, BoardSample } from '../../runner/board/board.ts';
import type { LeaderboardRow } from '../../runner/table/leaderboard.ts';
import { rowFigures } from '../../runner/table/row-figures.ts';

/**
 * The row of a run over some of its samples: the figures of a score report, by the code that makes those. It has no interval yet,
 * which takes as long again.
 */
export function filteredRow(run: BoardRun, samples: readonly BoardSample[]): LeaderboardRow {
  const figured = samples.map(toFigured);
  const tasks = figured.filter(({ withheld }) => !withheld);
  const judged = samples.filter(({ lucky }) => lucky !== null);
  const costs = samples.flatMap(({ cost }) => cost ?? []);
  const worlds = { passes: judged.length, lucky: judged.filter(({ lucky }) => lucky).length };
  return {
    ...run.row,
    ...rowFigures(
      {
        metrics: summarizeMetrics(figured, { ...run.resampling, resamples: 0 }, run.category),
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

/**
 * The interval of such a row: that of completion is the only one that a leaderboard shows. Redraws are the same whatever
 * is summed over them, so it is the interval of a report.
 */
export function intervalOf(run: BoardRun, samples: readonly BoardSample[]): LeaderboardRow['interval'] {
  const tasks = samples.map(toFigured).filter(({ withheld }) => !withheld);
  return computeFigures(tasks, { completion: completionOf(tasks) }, {}, run.resampling).shares.completion.ci;
}

const figuredSamples = new WeakMap<BoardSample, FiguredSample>();

function toFigured(sample: BoardSample): FiguredSample {
  const known = figuredSamples.get(sample);
  if (known) return known;
  const { question: _, call_ms, lucky: __, ...score } = sample;
  const transcript = call_ms.map((latency_ms) => ({ latency_ms }));
  const figured = { ...score, confusions: [], argument_faults: [], shown: { transcript } };
  figuredSamples.set(sample, figured);
  return figured;
}
