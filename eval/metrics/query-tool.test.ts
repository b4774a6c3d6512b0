import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { TINY_SAMPLES } from '../../tests/support/tiny-farm.ts';
import type { AgentCall } from '../calls/calls.ts';
import { type JsonObject, parseJson } from '../json/lossless.ts';
import { unscored } from '../score/score-sample.ts';
import { type QueryScore, scoreDbGorilla, summarizeQueryTool } from './query-tool.ts';
import type { SampleScore } from './report.ts';

const query = (text: string) => parseJson(text) as JsonObject;
const call = (text: string): AgentCall => ({ name: 'query_database', arguments: query(text), label: null });

const FILTER = '"integer_property_filter":{"property_name":"age","operator":">","value":30}';
const OTHER_FILTER = '"integer_property_filter":{"property_name":"age","operator":">","value":31}';
const TEXT = '"text_property_filter":{"property_name":"city","operator":"=","value":"Rome"}';
const AGGREGATION = '"integer_property_aggregation":{"property_name":"age","metrics":"MEAN"}';

describe('one query', () => {
  test.each([
    // gold, predicted, ast, ast_legacy, exact
    [`{"collection_name":"P",${FILTER}}`, `{"collection_name":"P",${FILTER}}`, 1, 1, true],
    [`{"collection_name":"P",${FILTER}}`, `{"collection_name":"Q",${FILTER}}`, 0, 0, false],
    [`{"collection_name":"P",${FILTER}}`, `{"collection_name":"P",${OTHER_FILTER}}`, 0.85, 0.85 + 0.1, false],
    // A forgotten and an invented filter cost nothing in the published code, and all of the 0.15 in the paper.
    [`{"collection_name":"P",${FILTER}}`, '{"collection_name":"P"}', 0.85, 1, false],
    ['{"collection_name":"P"}', `{"collection_name":"P",${FILTER},${TEXT}}`, 0.85, 1, false],
    [
      `{"collection_name":"P",${FILTER},${AGGREGATION},"groupby_property":"city"}`,
      '{"collection_name":"P","search_query":"x"}',
      0.4,
      0.7,
      false,
    ],
    ['{"collection_name":"P","search_query":"x"}', '{"collection_name":"P"}', 0.85, 0.85, false],
    ['{"collection_name":"P","search_query":"x"}', '{"collection_name":"P","search_query":"y"}', 1, 1, true],
    ['{"collection_name":"P"}', '{"collection_name":"P","groupby_property":"city"}', 0.85, 0.85, false],
    [`{"collection_name":"P",${AGGREGATION}}`, '{"collection_name":"P"}', 0.85, 1, false],
    ['{"collection_name":"P"}', '{"collection_name":"P","search_query":null}', 1, 1, true],
  ])('gold %s predicted %s', (gold, predicted, ast, legacy, exact) => {
    const score = scoreDbGorilla(query(gold), [call(predicted)]);
    expect(score.ast).toBeCloseTo(ast);
    expect(score.ast_legacy).toBeCloseTo(legacy);
    expect(score.exact).toBe(exact);
  });

  test('when every filter type is one-sided, the published term is 0', () => {
    const all = `${FILTER},${TEXT},"boolean_property_filter":{"property_name":"ok","operator":"=","value":true}`;
    const score = scoreDbGorilla(query(`{"collection_name":"P",${all}}`), [call('{"collection_name":"P"}')]);
    expect(score.ast_legacy).toBeCloseTo(0.85);
    expect(score.ast).toBeCloseTo(0.85);
  });

  test('the search text counts only in the strict exact match', () => {
    const score = scoreDbGorilla(query('{"collection_name":"P","search_query":"x"}'), [
      call('{"collection_name":"P","search_query":"y"}'),
    ]);
    expect([score.exact, score.exact_strict]).toEqual([true, false]);
  });

  test('the best of parallel calls counts; other tools and no call count as none', () => {
    const gold = query(`{"collection_name":"P",${FILTER}}`);
    expect(
      scoreDbGorilla(gold, [call('{"collection_name":"Q"}'), call(`{"collection_name":"P",${FILTER}}`)])
        .exact,
    ).toBe(true);
    const none = scoreDbGorilla(gold, [{ name: 'search', arguments: gold, label: null }]);
    expect([none.call, none.ast, none.routed]).toEqual(['none', 0, false]);
  });
});

test('the published AST score is what the published code computes, on random pairs', () => {
  const file = new URL('./dbgorilla-published.jsonl', import.meta.url);
  const pairs = readFileSync(file, 'utf8').trimEnd().split('\n');
  expect(pairs).toHaveLength(150);
  for (const pair of pairs) {
    const [gold, predicted, score] = parseJson(pair) as [JsonObject, JsonObject, number];
    const ours = scoreDbGorilla(gold, [{ name: 'query_database', arguments: predicted, label: null }]);
    expect(ours.ast_legacy, pair).toBeCloseTo(Number(score), 9);
    expect(ours.exact_legacy, pair).toBe(Number(score) === 1);
  }
});

describe('a call that the tool would refuse is invalid and scores 0', () => {
  const gold = query(`{"collection_name":"P",${FILTER}}`);
  test.each([
    [
      'another operator',
      '{"collection_name":"P","integer_property_filter":{"property_name":"age","operator":"~","value":30}}',
    ],
    ['a text where an object belongs', '{"collection_name":"P","integer_property_filter":"age > 30"}'],
    ['an argument that there is not', `{"collection_name":"P",${FILTER},"limit":3}`],
    ['a collection that there is not', `{"collection_name":"Z",${FILTER}}`],
    ['no collection', `{${FILTER}}`],
  ])('%s', (_, predicted) => {
    const score = scoreDbGorilla(gold, [call(predicted)], ['P', 'Q']);
    expect(score).toMatchObject({ call: 'invalid', exact: false, ast: 0, ast_legacy: 0, routed: false });
  });

  test('a valid one beside it counts', () => {
    const calls = [call('{"limit":3}'), call(`{"collection_name":"P",${FILTER},"search_query":null}`)];
    expect(scoreDbGorilla(gold, calls, ['P', 'Q'])).toMatchObject({ call: 'valid', exact: true });
  });
});

const [sample] = TINY_SAMPLES;
const resampling = { seed: 1, resamples: 20 };

function scored(db: string, outcome: SampleScore['outcome'], query: QueryScore | null): SampleScore {
  if (!sample) throw new Error('no sample');
  const blank = unscored(sample, { constructs: [], findings: [] });
  return { ...blank, db, outcome, query };
}

const SIMPLE = { collection_name: 'P', groupby_property: 'city' };
const COMPLEX = {
  ...SIMPLE,
  search_query: 'sea',
  text_property_aggregation: { property_name: 'x', metrics: 'COUNT' },
};
const summarizeQueryToolCall = (args: object) => [
  { name: 'query_database', arguments: args as never, label: null },
];

test('figures include execution, exact match, routing, tool selection and invalid calls, with groups', () => {
  const summary = summarizeQueryTool(
    [
      scored('inns', 'pass', scoreDbGorilla(SIMPLE, summarizeQueryToolCall(SIMPLE))),
      // Right all the same: the rows decide, not the arguments.
      scored('inns', 'pass', scoreDbGorilla(COMPLEX, summarizeQueryToolCall(SIMPLE))),
      scored(
        'shops',
        'fail',
        scoreDbGorilla(SIMPLE, summarizeQueryToolCall({ ...SIMPLE, collection_name: 'Q' })),
      ),
      scored('shops', 'fail', scoreDbGorilla(SIMPLE, [])),
      scored('shops', 'fail', scoreDbGorilla(SIMPLE, summarizeQueryToolCall({ ...SIMPLE, limit: 3 }))),
      scored('shops', 'pass', null),
    ],
    resampling,
  );
  const count = (share: { readonly count: number; readonly n: number } | undefined) => [
    share?.count,
    share?.n,
  ];
  expect(count(summary?.completion)).toEqual([2, 5]);
  expect(count(summary?.exact)).toEqual([1, 5]);
  expect(count(summary?.routing)).toEqual([2, 5]);
  expect(count(summary?.tool_selection)).toEqual([4, 5]);
  expect(count(summary?.invalid_calls)).toEqual([1, 5]);
  expect(summary?.by_complexity.map(({ key, n, passed }) => [key, n, passed])).toEqual([
    ['simple', 4, 1],
    ['complex', 1, 1],
  ]);
  expect(summary?.by_component.map(({ key, n, exact }) => [key, n, exact])).toEqual([
    ['search_query', 1, 0],
    ['text_property_aggregation', 1, 0],
    ['groupby_property', 5, 1],
  ]);
  expect(summary?.by_use_case.map(({ key, n }) => [key, n])).toEqual([
    ['inns', 2],
    ['shops', 3],
  ]);
});

test('figures are null if no task of the tool has calls', () => {
  expect(summarizeQueryTool([scored('inns', 'pass', null)], resampling)).toBeNull();
});
