import type { Service } from '../../../contracts/service.ts';
import { Bm25 } from './bm25.ts';
import { DomainIndex } from './domain-index.ts';
import { intentsOf } from './intents.ts';
import { LENGTHS, SEARCH_WEIGHTS, type SearchWeights } from './search-weights.ts';
import { type IndexedTool, type ToolDocument, toolDocument } from './tool-document.ts';
import { type Mentions, ValueIndex } from './value-index.ts';
import { queryStems } from './words.ts';

export interface FoundTool {
  /** As it is shown. */
  readonly name: string;
  readonly score: number;
}

const MOST_DOMAIN_MENTIONS = 2;

/** A number as a question writes it; a date is one. */
const NUMBER = /(?<![\w.])\d[\d,]*(?:\.\d+)?(?:[-/]\d+)*/g;

/**
 * Finds the tools of a toolset by words: BM25 over what is said of tools and their columns, and other signs beside it
 * (values and numbers that are mentioned, what is to be computed, the domain). The same words always find the same tools.
 */
export class ToolIndex {
  readonly #documents: readonly ToolDocument[];
  readonly #words: Bm25;
  readonly #domains: DomainIndex;
  readonly #values: ValueIndex;
  readonly #signs: Signs;

  constructor(tools: readonly IndexedTool[], { fields, signs }: SearchWeights = SEARCH_WEIGHTS) {
    this.#signs = signs;
    this.#documents = tools.map(toolDocument);
    this.#words = new Bm25(
      this.#documents.map(({ words }) => words),
      {
        name: { weight: fields.name, length: LENGTHS.name },
        summary: { weight: fields.summary, length: LENGTHS.summary },
        description: { weight: fields.description, length: LENGTHS.description },
        parameters: { weight: fields.parameters, length: LENGTHS.parameters },
        tables: { weight: fields.tables, length: LENGTHS.tables },
        columns: { weight: fields.columns, length: LENGTHS.columns },
        values: { weight: fields.values, length: LENGTHS.values },
      },
    );
    const isDescribed = tools.some(({ tool }) => tool.description !== '');
    const services: readonly Service[] = isDescribed ? [...new Set(tools.map(({ service }) => service))] : [];
    this.#domains = new DomainIndex(services, this.#documents);
    this.#values = new ValueIndex(services);
  }

  /** Every tool, the best match first; equal ones by name. */
  search(query: string): readonly FoundTool[] {
    const signs = this.#signs;
    const words = queryStems(query);
    const scores = relative(this.#words.scores(words));
    const domains = this.#domains.scores(words);
    const mentions = this.#values.mentionsIn(query);
    const intents = intentsOf(query);
    const numbers = query.match(NUMBER)?.length ?? 0;
    const named = new Set(query.match(/[\w-]+/g));
    return this.#documents
      .map((document, at) => {
        const { name, db } = document;
        const said =
          (named.has(name) ? signs.name : 0) +
          signs.domain * (domains.get(db) ?? 0) +
          signs.domainMention * Math.min(MOST_DOMAIN_MENTIONS, mentions.domains.get(db) ?? 0);
        const fits =
          mentionScore(document, mentions, signs) +
          numberScore(document, numbers, signs) +
          intentScore(document, intents, signs);
        return { name, score: signs.words * (scores[at] ?? 0) + said + fits };
      })
      .sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1));
  }
}

type Signs = SearchWeights['signs'];

function mentionScore({ columns, listed }: ToolDocument, mentions: Mentions, signs: Signs): number {
  const mentioned = columns.flatMap((column) => mentions.columns.get(column) ?? []);
  const sum = mentioned.reduce((total, weight) => total + weight, 0);
  return signs.mention * sum - signs.noMention * Math.max(0, listed - mentioned.length);
}

function numberScore({ numbers }: ToolDocument, asked: number, signs: Signs): number {
  return (
    -signs.numberMissing * Math.max(0, numbers - asked) - signs.numberLeft * Math.max(0, asked - numbers)
  );
}

function intentScore({ intents }: ToolDocument, asked: readonly boolean[], signs: Signs): number {
  return asked.reduce((score, isAsked, i) => {
    if (isAsked !== intents[i]) return score - signs.intentOfOne;
    return isAsked ? score + signs.intentOfBoth : score;
  }, 0);
}

/** Scores as shares of the best. */
function relative(scores: Float64Array): Float64Array {
  const best = scores.reduce((most, score) => Math.max(most, score), 0);
  return best === 0 ? scores : scores.map((score) => score / best);
}
