/** What the first, the second, … of a task gain, as in DBGorilla's ranking; later ones gain nothing. */
const POINTS = [100, 70, 50, 35, 25, 20, 15, 10, 5];

/**
 * The points of candidates by their ranks, 1 for the best; those of one rank share what their places are worth. Ranks
 * need not be without gaps.
 */
export function pointsOf(ranks: readonly number[]): number[] {
  return ranks.map((rank) => {
    const before = ranks.filter((other) => other < rank).length;
    const tied = ranks.filter((other) => other === rank).length;
    const places = POINTS.slice(before, before + tied);
    return places.reduce((sum, points) => sum + points, 0) / tied;
  });
}

/** Ranks of items by how they compare, the best first: 1, 2, 2, 4 where two are alike. */
export function ranksOf<T>(items: readonly T[], isBetter: (a: T, b: T) => boolean): number[] {
  return items.map((item) => 1 + items.filter((other) => isBetter(other, item)).length);
}
