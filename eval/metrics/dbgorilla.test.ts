import { describe, expect, test } from 'vitest';
import type { AgentCall } from '../calls/agent-call.ts';
import { type JsonObject, parseJson } from '../json/lossless.ts';
import { scoreDbGorilla, summarizeDbGorilla } from './dbgorilla.ts';

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
    [
      `{"collection_name":"P",${FILTER}}`,
      `{"collection_name":"P",${OTHER_FILTER}}`,
      0.85 + 0.1,
      0.85 + 0.1,
      false,
    ],
    // A forgotten and an invented filter cost nothing in the published code.
    [`{"collection_name":"P",${FILTER}}`, '{"collection_name":"P"}', 0.85 + 0.1, 1, false],
    ['{"collection_name":"P"}', `{"collection_name":"P",${FILTER},${TEXT}}`, 0.85 + 0.05, 1, false],
    ['{"collection_name":"P","search_query":"x"}', '{"collection_name":"P"}', 0.85, 0.85, false],
    ['{"collection_name":"P","search_query":"x"}', '{"collection_name":"P","search_query":"y"}', 1, 1, true],
    ['{"collection_name":"P"}', '{"collection_name":"P","groupby_property":"city"}', 0.85, 0.85, false],
    [`{"collection_name":"P",${AGGREGATION}}`, '{"collection_name":"P"}', 0.85 + 0.1, 1, false],
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

  test('of parallel calls the best counts; other tools and no call are no tool', () => {
    const gold = query(`{"collection_name":"P",${FILTER}}`);
    expect(
      scoreDbGorilla(gold, [call('{"collection_name":"Q"}'), call(`{"collection_name":"P",${FILTER}}`)])
        .exact,
    ).toBe(true);
    const none = scoreDbGorilla(gold, [{ name: 'search', arguments: gold, label: null }]);
    expect([none.no_tool, none.ast, none.routed]).toEqual([true, 0, false]);
  });
});

test('the summary has means, routing, no-tool rate, components and complexity with their numbers', () => {
  const simple = query(`{"collection_name":"P",${FILTER}}`);
  const complex = query(`{"collection_name":"P",${FILTER},${AGGREGATION},"groupby_property":"city"}`);
  const summary = summarizeDbGorilla([
    scoreDbGorilla(simple, [call(`{"collection_name":"P",${FILTER}}`)]),
    scoreDbGorilla(simple, []),
    scoreDbGorilla(complex, [call('{"collection_name":"P","groupby_property":"city"}')]),
    scoreDbGorilla(simple, [call('{"collection_name":"Q"}')]),
  ]);
  expect(summary).toMatchObject({
    n: 4,
    exact: 0.25,
    routing: 0.5,
    no_tool: 0.25,
    by_component: { integer_property_filter: { exact: 0.25, n: 4 }, groupby_property: { exact: 0, n: 1 } },
    by_complexity: { simple: { exact: 1 / 3, n: 3 }, complex: { exact: 0, n: 1 } },
  });
  expect(summary?.by_component).not.toHaveProperty('search_query');
  expect(summarizeDbGorilla([])).toBeNull();
});
