import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Report } from '../../contracts/report.ts';
import { TINY_SAMPLES, TINY_UNIVERSE, tinyReplay, writeTinyFarm } from '../../tests/support/tiny-farm.ts';
import { readFarm, type ScoredFarm } from '../farm/read-farm.ts';
import { readPredictions } from '../farm/read-predictions.ts';
import { scoreFarm } from '../score/score-farm.ts';
import { compareReports } from './compare-reports.ts';
import { comparisonTables } from './compare-tables.ts';
import { mcnemar } from './mcnemar.ts';
import { readReport } from './read-report.ts';

// Computed in exact integers: 2 · Σ C(n, i) / 2^n for i up to the smaller count.
test.each([
  [0, 0, 1],
  [0, 1, 1],
  [1, 1, 1],
  [0, 5, 0.0625],
  [5, 0, 0.0625],
  [2, 8, 0.109375],
  [10, 25, 0.01667384780012071],
  [100, 150, 0.001883300935076157],
  [1000, 1200, 2.1817026407914712e-5],
])('McNemar of %i and %i discordant pairs: p = %f', (b, c, p) => {
  expect(mcnemar(b, c) / p).toBeCloseTo(1, 9);
});

let farm: ScoredFarm;
beforeAll(() => {
  farm = readFarm(writeTinyFarm());
});
afterAll(() => rmSync(farm.folder, { recursive: true, force: true }));

async function score(pass: (index: number) => boolean | null, legacy = false): Promise<Report> {
  const file = join(farm.folder, 'p.jsonl');
  const lines = TINY_SAMPLES.flatMap(({ sample_id, output }, i) => {
    const verdict = pass(i);
    return verdict === null ? [] : [JSON.stringify({ sample_id, calls: verdict ? output : [] })];
  });
  writeFileSync(file, lines.join('\n'));
  return scoreFarm({
    farm,
    predictions: readPredictions(file, farm),
    universe: TINY_UNIVERSE,
    replay: tinyReplay,
    options: { legacy, resamples: 100 },
  });
}

describe('two reports', () => {
  const resampling = { seed: 1, resamples: 500 };

  test('that are equal do not differ', async () => {
    const report = await score((i) => i % 2 === 0);
    const { figures, gained, lost } = compareReports(report, report, resampling);
    expect(figures.map(({ difference, p }) => [difference, p])).toEqual(figures.map(() => [0, 1]));
    expect([gained, lost]).toEqual([[], []]);
  });

  test('are paired by sample; what only one ran is left out', async () => {
    const first = await score((i) => (i === 11 ? null : i < 4));
    const second = await score((i) => i < 10);
    const compared = compareReports(first, second, resampling);
    expect(compared.figures[0]).toMatchObject({
      name: 'completion',
      n: 11,
      first: 4 / 11,
      second: 10 / 11,
      p: expect.closeTo(0.03125),
    });
    expect(compared.figures[0]?.difference).toBeCloseTo(6 / 11);
    expect(compared.unpaired).toBe(1);
    expect(compared.gained.map(({ sample_id }) => sample_id)).toEqual(
      TINY_SAMPLES.slice(4, 10).map(({ sample_id }) => sample_id),
    );
    expect(compared.lost).toEqual([]);
    expect(compared.formulations.map(({ name, n }) => [name, n])).toEqual([
      ['rest', 4],
      ['slot', 4],
      ['sel', 3],
    ]);
    const intent = compared.figures.find(({ name }) => name.startsWith('intent'));
    expect(intent?.p).toBeLessThan(0.05);
    expect(intent?.ci?.[0]).toBeGreaterThan(0);
    expect(comparisonTables(compared).map(({ title }) => title)).toContain('Gained: 6');
  });

  test('of different farms or rules are refused', async () => {
    const report = await score(() => true);
    const other = { ...report, farm: { ...report.farm, hash: 'c'.repeat(64) } };
    expect(() => compareReports(report, other, resampling)).toThrow(/different farms/);
    const legacy = await score(() => true, true);
    expect(() => compareReports(report, legacy, resampling)).toThrow(/legacy/);
  });
});

describe('a report file', () => {
  test('is read back as it was written', async () => {
    const report = await score((i) => i % 3 === 0);
    const file = join(farm.folder, 'report.json');
    writeFileSync(file, JSON.stringify(report));
    expect(readReport(file)).toEqual(JSON.parse(JSON.stringify(report)));
  });

  test.each([
    ['nothing there', null],
    ['not JSON', '{'],
    ['something else', '{"format":"other"}'],
  ])('is refused: %s', (_, text) => {
    const file = join(farm.folder, text === null ? 'none.json' : 'bad.json');
    if (text !== null) writeFileSync(file, text);
    expect(() => readReport(file)).toThrow(expect.objectContaining({ code: 'REPORT_INVALID' }));
  });
});
