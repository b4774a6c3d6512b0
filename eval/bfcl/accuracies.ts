/** A share of some questions, and whether BFCL's tables show it: a category that was not run counts 0, shown as N/A. */
export interface Accuracy {
  readonly accuracy: number;
  readonly total: number;
  readonly shown: boolean;
}

/** The mean of several shares, each counted once. Not shown if one of them is not. */
export function unweighted(parts: readonly Accuracy[]): Accuracy {
  const sum = parts.reduce((total, { accuracy }) => total + accuracy, 0);
  return { accuracy: sum / parts.length, total: totalOf(parts), shown: parts.every(({ shown }) => shown) };
}

/** The share of all their questions. Not shown if one of the parts is not. */
export function weighted(parts: readonly Accuracy[]): Accuracy {
  const total = totalOf(parts);
  const right = parts.reduce((sum, part) => sum + part.accuracy * part.total, 0);
  return { accuracy: total === 0 ? 0 : right / total, total, shown: parts.every(({ shown }) => shown) };
}

/** Shares in fixed proportions, which add up to 100. */
export function inProportion(parts: readonly (readonly [Accuracy, number])[]): Accuracy {
  const accuracy = parts.reduce((sum, [part, weight]) => sum + (part.accuracy * weight) / 100, 0);
  const all = parts.map(([part]) => part);
  return { accuracy, total: totalOf(all), shown: all.every(({ shown }) => shown) };
}

/** The share as it is, shown whatever it is made of: BFCL's overall figures count what was not run as 0. */
export function overall(part: Accuracy): Accuracy {
  return { ...part, shown: true };
}

/** As in BFCL's tables: `81.25%`, or `N/A`. */
export function percent({ accuracy, shown }: Accuracy): string {
  return shown ? `${(accuracy * 100).toFixed(2)}%` : 'N/A';
}

function totalOf(parts: readonly Accuracy[]): number {
  return parts.reduce((sum, { total }) => sum + total, 0);
}
