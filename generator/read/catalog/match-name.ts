/**
 * Which of the real names a file means: the same, else the same but for case and outer space, else the same
 * in letters and digits. Null when none is, or when two are equally near.
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
