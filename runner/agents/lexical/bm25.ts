/** Okapi BM25 over documents given as words. */
export class Bm25 {
  readonly #counts: readonly ReadonlyMap<string, number>[];
  readonly #lengths: readonly number[];
  readonly #meanLength: number;
  readonly #frequency = new Map<string, number>();

  constructor(documents: readonly (readonly string[])[]) {
    this.#counts = documents.map(countWords);
    this.#lengths = documents.map(({ length }) => length);
    this.#meanLength = this.#lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, documents.length);
    for (const counts of this.#counts) {
      for (const word of counts.keys()) this.#frequency.set(word, (this.#frequency.get(word) ?? 0) + 1);
    }
  }

  /** A score for each document, in their order. */
  scores(query: readonly string[]): number[] {
    const words = [...new Set(query)];
    return this.#counts.map((counts, i) => {
      const norm = K1 * (1 - B + (B * (this.#lengths[i] ?? 0)) / Math.max(1, this.#meanLength));
      return words.reduce((sum, word) => {
        const count = counts.get(word) ?? 0;
        return sum + (this.#idf(word) * count * (K1 + 1)) / (count + norm);
      }, 0);
    });
  }

  #idf(word: string): number {
    const n = this.#frequency.get(word) ?? 0;
    return Math.log(1 + (this.#counts.length - n + 0.5) / (n + 0.5));
  }
}

const K1 = 1.2;
const B = 0.75;

function countWords(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}
