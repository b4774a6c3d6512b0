import { join } from 'node:path';
import { stringify } from 'lossless-json';
import type { Sample } from '../../contracts/sample.ts';
import {
  attemptedIn,
  type Predictions,
  readPredictions,
  type ScoredFarm,
} from '../../eval/farm/read-farm.ts';
import type { Report, ScoreOptions } from '../../eval/metrics/report.ts';
import { reportHeadline } from '../../eval/report/report-tables.ts';
import { DEFAULT_OPTIONS, scoreFarm } from '../../eval/score/score-farm.ts';
import { writeWhole } from '../../runner/files/run-folder.ts';
import type { RunHeader } from '../../runner/files/run-records.ts';
import { DEFAULT_WORLD_SEED } from '../options.ts';
import type { OpenFarm } from '../score/open-farm.ts';
import { createProgress } from '../terminal.ts';

/** Scores a run on the tasks it attempted, also in the given number of worlds, and writes `report.json`. */
export async function scoreRun(
  folder: string,
  header: RunHeader,
  farm: ScoredFarm,
  open: OpenFarm,
  worlds = 0,
): Promise<Report> {
  const predictions = readPredictions(join(folder, 'predictions.jsonl'), farm);
  const scored = await scoreFarm({
    farm,
    predictions,
    universe: open.universe,
    replay: open.replay,
    ...scoringOf(header, predictions),
  });
  const report = worlds === 0 ? scored : { ...scored, worlds: await inWorlds(scored, worlds) };
  writeWhole(join(folder, 'report.json'), `${stringify(report)}\n`);
  return report;

  async function inWorlds(passed: Report, count: number) {
    const { judgeInWorlds } = await import('../score/worlds.ts');
    const progress = createProgress();
    try {
      const { worlds } = await judgeInWorlds(
        { folder: farm.folder, farm, predictions, ...open, report: passed },
        { count, seed: DEFAULT_WORLD_SEED, progress },
      );
      return worlds;
    } finally {
      progress.stop();
    }
  }
}

/** The scoring options of a run: its own budget and selection, over the samples it attempted. */
export function scoringOf(
  { config }: RunHeader,
  predictions: Predictions,
): {
  readonly options: Pick<ScoreOptions, 'budget' | 'selection'>;
  readonly choose: (sample: Sample) => boolean;
} {
  const attempted = attemptedIn(predictions);
  return {
    options: {
      budget: config.budget.loops === 'task' ? DEFAULT_OPTIONS.budget : config.budget.loops,
      // A run that explicitly selects guessable tasks counts them.
      selection: config.select.all || config.select.flags?.includes('guessable') ? 'all' : 'default',
    },
    choose: ({ sample_id }) => attempted.has(sample_id),
  };
}

/** A run's headline in one line: its name, the score, and the ceiling of its budget. */
export function runHeadline(header: RunHeader, report: Report): string {
  const ceiling = ceilingText(header);
  return `${runLabel(header)}: ${reportHeadline(report)}${ceiling === null ? '' : `; ${ceiling}`}`;
}

export function runLabel({ name, config }: Pick<RunHeader, 'name' | 'config'>): string {
  return `${name}, ${config.formulation}`;
}

/** Describes the ceiling set by a fixed budget; null if all tasks are possible. */
export function ceilingText({ ceiling, config: { budget }, tasks }: RunHeader): string | null {
  if (ceiling === null) return null;
  const fixed = [
    ...(budget.loops === 'task' ? [] : [`--max-loops ${budget.loops}`]),
    ...(budget.calls === 'task' ? [] : [`--max-calls ${budget.calls}`]),
  ].join(' and ');
  const within = `the gold calls of ${Math.round(ceiling * tasks)} of ${tasks} tasks fit within ${fixed}`;
  return `ceiling ${Math.round(ceiling * 100)} %: ${within}`;
}
