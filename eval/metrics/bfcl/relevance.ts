/**
 * Relevance detection: with the gold tool withheld, the right answer is to call nothing.
 *
 * Source: BFCL's irrelevance categories: right if and only if the output decodes to no call (prose, or an empty list).
 * The content of a call does not matter.
 */
export function scoreRelevance(calls: readonly unknown[] | null): boolean {
  return calls === null || calls.length === 0;
}
