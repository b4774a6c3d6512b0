import type { Service } from '../../../contracts/service.ts';
import { Bm25 } from './bm25.ts';
import { DomainIndex } from './domain-index.ts';
import { computationsIn } from './intents.ts';
import { type IndexedTool, type ToolDocument, toolDocument } from './tool-document.ts';
import { type Mentions, ValueIndex } from './value-index.ts';
import { queryStems } from './words.ts';

export interface FoundTool {
  /** As it is shown. */
  readonly name: string;
  readonly score: number;
}

/** How much a word counts by where it stands. */
const TOOL_FIELDS = {
  name: { weight: 1, length: 0.5 },
  summary: { weight: 2, length: 0.5 },
  description: { weight: 0.6, length: 0.5 },
  parameters: { weight: 0.8, length: 0.5 },
  tables: { weight: 0.5, length: 0.5 },
  columns: { weight: 0.5, length: 0.6 },
  values: { weight: 0.4, length: 0.6 },
};

/** How much each sign counts, beside the words of the best match, which count `words`. */
const WEIGHTS = {
  words: 3,
  /** A value of a parameter's column is mentioned. */
  mention: 0.15,
  /** The values of a parameter's column are known, and none is mentioned. */
  noMention: 0.1,
  /** A parameter that is a number, and no number left in the question. */
  numberMissing: 0.3,
  /** A number in the question, and no parameter left for it. */
  numberLeft: 0.15,
  /** Both speak of a count, an average, an extreme, … */
  intentOfBoth: 0.15,
  /** Only one does. */
  intentOfOne: 0.2,
  /** The tool is named. */
  name: 10,
  /** The words of the domain. */
  domain: 0.8,
  /** Values of the domain. */
  domainMention: 0.2,
};
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

  constructor(tools: readonly IndexedTool[]) {
    this.#documents = tools.map(toolDocument);
    this.#words = new Bm25(
      this.#documents.map(({ words }) => words),
      TOOL_FIELDS,
    );
    const isDescribed = tools.some(({ tool }) => tool.description !== '');
    const services: readonly Service[] = isDescribed ? [...new Set(tools.map(({ service }) => service))] : [];
    this.#domains = new DomainIndex(services, this.#documents);
    this.#values = new ValueIndex(services);
  }

  /** Every tool, the best match first; equal ones by name. */
  search(query: string): readonly FoundTool[] {
    const words = queryStems(query);
    const scores = relative(this.#words.scores(words));
    const domains = this.#domains.scores(words);
    const mentions = this.#values.mentionsIn(query);
    const intents = computationsIn(query);
    const numbers = query.match(NUMBER)?.length ?? 0;
    const named = new Set(query.match(/[\w-]+/g));
    return this.#documents
      .map((document, at) => {
        const { name, db } = document;
        const said =
          (named.has(name) ? WEIGHTS.name : 0) +
          WEIGHTS.domain * (domains.get(db) ?? 0) +
          WEIGHTS.domainMention * Math.min(MOST_DOMAIN_MENTIONS, mentions.domains.get(db) ?? 0);
        const fits =
          mentionScore(document, mentions) + numberScore(document, numbers) + intentScore(document, intents);
        return { name, score: WEIGHTS.words * (scores[at] ?? 0) + said + fits };
      })
      .sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1));
  }
}

function mentionScore({ columns, listed }: ToolDocument, mentions: Mentions): number {
  const mentioned = columns.flatMap((column) => mentions.columns.get(column) ?? []);
  const sum = mentioned.reduce((total, weight) => total + weight, 0);
  return WEIGHTS.mention * sum - WEIGHTS.noMention * Math.max(0, listed - mentioned.length);
}

function numberScore({ numbers }: ToolDocument, asked: number): number {
  return (
    -WEIGHTS.numberMissing * Math.max(0, numbers - asked) - WEIGHTS.numberLeft * Math.max(0, asked - numbers)
  );
}

function intentScore({ intents }: ToolDocument, asked: readonly boolean[]): number {
  return asked.reduce((score, isAsked, i) => {
    if (isAsked !== intents[i]) return score - WEIGHTS.intentOfOne;
    return isAsked ? score + WEIGHTS.intentOfBoth : score;
  }, 0);
}

/** Scores as shares of the best. */
function relative(scores: Float64Array): Float64Array {
  const best = scores.reduce((most, score) => Math.max(most, score), 0);
  return best === 0 ? scores : scores.map((score) => score / best);
}
