import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { scratchFolder } from '../tests/support/split-fixture.ts';
import { importDbGorilla, scorePublished } from './dbgorilla.ts';

const folder = scratchFolder();

function file(name: string, content: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

const collection = (name: string, ...properties: [string, string][]) => ({
  name,
  properties: properties.map(([property, type]) => ({ name: property, data_type: [type], description: '' })),
  envisioned_use_case_overview: '',
});
const INNS = {
  weaviate_collections: [collection('Inns', ['name', 'string'], ['beds', 'number'], ['open', 'boolean'])],
};
const SHOPS = { weaviate_collections: [collection('Shops', ['name', 'string'], ['area', 'number'])] };
const EMPTY = {
  search_query: null,
  integer_property_filter: null,
  text_property_filter: null,
  boolean_property_filter: null,
  integer_property_aggregation: null,
  text_property_aggregation: null,
  boolean_property_aggregation: null,
  groupby_property: null,
};
/** A record of the authors' code, with the schema as text. */
const record = (schema: object, query: object) => ({
  database_schema: JSON.stringify(schema),
  query: { corresponding_natural_language_query: 'How many?', ...EMPTY, ...query },
});
const quirksOf = (query: object) =>
  importDbGorilla(file('one.json', [record(INNS, { target_collection: 'Inns', ...query })]))[0]?.quirks.map(
    ({ kind, argument }) => [kind, argument],
  );

describe('published questions', () => {
  test("are read as arguments of the tool, in the code's and in the paper's format", () => {
    const query = {
      target_collection: 'Inns',
      integer_property_filter: { property_name: 'beds', operator: '>', value: 3 },
      text_property_aggregation: { property_name: 'name', metrics: 'COUNT', top_occurrences_limit: null },
    };
    const paper = { nl_command: 'How many?', ground_truth_query: query, schema: INNS };
    const read = importDbGorilla(file('both.json', [record(INNS, query), paper]));
    for (const one of read) {
      expect(one).toMatchObject({ question: 'How many?', collections: ['Inns'], quirks: [] });
      expect(one.query).toEqual({
        collection_name: 'Inns',
        integer_property_filter: { property_name: 'beds', operator: '>', value: 3 },
        text_property_aggregation: { property_name: 'name', metrics: 'COUNT' },
      });
    }
  });

  test.each([
    ['a group that there is not', { groupby_property: 'town' }, ['unknown_property', 'groupby_property']],
    [
      'a number aggregated as a text',
      { text_property_aggregation: { property_name: 'beds', metrics: 'COUNT' } },
      ['type_mismatch', 'text_property_aggregation'],
    ],
    [
      'a boolean filtered as a text',
      { text_property_filter: { property_name: 'open', operator: '=', value: 'true' } },
      ['type_mismatch', 'text_property_filter'],
    ],
    [
      'a limit that nothing uses',
      { text_property_aggregation: { property_name: 'name', metrics: 'COUNT', top_occurrences_limit: 3 } },
      ['stray_limit', 'text_property_aggregation'],
    ],
    ['another collection', { target_collection: 'Pubs' }, ['unknown_collection', 'collection_name']],
  ])('report %s', (_, query, quirk) => {
    expect(quirksOf(query)).toEqual([quirk]);
  });

  test.each([
    ['text', 'no JSON'],
    ['another list', [{ a: 1 }]],
    ['an empty list', []],
    ['a schema that is no JSON', [{ ...record(INNS, {}), database_schema: '{' }]],
  ])('are rejected with the file name if they are %s', (_, content) => {
    const bad = file('bad.json', content);
    expect(() => importDbGorilla(bad)).toThrow(
      expect.objectContaining({ code: 'IMPORT_INVALID', file: bad }),
    );
  });
});

describe('published predictions', () => {
  const gold = { target_collection: 'Inns', groupby_property: 'open' };
  const queries = importDbGorilla(
    file('gold.json', [
      record(INNS, gold),
      record(INNS, gold),
      record(INNS, gold),
      record(SHOPS, { target_collection: 'Shops', groupby_property: 'name' }),
    ]),
  );
  const result = (query_index: number, more: object) => ({ query_index, database_schema_index: 0, ...more });

  test('are scored, distinguishing missing calls, invalid calls and calls with another schema', () => {
    const results = file('model.json', {
      model_name: 'a-model',
      detailed_results: [
        result(0, { predicted_query: { ...EMPTY, ...gold }, ast_score: 1 }),
        result(1, { predicted_query: null, error: 'No tool called' }),
        result(2, { predicted_query: null, error: 'argument after ** must be a mapping, not str' }),
        result(3, { predicted_query: { ...EMPTY, ...gold } }),
      ],
    });
    const { model, scores } = scorePublished(results, queries);
    expect(model).toBe('a-model');
    expect(scores.map(({ score }) => [score.call, score.exact, score.routed])).toEqual([
      ['valid', true, true],
      ['none', false, false],
      ['invalid', false, false],
      ['valid', false, false],
    ]);
    expect(scores.map(({ otherSchema }) => otherSchema)).toEqual([false, false, false, true]);
  });

  test('are rejected for an unknown question', () => {
    const results = file('stray.json', { detailed_results: [result(9, {})] });
    expect(() => scorePublished(results, queries)).toThrow('question 9');
  });
});
