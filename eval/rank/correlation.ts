/**
 * Spearman's rank correlation of two lists of ranks of the same items, ties at their mean places; null where one of the
 * lists says of no item that it is better than another.
 */
export function rankCorrelation(a: readonly number[], b: readonly number[]): number | null {
  return pearson(meanPlaces(a), meanPlaces(b));
}

function meanPlaces(values: readonly number[]): number[] {
  return values.map((value) => {
    const before = values.filter((other) => other < value).length;
    const tied = values.filter((other) => other === value).length;
    return before + (tied + 1) / 2;
  });
}

function pearson(a: readonly number[], b: readonly number[]): number | null {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [meanA, meanB] = [mean(a), mean(b)];
  let [both, squaresA, squaresB] = [0, 0, 0];
  a.forEach((value, i) => {
    const [da, db] = [value - meanA, (b[i] ?? 0) - meanB];
    both += da * db;
    squaresA += da * da;
    squaresB += db * db;
  });
  return squaresA === 0 || squaresB === 0 ? null : both / Math.sqrt(squaresA * squaresB);
}
