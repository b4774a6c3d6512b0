/** What tells one of several apart that would be said alike: in a name, and in brackets after a sentence. */
export interface Distinction {
  readonly place: 'front' | 'middle' | 'end';
  readonly words: readonly string[];
  readonly text: string;
}

/** Finds what tells `own` from those that are said alike; null where this kind of thing does not. */
export type Detail<T> = (own: T, alike: readonly T[]) => Distinction | null;

/**
 * Says each unlike the others: those that would be said alike all get the first thing that tells them apart, then
 * the next where that is not enough.
 */
export function disambiguate<T>(
  items: readonly T[],
  details: readonly Detail<T>[],
  say: (item: T, distinctions: readonly Distinction[]) => string,
): readonly string[] {
  let told: readonly (readonly Distinction[])[] = items.map(() => []);
  let said = items.map((item) => say(item, []));
  for (const detail of details) {
    const before = said;
    const next = told.map((own, i) => {
      const alike = items.filter((_, j) => before[j] === before[i]);
      const item = items[i];
      if (alike.length === 1 || item === undefined) return own;
      const found = detail(item, alike);
      const differs = alike.some((other) => detail(other, alike)?.text !== found?.text);
      return differs && found !== null ? [...own, found] : own;
    });
    const changed = next.map((own, i) => (own === told[i] ? null : own));
    said = said.map((text, i) => {
      const [own, item] = [changed[i], items[i]];
      return own === null || own === undefined || item === undefined ? text : say(item, own);
    });
    told = next;
  }
  return said;
}
