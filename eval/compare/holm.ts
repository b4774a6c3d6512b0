/**
 * Holm's correction: p-values corrected for the number of tests. The chance that any of them falls below a level by
 * accident stays below that level, even if the tests depend on each other. null stays null and does not count as a
 * test.
 */
export function holm(values: readonly (number | null)[]): (number | null)[] {
  const known = values.flatMap((p, index) => (p === null ? [] : [{ p, index }])).sort((a, b) => a.p - b.p);
  const corrected: (number | null)[] = values.map(() => null);
  let least = 0;
  known.forEach(({ p, index }, rank) => {
    least = Math.max(least, Math.min(1, p * (known.length - rank)));
    corrected[index] = least;
  });
  return corrected;
}
