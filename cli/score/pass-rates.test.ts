import { expect, test } from 'vitest';
import type { Report } from '../../contracts/report.ts';
import { passRatesOf, readPassRates } from './pass-rates.ts';

const report = (...outcomes: readonly (readonly [string, string])[]) => ({
  samples: outcomes.map(([sample_id, outcome]) => ({ sample_id, outcome })) as unknown as Report['samples'],
});

test('attempts of all reports count, but those that broke or were not made', () => {
  const rates = passRatesOf([
    report(['a', 'pass'], ['b', 'fail'], ['c', 'not_run'], ['d', 'unparseable']),
    report(['a', 'fail'], ['b', 'infra_error'], ['c', 'infra_error']),
  ]);
  expect(Object.fromEntries(rates)).toEqual({ a: 0.5, b: 0, d: 0 });
});

test('a place without a report is named', () => {
  expect(() => readPassRates(['/nowhere/report.json'])).toThrow(
    expect.objectContaining({ code: 'REPORT_INVALID', file: '/nowhere/report.json' }),
  );
});
