import { romanised } from '../../../services/base/plain-letters.ts';

/** Words as a snake_case name of ASCII letters and digits. */
export function snake(words: readonly string[]): string {
  const said = words
    .flatMap((word) =>
      romanised(word)
        .toLowerCase()
        .replaceAll("'", '')
        .split(/[^a-z0-9]+/),
    )
    .filter((word) => word !== '');
  return said.filter((word, i) => word !== said[i - 1]).join('_');
}

/** As many of the words as fit, from the front, and at least a piece of the first. */
export function fit(words: readonly string[], most: number): string {
  const kept = fitting(words, most);
  if (kept.length === words.length && snake(kept).length <= most) return snake(kept);
  const dangling =
    /^(and|or|with|by|for|of|per|to|without|above|below|excluded|min|max|the|in|from|average|avg|total|highest|lowest|latest|earliest|most|fewest|other|than|at|least)$/;
  while (kept.length > 1 && dangling.test(kept.at(-1)?.toLowerCase() ?? '')) kept.pop();
  return snake(kept).slice(0, most).replace(/_+$/, '');
}

/** Word by word, so that what is far too long costs no more than what fits. */
function fitting(words: readonly string[], most: number): string[] {
  const kept: string[] = [];
  for (const word of words) {
    kept.push(word);
    if (snake(kept).length <= most) continue;
    if (kept.length > 1) kept.pop();
    break;
  }
  return kept;
}

/** Names each unlike those before it: a number where nothing else tells them apart. */
export function numbered(names: readonly string[], most: number): readonly string[] {
  const taken = new Set(names);
  const seen = new Set<string>();
  return names.map((name) => {
    if (!seen.has(name)) {
      seen.add(name);
      return name;
    }
    for (let n = 2; ; n++) {
      const suffix = `_${n}`;
      const other = `${name.slice(0, most - suffix.length)}${suffix}`;
      if (taken.has(other)) continue;
      taken.add(other);
      return other;
    }
  });
}
