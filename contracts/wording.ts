import { distance } from 'fastest-levenshtein';

/** Longer names are no slips of the pen, and comparing them costs time. */
const MAX_LENGTH = 128;

/** Up to three names that `name` may be a misspelling of, nearest first. */
export function nearestNames(name: string, names: Iterable<string>): string[] {
  if (name === '' || name.length > MAX_LENGTH) return [];
  const wanted = name.toLowerCase();
  const ranked: { candidate: string; away: number }[] = [];
  for (const candidate of names) {
    const other = candidate.toLowerCase();
    const contained = wanted.length > 2 && (other.includes(wanted) || wanted.includes(other));
    const away = contained ? Math.min(2, distance(wanted, other)) : distance(wanted, other);
    if (away <= Math.max(1, wanted.length * 0.4)) ranked.push({ candidate, away });
  }
  ranked.sort((a, b) => a.away - b.away || (a.candidate < b.candidate ? -1 : 1));
  return ranked.slice(0, 3).map(({ candidate }) => candidate);
}

/** `; did you mean a or b?`, or '' when nothing is near. */
export function didYouMean(suggestions: readonly string[]): string {
  return suggestions.length === 0 ? '' : `; did you mean ${suggestions.join(' or ')}?`;
}

/** What to add where `names` lack one that was asked for: those that are near, else the first ten. */
export function insteadOf(name: string, names: readonly string[]): string {
  const more = names.length > 10 ? ', …' : '';
  return didYouMean(nearestNames(name, names)) || `; choose from ${names.slice(0, 10).join(', ')}${more}`;
}

/** `1 domain`, `2 domains`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
