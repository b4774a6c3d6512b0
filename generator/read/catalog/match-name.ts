/**
 * The real name that a file means: an exact match, else one that ignores case and outer space, else one by letters and
 * digits alone. Null when there is no match, or when two are equally good.
 */
export function matchName(names: readonly string[], written: string): string | null {
  for (const key of [(name: string) => name, folded, lettersAndDigits]) {
    const wanted = key(written);
    const found = names.filter((name) => key(name) === wanted);
    if (found.length === 1 && wanted !== '') return found[0] ?? null;
    if (found.length > 1) return null;
  }
  return null;
}

function folded(name: string): string {
  return name.trim().toLowerCase();
}

function lettersAndDigits(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}
