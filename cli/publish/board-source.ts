import { FORMULATION_NAMES } from '../../contracts/formulation-names.ts';
import type { Report } from '../../contracts/report.ts';
import { countOutcomes } from '../../eval/score/ledger.ts';
import { summarizeErrors } from '../../eval/score/summarize-errors.ts';
import { summarizeMetrics } from '../../eval/score/summarize-metrics.ts';
import type { LeaderboardRow } from '../../runner/table/leaderboard.ts';
import { defaultName } from '../../runner/table/options-text.ts';
import { type FiguredRun, rowFigures } from '../../runner/table/row-figures.ts';
import { figuredRun } from '../../runner/table/run-row.ts';
import type { ScoredRun } from '../run/find-runs.ts';

/** What a board is made of: the samples of one formulation, their row, and the report that they are from. */
export interface BoardSource {
  readonly row: LeaderboardRow;
  readonly report: Report;
  readonly samples: Report['samples'];
  readonly figured: FiguredRun;
}

/** A run of `rookery run`, which has one formulation. */
export function sourceOfRun({ header, row, report }: ScoredRun): BoardSource {
  return { row, report, samples: report.samples, figured: figuredRun(header) };
}

/** The parts of a report of any predictions, one a formulation. */
export function sourcesOfReport(report: Report): BoardSource[] {
  const { farm, run, options } = report;
  const agent = typeof run.settings?.agent === 'string' ? run.settings.agent : null;
  const model = run.model ?? agent ?? 'predictions';
  const category = run.category ?? null;
  const figured = { hasCategory: category !== null, isNested: false };
  return FORMULATION_NAMES.flatMap((formulation): BoardSource[] => {
    const samples = report.samples.filter((sample) => sample.formulation === formulation);
    if (samples.length === 0) return [];
    const tasks = samples.filter(({ withheld }) => !withheld);
    const costs = samples.flatMap(({ cost }) => cost ?? []);
    const figures = rowFigures(
      {
        metrics: summarizeMetrics(samples, options, category),
        ledger: countOutcomes(tasks),
        samples,
        error_classes: summarizeErrors(tasks),
        worlds: null,
        cost: costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0),
      },
      figured,
    );
    const shown = { model, agent: agent ?? model, options: {} };
    const row: LeaderboardRow = {
      name: defaultName(shown),
      ...shown,
      formulation,
      split: farm.split,
      ...figures,
      ceiling: null,
      world_difference: null,
      source: null,
      run: null,
    };
    return [{ row, report, samples, figured }];
  });
}
