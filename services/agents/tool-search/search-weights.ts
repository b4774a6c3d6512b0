/** What a search of tools is ranked by: round numbers, checked by `npm run bench:search-weights` and not fitted. */
export interface SearchWeights {
  /** How much a word counts by where it stands. */
  readonly fields: Readonly<Record<keyof typeof LENGTHS, number>>;
  /** How much each sign counts, beside the words of the best match, which count `words`. */
  readonly signs: {
    readonly words: number;
    /** A value of a parameter's column is mentioned. */
    readonly mention: number;
    /** The values of a parameter's column are known, and none is mentioned. */
    readonly noMention: number;
    /** A parameter that is a number, and no number left in the question. */
    readonly numberMissing: number;
    /** A number in the question, and no parameter left for it. */
    readonly numberLeft: number;
    /** Both speak of a count, an average, an extreme, … */
    readonly intentOfBoth: number;
    /** Only one does. */
    readonly intentOfOne: number;
    /** The tool is named. */
    readonly name: number;
    /** The words of the domain. */
    readonly domain: number;
    /** Values of the domain. */
    readonly domainMention: number;
  };
}

/** How far the length of a field takes from what its words count. */
export const LENGTHS = {
  name: 0.5,
  summary: 0.5,
  description: 0.5,
  parameters: 0.5,
  tables: 0.5,
  columns: 0.6,
  values: 0.6,
} as const;

export const SEARCH_WEIGHTS: SearchWeights = {
  fields: { name: 1, summary: 2, description: 0.6, parameters: 0.8, tables: 0.5, columns: 0.5, values: 0.4 },
  signs: {
    words: 3,
    mention: 0.15,
    noMention: 0.1,
    numberMissing: 0.3,
    numberLeft: 0.15,
    intentOfBoth: 0.15,
    intentOfOne: 0.2,
    name: 10,
    domain: 0.8,
    domainMention: 0.2,
  },
};
