import { expect, test } from 'vitest';
import type { QueryScore } from '../../contracts/query-score.ts';
import type { SampleScore } from '../../contracts/report.ts';
import { TINY_SAMPLES } from '../../tests/support/tiny-farm.ts';
import { scoreDbGorilla } from '../metrics/dbgorilla.ts';
import { summarizeQueryTool } from './summarize-query-tool.ts';
import { unscored } from './unscored.ts';

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
const call = (args: object) => [{ name: 'query_database', arguments: args as never, label: null }];

test('execution stands beside exact match, routing, tool selection and invalid calls, with groups', () => {
  const summary = summarizeQueryTool(
    [
      scored('inns', 'pass', scoreDbGorilla(SIMPLE, call(SIMPLE))),
      // Right all the same: the rows decide, not the arguments.
      scored('inns', 'pass', scoreDbGorilla(COMPLEX, call(SIMPLE))),
      scored('shops', 'fail', scoreDbGorilla(SIMPLE, call({ ...SIMPLE, collection_name: 'Q' }))),
      scored('shops', 'fail', scoreDbGorilla(SIMPLE, [])),
      scored('shops', 'fail', scoreDbGorilla(SIMPLE, call({ ...SIMPLE, limit: 3 }))),
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

test('there are no such figures where no task of the tool was answered by calls', () => {
  expect(summarizeQueryTool([scored('inns', 'pass', null)], resampling)).toBeNull();
});
