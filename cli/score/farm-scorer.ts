import type { Scorer } from '../../services/agents/runs/scorer.ts';
import { type LiveScorer, openLiveScorer } from './live-scorer.ts';

/** A scorer of runs for a server: on first use it reads the farm's gold and opens its databases again. */
export function farmScorer(folder: string): Scorer {
  let opened: Promise<LiveScorer> | undefined;
  return async (predictions) => {
    opened ??= openLiveScorer(folder);
    return (await opened).score(predictions);
  };
}
