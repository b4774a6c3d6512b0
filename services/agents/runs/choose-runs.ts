import type { RunRecord } from './run-records.ts';
import type { RunFilter, RunReader } from './run-store.ts';

/** Which runs of a store a prediction file is made of. */
export interface ChosenRuns {
  readonly runs: readonly RunRecord[];
  /** How many were left out, since later ones are at the same tasks. */
  readonly replaced: number;
}

/** Those that have begun; of several at one task the one begun last. */
export async function chooseRuns(store: Pick<RunReader, 'runs'>, filter: RunFilter): Promise<ChosenRuns> {
  const chosen = new Map<string, RunRecord>();
  let replaced = 0;
  for await (const run of store.runs(filter)) {
    if (run.started_at === null) continue;
    const key = `${run.list_options.withhold} ${run.sample_id}`;
    if (chosen.has(key)) replaced++;
    chosen.set(key, run);
  }
  return { runs: [...chosen.values()], replaced };
}
