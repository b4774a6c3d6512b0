import { type Counts, countMultisets } from './figures.ts';

/**
 * Intent precision, recall and F1: the names of the predicted calls against those of the gold calls.
 *
 * Source: Live API-Bench (arXiv 2506.11266), "position-aware" intent; its published scorer counts the longest
 * common prefix, which is the headline here (`prefix`). The paper may also be read as comparing names index
 * by index (`position`); `multiset` ignores order. Sums over samples are micro averages. If nothing is
 * expected and nothing predicted, that is one true positive.
 *
 * A malformed call has the name `''` and so is a false positive; an output without readable calls predicts
 * nothing, which lowers recall but not precision.
 */
export interface IntentCounts {
  readonly prefix: Counts;
  readonly position: Counts;
  readonly multiset: Counts;
}

export function scoreIntent(gold: readonly string[], predicted: readonly string[]): IntentCounts {
  return {
    prefix: fromHits(commonPrefix(gold, predicted), gold, predicted),
    position: fromHits(gold.filter((name, i) => name === predicted[i]).length, gold, predicted),
    multiset: countMultisets(gold, predicted),
  };
}

function commonPrefix(gold: readonly string[], predicted: readonly string[]): number {
  let m = 0;
  while (m < gold.length && m < predicted.length && gold[m] === predicted[m]) m++;
  return m;
}

function fromHits(hits: number, gold: readonly string[], predicted: readonly string[]): Counts {
  if (gold.length === 0 && predicted.length === 0) return { tp: 1, fp: 0, fn: 0 };
  return { tp: hits, fp: predicted.length - hits, fn: gold.length - hits };
}
