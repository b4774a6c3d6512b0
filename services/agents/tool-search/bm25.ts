/** The words of a document, field by field. */
export type Fields = Readonly<Record<string, readonly string[]>>;

export interface FieldWeight {
  /** How much a word counts that stands in the field. */
  readonly weight: number;
  /** How much longer fields count less, from 0 to 1. */
  readonly length: number;
}

const SATURATION = 1.2;

interface Posting {
  readonly document: number;
  readonly weight: number;
}

/** BM25 over documents with fields (BM25F): a word's occurrences are weighed by field before they are saturated. */
export class Bm25 {
  readonly #documents: number;
  readonly #postings = new Map<string, Posting[]>();

  constructor(documents: readonly Fields[], fields: Readonly<Record<string, FieldWeight>>) {
    this.#documents = documents.length;
    const meanLengths = new Map(
      Object.keys(fields).map((field) => [
        field,
        documents.reduce((sum, each) => sum + (each[field]?.length ?? 0), 0) / Math.max(1, documents.length),
      ]),
    );
    for (const [document, words] of documents.entries()) {
      const weights = new Map<string, number>();
      for (const [field, { weight, length }] of Object.entries(fields)) {
        const list = words[field] ?? [];
        const norm = 1 - length + (length * list.length) / Math.max(1, meanLengths.get(field) ?? 1);
        for (const word of list) weights.set(word, (weights.get(word) ?? 0) + weight / norm);
      }
      for (const [word, weight] of weights) {
        const list = this.#postings.get(word);
        if (list) list.push({ document, weight });
        else this.#postings.set(word, [{ document, weight }]);
      }
    }
  }

  /** A score for each document, in their order, of a query given as words and how much each counts. */
  scores(query: ReadonlyMap<string, number>): Float64Array {
    const scores = new Float64Array(this.#documents);
    for (const [word, times] of query) {
      const postings = this.#postings.get(word) ?? [];
      const rarity = Math.log(1 + (this.#documents - postings.length + 0.5) / (postings.length + 0.5));
      for (const { document, weight } of postings) {
        scores[document] =
          (scores[document] ?? 0) + (times * rarity * weight * (SATURATION + 1)) / (weight + SATURATION);
      }
    }
    return scores;
  }
}
