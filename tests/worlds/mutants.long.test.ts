import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createProgram } from '../../cli/program.ts';
import { farmOf } from '../support/farms.ts';

let printed = '';
beforeAll(() => {
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += text;
    return true;
  });
});
afterAll(() => vi.restoreAllMocks());

/** The numbers of a row of a table: mutants, equivalent, told by the original alone, and with neighbours. */
function figuresOf(row: string): number[] {
  const line = printed.split('\n').find((each) => each.trimStart().startsWith(`${row} `)) ?? '';
  return [...line.slice(line.indexOf(row) + row.length).matchAll(/[\d.]+/g)].map(Number);
}

test('the proof tells nearly all wrong versions of gold SQL from it, and more than the data alone do', {
  timeout: 900_000,
}, async () => {
  const args = ['coverage', await farmOf('bundled'), '--mutants', '--every', '9'];
  await (await createProgram(args)).parseAsync(args, { from: 'user' });
  const report = printed.slice(printed.indexOf('Mutation score'));
  printed = report;
  const [mutants = 0, equivalent = 0, original = 0, neighbours = 0] = figuresOf('all');
  expect(mutants).toBeGreaterThan(150);
  expect(equivalent).toBeLessThan(mutants * 0.4);
  expect(neighbours).toBeGreaterThan(original);
  expect(neighbours).toBeGreaterThanOrEqual(95);
  expect(report).toContain('by construct of the gold SQL');
  expect(figuresOf('group_by')).toHaveLength(4);
});
