import type { SampleScore, Selections, Share } from '../../contracts/report.ts';
import { isInDefaultSelection } from '../../contracts/task-selection.ts';
import { computeFigures, type Resampling } from './figures.ts';
import { completionOf } from './summarize-metrics.ts';

/** Completion without the samples that are guessable, and with them where that is known. */
export function summarizeSelections(
  scored: readonly SampleScore[],
  { guessable, knowsAll }: { readonly guessable: number; readonly knowsAll: boolean },
  resampling: Resampling,
): Selections {
  const tasks = scored.filter(({ withheld }) => !withheld);
  const completion = (members: readonly SampleScore[]): Share =>
    computeFigures(members, { completion: completionOf(members) }, {}, resampling).shares.completion;
  return {
    guessable,
    default: completion(tasks.filter(isInDefaultSelection)),
    all: knowsAll ? completion(tasks) : null,
  };
}
