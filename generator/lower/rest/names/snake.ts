/** Words as a snake_case name of ASCII letters and digits. */
export function snake(words: readonly string[]): string {
  const said = words.flatMap((word) => word.toLowerCase().split(/[^a-z0-9]+/)).filter((word) => word !== '');
  return said.filter((word, i) => word !== said[i - 1]).join('_');
}

/** Takes off words from the end until the name fits. */
export function fit(words: readonly string[], most: number): string {
  if (snake(words).length <= most) return snake(words);
  let kept = words;
  while (kept.length > 1 && snake(kept).length > most) kept = kept.slice(0, -1);
  const dangling =
    /^(and|or|with|by|for|of|per|to|without|above|below|excluded|min|max|the|in|from|average|avg|total|highest|lowest|latest|earliest|most|fewest|other|than|at|least)$/;
  while (kept.length > 1 && dangling.test(kept.at(-1)?.toLowerCase() ?? '')) kept = kept.slice(0, -1);
  return snake(kept).slice(0, most).replace(/_+$/, '');
}
