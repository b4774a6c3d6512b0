import { expect, test } from 'vitest';
import type { Formulation } from '../contracts/sample.ts';
import { compilePrograms } from './support/compiled-programs.ts';
import { farmOf } from './support/farms.ts';
import { servedFarm } from './support/served-farm.ts';

const served = servedFarm();

test('every gold program of the bundled farm compiles against the module of its domain', async () => {
  const { programs, errors } = await compilePrograms(await farmOf('bundled'));
  expect(errors).toBe('');
  expect(programs).toBeGreaterThan(300);
}, 120_000);

test.each<[Formulation, 'code' | 'http' | 'requests']>([
  ['rest', 'code'],
  ['rest', 'http'],
  ['rest', 'requests'],
  ['slot', 'code'],
  ['slot', 'http'],
  ['sel', 'code'],
])(
  'every gold of %s gives its rows by %s',
  async (formulation, via) => {
    const { report, records } = await served.run({
      agent: 'oracle',
      formulation,
      list: { via },
      select: { all: true },
    });
    expect(records.flatMap(({ error }) => error?.message ?? [])).toEqual([]);
    const { total } = report.ledger;
    expect(total).toBeGreaterThan(100);
    expect(report.ledger).toMatchObject({ pass: total });
    expect(report.metrics.execution_accuracy).toMatchObject({ count: total });
  },
  600_000,
);
