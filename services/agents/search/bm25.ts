import { stemmer } from 'stemmer';
import { getOrInsert } from '../../base/concurrency.ts';
import { withoutMarks } from '../../base/plain-letters.ts';

export type Fields = Readonly<Record<string, readonly string[]>>;

export interface FieldWeight {
  readonly weight: number;
  /** How strongly long fields are penalized, from 0 to 1. */
  readonly length: number;
}

const SATURATION = 1.2;

interface Posting {
  readonly document: number;
  readonly weight: number;
}

/** BM25 over documents with fields (BM25F): occurrences of a word are weighted by field before saturation. */
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
      for (const [word, weight] of weights)
        getOrInsert(this.#postings, word, (): Posting[] => []).push({ document, weight });
    }
  }

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

/** Everyday English words that questions and catalogs use as synonyms, with a slash between groups. */
export const SAME_WORDS: readonly (readonly string[])[] = `
count number many / highest most largest biggest greatest maximum max top best
lowest least smallest fewest minimum min bottom worst / oldest earliest / youngest latest newest recent
average mean / percent percentage proportion ratio rate fraction share / sum total overall altogether
difference gap / film movie / country nation nationality / city town / woman women female girl lady
man men male boy / gender sex / price cost expensive cheap / salary income earn wage pay
phone telephone / email mail / website url link webpage / height tall / weight heavy / age old
birthday birth born dob / postal zip / teacher instructor lecturer professor / student pupil
car vehicle automobile / picture image photo / song track music / begin start / end finish
job profession occupation / author writer / hire employ
`
  .trim()
  .split(/ \/ |\n/)
  .map((group) => group.split(' '));

const COMMON = new Set(
  (
    'a an and are as at be been being by do does did for from had has have having how in is it its i me my please ' +
    'show tell than that the their them there these they this those to was were what when where which who whose will ' +
    'with would you your give name find all each list can could among also out of on or if not no any per between ' +
    'within into over under about so such s t'
  ).split(' '),
);

/** A text's stems in order: lower case, no accents, split at underscores and capitals; synonyms share a stem. */
export function stemsOf(text: string): string[] {
  return withoutMarks(text)
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && !COMMON.has(word))
    .map(stem);
}

/** The weight of each stem of a text in a search. */
export function queryStems(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const word of stemsOf(text)) counts.set(word, Math.min(MOST_TIMES, (counts.get(word) ?? 0) + 1));
  return counts;
}

const MOST_TIMES = 2;
const MOST_STEMS = 50_000;

const oneOfMany = new Map(
  SAME_WORDS.flatMap((words) => words.map((word) => [stemmer(word), stemmer(words[0] ?? word)] as const)),
);
const stems = new Map<string, string>();

function stem(word: string): string {
  const known = stems.get(word);
  if (known !== undefined) return known;
  const found = stemmer(word);
  const one = oneOfMany.get(found) ?? found;
  // Bounded, since questions bring arbitrary words.
  if (stems.size < MOST_STEMS) stems.set(word, one);
  return one;
}
