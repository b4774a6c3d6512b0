import type { GoldReader, Reviewer, Scorer, Verifier } from '../../services/agents/runs/scorer.ts';

export { requireWorlds } from './judging-worlds.ts';

import { type LiveScorer, openLiveScorer } from './live-scorer.ts';

/** Everything of a served farm that looks at its gold. */
export interface FarmScorer {
  readonly scorer: Scorer;
  readonly verifier: Verifier;
  readonly reviewer: Reviewer;
  readonly gold: GoldReader;
}

/**
 * What judges runs for a server: on first use it reads the farm's gold and opens its databases again, and those of the
 * `worlds` that rewards are judged in too.
 */
export function farmScorer(folder: string, worlds: readonly string[] = []): FarmScorer {
  let opened: Promise<LiveScorer> | undefined;
  const open = () => {
    opened ??= openLiveScorer(folder, worlds);
    return opened;
  };
  return {
    scorer: async (predictions) => (await open()).score(predictions),
    verifier: async (predictions) => (await open()).verify(predictions),
    reviewer: async (predictions) => (await open()).review(predictions),
    gold: async (sampleId) => (await open()).gold(sampleId),
  };
}
