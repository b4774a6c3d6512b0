import { expect, test } from 'vitest';
import type { Verdict } from '../../contracts/farm.ts';
import { coverageReport } from './coverage.ts';

const kept = (question_id: number, fields: Partial<Verdict> = {}): Verdict => ({
  question_id,
  db: 'shop',
  formulation: 'rest',
  kept: true,
  rejection: null,
  flags: [],
  constructs: [],
  calls: 1,
  tools: 40,
  ...fields,
});
const rejected = (question_id: number, reason: string): Verdict =>
  kept(question_id, {
    kept: false,
    rejection: { code: 'SQL_NOT_EXECUTABLE', reason, clause: null },
    calls: 0,
    tools: 0,
  });
const report = (verdicts: readonly Verdict[], questions = verdicts.length) =>
  coverageReport({ split: 'toys', questions, verdicts: [...verdicts] });

test('domains are counted one by one, then together', () => {
  const text = report([kept(1), rejected(2, 'no such table: toy'), kept(3, { db: 'attic' })]);
  const rows = text.split('\n').map((line) => line.trim().split(/\s{2,}/));
  expect(text).toMatch(/^toys: 3 questions\n/);
  expect(rows).toContainEqual(['attic', '1', '1', '100.0 %']);
  expect(rows).toContainEqual(['shop', '2', '1', '50.0 %']);
  expect(rows).toContainEqual(['all', '3', '2', '66.7 %']);
});

test('reasons are listed with the number of lost questions, the most frequent first', () => {
  const text = report([
    rejected(1, 'no such table: toy'),
    rejected(7, 'no such table: toy'),
    rejected(4, 'near "FORM": syntax error'),
    kept(5),
  ]);
  const lines = text.split('\n');
  const frequent = lines.findIndex((line) => line.includes('no such table: toy'));
  const rare = lines.findIndex((line) => line.includes('syntax error'));
  expect(lines[frequent]).toMatch(/2\s+1, 7$/);
  expect(rare).toBeGreaterThan(frequent);
});

test('formulations without a verdict have no column', () => {
  expect(report([kept(1)])).not.toMatch(/slot|sel\b/);
  expect(report([kept(1), kept(1, { formulation: 'slot', calls: 4 })], 1)).toMatch(/rest .*slot/);
});

test('sections without content are left out', () => {
  const text = report([kept(1)]);
  expect(text).not.toContain('Rejected');
  expect(text).not.toContain('with a flag');
  expect(report([kept(1, { flags: ['empty_gold'] })])).toContain('empty_gold');
});

test('a split without questions causes no division by zero', () => {
  expect(report([])).not.toMatch(/NaN|undefined|Infinity/);
});
