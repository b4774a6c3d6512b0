/**
 * McNemar's exact test on paired verdicts: how likely a split of the discordant pairs as uneven as this one, or more,
 * would be if neither side were better. Two-sided binomial with p = 1/2, doubled and capped at 1; 1 without any
 * discordant pair.
 */
export function mcnemar(onlyFirst: number, onlySecond: number): number {
  const n = onlyFirst + onlySecond;
  const fewer = Math.min(onlyFirst, onlySecond);
  let tail = 0;
  // Each term from the one before, in logarithms: 2^-n is no double for n > 1074.
  let logTerm = -n * Math.LN2;
  for (let k = 0; k <= fewer; k++) {
    tail += Math.exp(logTerm);
    logTerm += Math.log(n - k) - Math.log(k + 1);
  }
  return Math.min(1, 2 * tail);
}
