import type { ScoreOptions } from '../../contracts/report.ts';
import type { Sample } from '../../contracts/sample.ts';
import type { ToolUniverse } from '../calls/tool-universe.ts';
import type { GoldFacts } from '../farm/read-farm.ts';
import type { PriceTable } from '../metrics/efficiency.ts';
import type { Replay } from './replay.ts';

/** Shared context of scoring all samples. */
export interface ScoreContext {
  readonly options: ScoreOptions;
  readonly universe: ToolUniverse;
  readonly replay: Replay;
  readonly prices: PriceTable | null;
  readonly model: string | null;
  readonly goldFactsOf: (sample: Sample) => GoldFacts;
  /** Only what rewards are made of is computed of the calls; the rest stays null. */
  readonly onlyRewards?: boolean;
}
