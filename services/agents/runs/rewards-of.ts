import type { Reward } from '../../../contracts/reward.ts';
import { exportPredictions } from './export-predictions.ts';
import type { RunRecord } from './run-records.ts';
import type { RunStores } from './run-stores.ts';
import type { Verifier } from './scorer.ts';

/** The prediction file of some runs, as text. */
export async function predictionsOf(
  store: Pick<RunStores, 'calls'>,
  runs: readonly RunRecord[],
): Promise<string> {
  let text = '';
  for await (const line of exportPredictions(runs, (id) => store.calls(id))) text += line;
  return text;
}

/** What runs that are over are worth, each with its id; of several at one task there may be one only. */
export async function rewardsOf(
  verifier: Verifier,
  store: Pick<RunStores, 'calls'>,
  runs: readonly RunRecord[],
): Promise<Reward[]> {
  const runOf = new Map(runs.map(({ sample_id, run_id }) => [sample_id, run_id]));
  const judged = await verifier(await predictionsOf(store, runs));
  return judged.map((each) => ({ run_id: runOf.get(each.sample_id), ...each }));
}
