import { describe, expect, test } from 'vitest';
import type { RunConfigInput } from '../../runner/files/run-config.ts';
import { compilePrograms } from '../support/compiled-programs.ts';
import { inTurn } from '../support/extent.ts';
import { starterFarm } from '../support/farms.ts';
import { servedFarm } from '../support/served-farm.ts';

const served = servedFarm({ make: starterFarm });

const CASES: readonly RunConfigInput[] = [
  ...(['rest', 'slot', 'sel', 'query'] as const).flatMap((formulation, i) =>
    inTurn<RunConfigInput>(i, [
      { agent: 'oracle', formulation, list: { via: 'code' } },
      { agent: 'code', model: 'mock/gold', formulation },
      { agent: 'oracle', formulation, list: { via: 'http' } },
      { agent: 'tools', model: 'mock/gold', formulation, list: { via: 'http' } },
    ]),
  ),
  { agent: 'oracle', formulation: 'rest', list: { via: 'requests' } },
  ...inTurn<RunConfigInput>(2, [
    { agent: 'oracle', formulation: 'rest', list: { via: 'code', scope: 'farm', descriptions: 'full' } },
    { agent: 'oracle', formulation: 'slot', list: { via: 'code', obfuscate: true } },
    { agent: 'oracle', formulation: 'rest', list: { via: 'code', obfuscate: true } },
    { agent: 'oracle', formulation: 'slot', list: { via: 'http', obfuscate: true } },
  ]),
];

describe('gold passes every task, and its calls are those of the gold', () => {
  test.each(CASES.map((config) => [JSON.stringify(config), config] as const))('%s', async (_, config) => {
    const { report, records } = await served.run({ ...config, select: { all: true } });
    expect(records.flatMap(({ error }) => error?.message ?? [])).toEqual([]);
    const { total } = report.ledger;
    expect(total).toBeGreaterThan(config.formulation === 'query' ? 0 : 4);
    expect(report.ledger).toMatchObject({ pass: total });
    expect(report.metrics.execution_accuracy).toMatchObject({ count: total });
    expect(report.metrics.intent.multiset.f1).toBe(1);
    // Hidden names of handles are not among what a farm records of a call.
    if (config.list?.obfuscate !== true) expect(report.metrics.slot.canonical.f1).toBe(1);
  });
});

test('a model without a slip searches once, and all that it reads counts as tokens', async () => {
  const run = async (list: RunConfigInput['list']) => {
    const config = { agent: 'tools', model: 'mock/gold', formulation: 'rest', list } as const;
    const { report, records } = await served.run({ ...config, select: { all: true } });
    expect(report.ledger).toMatchObject({ pass: report.ledger.total });
    return { loops: new Set(records.map(({ loops }) => loops)), tokens: records[0]?.input_tokens ?? 0 };
  };
  const [few, all] = [await run({ tools: '1' }), await run({})];
  expect(few.loops).toEqual(new Set([2]));
  expect(all.tokens).toBeGreaterThan(few.tokens);
  for (const via of ['search', 'http', 'requests'] as const)
    expect((await run({ via })).loops, via).toEqual(new Set([3]));
});

test('a baseline that ranks endpoints passes the same tasks, whichever way its call is made', async () => {
  const passed = async (via: 'list' | 'code' | 'http' | 'requests') => {
    const config = { agent: 'lexical', formulation: 'rest', list: { via }, select: { all: true } } as const;
    const { report } = await served.run(config);
    return report.samples.filter(({ outcome }) => outcome === 'pass').map(({ sample_id }) => sample_id);
  };
  const byList = await passed('list');
  expect(byList.length).toBeGreaterThan(0);
  for (const via of ['code', 'http', 'requests'] as const) expect(await passed(via), via).toEqual(byList);
});

test('gold programs compile, strictly, against the module of their domain', async () => {
  const { programs, errors } = await compilePrograms(await starterFarm());
  expect(errors).toBe('');
  expect(programs).toBeGreaterThan(10);
});

test('programs of a model are only run where they are allowed', async () => {
  for (const config of [
    { agent: 'code', model: 'mock/gold', formulation: 'rest' },
    { agent: 'tools', model: 'mock/gold', formulation: 'rest', list: { via: 'code' } },
  ] as const)
    await expect(served.run(config, { allowCode: false })).rejects.toThrow('--allow-code');
});
