import { DEFAULT_TOP, FILTER_OPERATORS, AGGREGATE_METRICS } from '../../../contracts/query-tool.ts';

/** The language of query texts, as the tool's one argument tells it. */
export function languageOf(searchable: boolean): string {
  const search = searchable ? " [SEARCH 'words']" : '';
  const list = (words: readonly string[]) => words.join(' ');
  return [
    'The query, in this order, with what is in brackets as far as the question needs it:',
    `collection${search} [WHERE filter AND filter …] [AGGREGATE metric(property), …] [GROUP BY property]`,
    'At most one filter and one metric for each type of property.',
    `Filters: number ${list(FILTER_OPERATORS.integer)} 5; text ${list(FILTER_OPERATORS.text)} 'words'; boolean ${list(FILTER_OPERATORS.boolean)} true or false. ` +
      'LIKE takes words that occur in the text, or a pattern with % or *.',
    `Metrics: of a number ${list(AGGREGATE_METRICS.integer)}; of a text ${list(AGGREGATE_METRICS.text)}; of a boolean ${list(AGGREGATE_METRICS.boolean)}. ` +
      'COUNT and TYPE tell the type of their property: COUNT(name: text), COUNT(price: number), COUNT(open: boolean). ' +
      `TOP_OCCURRENCES(name, 3) gives the 3 most frequent values; ${DEFAULT_TOP} unless given.`,
    "A text is in '…', with '' for a quote in it. A name that is no plain word, or is a word of this language, is in \"…\".",
    `Example: pubs${searchable ? " SEARCH 'live music'" : ''} WHERE seats >= 40 AND open = true AGGREGATE MEAN(price), TOP_OCCURRENCES(beer, 3) GROUP BY city`,
  ].join('\n');
}
