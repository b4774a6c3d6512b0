import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  AGGREGATE_METRICS,
  FILTER_OPERATORS,
  KEYWORDS,
  QueryTextError,
  readQueryText,
  writeQueryText,
} from './query-tool.ts';

const anyText = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom("it's", '', '"', "''", '100%'));
const name = fc.oneof(
  anyText,
  fc.constantFrom(...KEYWORDS, 'order lines', 'größe', 'Group', 'name', 'MEAN', 'number', '2nd'),
);
const number = fc.oneof(
  fc.maxSafeInteger(),
  fc.bigInt({ min: 2n ** 53n, max: 2n ** 63n - 1n }),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value || 0),
);
const filter = (type: keyof typeof FILTER_OPERATORS, value: fc.Arbitrary<unknown>) =>
  fc.record({ property_name: name, operator: fc.constantFrom(...FILTER_OPERATORS[type]), value });
const aggregation = (type: keyof typeof AGGREGATE_METRICS) =>
  fc.record({ property_name: name, metrics: fc.constantFrom<string>(...AGGREGATE_METRICS[type]) });
const top = fc.record(
  {
    property_name: name,
    metrics: fc.constant('TOP_OCCURRENCES'),
    top_occurrences_limit: fc.integer({ min: 1, max: 100 }),
  },
  { requiredKeys: ['property_name', 'metrics'] },
);
const call = fc.record(
  {
    collection_name: name,
    search_query: anyText,
    integer_property_filter: filter('integer', number),
    text_property_filter: filter('text', anyText),
    boolean_property_filter: filter('boolean', fc.boolean()),
    integer_property_aggregation: aggregation('integer'),
    text_property_aggregation: fc.oneof(aggregation('text'), top),
    boolean_property_aggregation: aggregation('boolean'),
    groupby_property: name,
  },
  { requiredKeys: ['collection_name'] },
);

test('arguments survive a round trip through query text', () => {
  fc.assert(
    fc.property(call, (args) => {
      expect(readQueryText(writeQueryText(args))).toEqual(args);
    }),
    { numRuns: 500 },
  );
});

test('parses every part of a query', () => {
  const text = `"order lines" search 'late or lost' WHERE status = 'it''s here' and weight >= -2.5 AND paid != TRUE
    AGGREGATE mean(weight), COUNT(paid: boolean), TOP_OCCURRENCES(status, 3) GROUP BY "order"`;
  expect(readQueryText(text)).toEqual({
    collection_name: 'order lines',
    search_query: 'late or lost',
    text_property_filter: { property_name: 'status', operator: '=', value: "it's here" },
    integer_property_filter: { property_name: 'weight', operator: '>=', value: -2.5 },
    boolean_property_filter: { property_name: 'paid', operator: '!=', value: true },
    integer_property_aggregation: { property_name: 'weight', metrics: 'MEAN' },
    boolean_property_aggregation: { property_name: 'paid', metrics: 'COUNT' },
    text_property_aggregation: {
      property_name: 'status',
      metrics: 'TOP_OCCURRENCES',
      top_occurrences_limit: 3,
    },
    groupby_property: 'order',
  });
});

test.each([
  ['', 'character 1: found the end, expected the name of a collection, in "…" where it is no plain word'],
  ['pubs WHER x = 1', 'character 6: found WHER, expected SEARCH, WHERE, AGGREGATE, GROUP BY, or the end'],
  [
    'pubs WHERE x = 1 y',
    'character 18: found y, expected SEARCH, WHERE, AGGREGATE, GROUP BY, AND, or the end',
  ],
  ['pubs GROUP BY x, y', 'character 16: found ,, expected the end'],
  ['pubs GROUP x', 'character 12: found x, expected BY'],
  ['pubs SEARCH music', "character 13: found music, expected the words in '…'"],
  ['pubs WHERE x <> 1', 'character 15: found >, expected a number'],
  ['pubs WHERE x 1', 'character 14: found 1, expected = < > <= >= LIKE !='],
  ["pubs WHERE x >= 'a'", 'character 14: found >=, expected = LIKE before a text'],
  ['pubs WHERE x < true', 'character 14: found <, expected = != before a boolean'],
  ['pubs WHERE x = y', "character 16: found y, expected a number, a text in '…', true or false"],
  ['pubs WHERE x = "y"', 'character 16: found "y", expected a number'],
  ['pubs WHERE x = 1 AND y = 2', 'character 22: found a second filter of a number, expected one at most'],
  ['pubs AGGREGATE AVG(x)', 'character 16: found AVG, expected a metric: COUNT TYPE MIN'],
  ['pubs AGGREGATE COUNT(x)', 'character 23: found ), expected : and the type of the property'],
  ['pubs AGGREGATE SUM(x: text)', 'character 23: found text, expected a type that SUM takes: number'],
  ['pubs AGGREGATE SUM(x), MIN(y)', 'character 24: found a second metric of a number, expected one at most'],
  ['pubs AGGREGATE SUM(x, 3)', 'character 21: found ,, expected )'],
  ['pubs AGGREGATE TOP_OCCURRENCES(x, 0)', 'character 35: found 0, expected a whole number from 1'],
  ["pubs SEARCH 'music", "character 13: found a ' that is not closed"],
  ['pubs; DROP TABLE pubs', 'character 5: found ;, expected a name'],
])('%j is refused: %s', (text, message) => {
  expect(() => readQueryText(text)).toThrow(QueryTextError);
  expect(() => readQueryText(text)).toThrow(message);
});

test('any text is parsed or refused with a position in it', () => {
  const pieces = fc.constantFrom(
    ...KEYWORDS,
    'pubs',
    'x',
    '=',
    '<',
    "'a'",
    '5',
    '(',
    ')',
    ',',
    ':',
    'SUM',
    "'",
    '#',
  );
  const text = fc.oneof(
    fc.string(),
    fc.array(pieces).map((all) => all.join(' ')),
  );
  fc.assert(
    fc.property(text, (given) => {
      try {
        readQueryText(given);
      } catch (error) {
        expect(error).toBeInstanceOf(QueryTextError);
        const { position } = error as QueryTextError;
        expect(position).toBeGreaterThanOrEqual(1);
        expect(position).toBeLessThanOrEqual(given.length + 1);
      }
    }),
    { numRuns: 1000 },
  );
});
