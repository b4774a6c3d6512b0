import type { Scorer, Verifier } from '../../services/agents/runs/scorer.ts';
import { type LiveScorer, openLiveScorer } from './live-scorer.ts';

/** What judges runs for a server: on first use it reads the farm's gold and opens its databases again. */
export function farmScorer(folder: string): { readonly scorer: Scorer; readonly verifier: Verifier } {
  let opened: Promise<LiveScorer> | undefined;
  const open = () => {
    opened ??= openLiveScorer(folder);
    return opened;
  };
  return {
    scorer: async (predictions) => (await open()).score(predictions),
    verifier: async (predictions) => (await open()).verify(predictions),
  };
}
