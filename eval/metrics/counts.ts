/** True positives, false positives and false negatives; summed over samples before any ratio is taken (micro). */
export interface Counts {
  readonly tp: number;
  readonly fp: number;
  readonly fn: number;
}

export const NO_COUNTS: Counts = { tp: 0, fp: 0, fn: 0 };

export function addCounts(a: Counts, b: Counts): Counts {
  return { tp: a.tp + b.tp, fp: a.fp + b.fp, fn: a.fn + b.fn };
}

export interface Ratios {
  /** null when nothing was predicted. */
  readonly precision: number | null;
  /** null when nothing was expected. */
  readonly recall: number | null;
  /** null when there is nothing to count at all; 0 when nothing was right. */
  readonly f1: number | null;
}

/** Precision tp/(tp+fp), recall tp/(tp+fn), F1 = 2tp/(2tp+fp+fn), the harmonic mean of the two. */
export function ratios({ tp, fp, fn }: Counts): Ratios {
  return {
    precision: tp + fp === 0 ? null : tp / (tp + fp),
    recall: tp + fn === 0 ? null : tp / (tp + fn),
    f1: tp + fp + fn === 0 ? null : (2 * tp) / (2 * tp + fp + fn),
  };
}

/** Compares two multisets by count; both empty is one hit, because "nothing" was the right answer. */
export function countMultisets(gold: readonly string[], predicted: readonly string[]): Counts {
  if (gold.length === 0 && predicted.length === 0) return { tp: 1, fp: 0, fn: 0 };
  const left = new Map<string, number>();
  for (const item of gold) left.set(item, (left.get(item) ?? 0) + 1);
  let tp = 0;
  for (const item of predicted) {
    const count = left.get(item) ?? 0;
    if (count === 0) continue;
    tp++;
    left.set(item, count - 1);
  }
  return { tp, fp: predicted.length - tp, fn: gold.length - tp };
}
