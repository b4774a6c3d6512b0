import { expect, test } from 'vitest';
import type { RunConfigInput } from '../../runner/files/run-config.ts';
import { servedFarm } from '../support/served-farm.ts';

const served = servedFarm();

test.each<[string, NonNullable<RunConfigInput['list']>]>([
  ['one tool', {}],
  ['one that asks why', { variant: 'rationale' }],
  ['one a collection under hidden names', { variant: 'per-collection', obfuscate: true }],
])(
  'a model that makes no mistake is right in every metric with structured output, of %s',
  async (_, list) => {
    const config = { agent: 'structured', model: 'mock/gold', formulation: 'query' as const, list };
    const { report } = await served.run({ ...config, select: { all: true, sample: 10 } });
    const { query } = report.metrics;
    expect(query?.completion).toMatchObject({ value: 1, n: 10 });
    expect([query?.exact_strict.value, query?.routing.value, query?.tool_selection.value]).toEqual([1, 1, 1]);
  },
);

test('structured output is for the query tool', async () => {
  const config = { agent: 'structured', model: 'mock/gold', formulation: 'rest' as const };
  await expect(served.run({ ...config, select: { sample: 1 } })).rejects.toThrow('--formulation query');
});

test.each<[string, NonNullable<RunConfigInput['list']>]>([
  ['as it is', {}],
  ['with a rationale', { variant: 'rationale' }],
  ['as a tool a collection', { variant: 'per-collection' }],
  ['as a tool a collection under hidden names', { variant: 'per-collection', obfuscate: true }],
  ['as a tool a collection that is searched for', { variant: 'per-collection', via: 'search' }],
  ['with a query text', { variant: 'dsl' }],
  ['with a query text under a hidden name', { variant: 'dsl', obfuscate: true }],
  ['with query texts for the whole farm', { variant: 'dsl', scope: 'farm' }],
  ['under hidden names', { obfuscate: true }],
  ['among the tools of the whole farm', { scope: 'farm' }],
  ['with the collections of the whole farm as tools', { scope: 'farm', variant: 'per-collection' }],
  ['with full descriptions', { descriptions: 'full' }],
])('the oracle is right in every metric of the query tool %s', async (_, list) => {
  const select = { all: true, sample: 10 };
  const { report } = await served.run({ agent: 'oracle', formulation: 'query', list, select });
  const { query } = report.metrics;
  expect(query?.completion).toMatchObject({ value: 1, n: 10 });
  for (const share of [query?.exact_strict, query?.exact_legacy, query?.routing, query?.tool_selection]) {
    expect(share?.value).toBe(1);
  }
  expect([query?.ast.value, query?.ast_legacy.value]).toEqual([expect.closeTo(1, 9), expect.closeTo(1, 9)]);
});
