import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fc } from '../../tests/support/random-input.ts';
import { TINY_SAMPLES, TINY_UNIVERSE, tinyReplay, writeTinyFarm } from '../../tests/support/tiny-farm.ts';
import { readFarm, readPredictions, type ScoredFarm } from '../farm/read-farm.ts';
import type { Report, SampleScore } from '../metrics/report.ts';
import { scoreFarm } from '../score/score-farm.ts';
import { type CorrectedPair, compareQuestions, compareReports, holm, signFlipTest } from './compare.ts';
import { comparisonTables } from './compare-tables.ts';
import { readReport } from './report-tables.ts';

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
])('%i and %i questions that differ by one sample: p = %f, as by McNemar', (b, c, p) => {
  const differences = [...Array(b).fill(-1), ...Array(c).fill(1), ...Array(40).fill(0)];
  expect(signFlipTest(differences, 1, 1) / p).toBeCloseTo(1, 9);
});

describe('the sign-flip test', () => {
  test('takes what one question gains in three formulations as one gain', () => {
    expect(signFlipTest([3, 3, 3, 3, ...Array(36).fill(0)], 1, 1)).toBe(0.125);
  });

  test('agrees with all flips of signs, tried one by one', () => {
    const numbers = fc.array(fc.integer({ min: -4, max: 4 }), { maxLength: 10 });
    fc.assert(
      fc.property(numbers, (differences) => {
        const whole = differences.filter((d) => d !== 0);
        const observed = Math.abs(whole.reduce((a, b) => a + b, 0));
        let asFar = 0;
        for (let flips = 0; flips < 2 ** whole.length; flips++) {
          const sum = whole.reduce((total, d, i) => total + ((flips >> i) & 1 ? d : -d), 0);
          if (Math.abs(sum) >= observed) asFar++;
        }
        expect(signFlipTest(differences, 1, 1)).toBeCloseTo(asFar / 2 ** whole.length, 12);
        const thirds = differences.map((d) => d / 3);
        expect(signFlipTest(thirds, 3, 1)).toBeCloseTo(asFar / 2 ** whole.length, 12);
      }),
    );
  });

  test('draws flips where there are too many sums, near the exact value', () => {
    const differences = Array.from({ length: 400 }, (_, i) => (i % 5 === 0 ? -1 : 1) * (1 + (i % 7) / 1000));
    const few = Array.from({ length: 400 }, (_, i) => (i % 9 < 4 ? -1 : 1));
    expect(signFlipTest(differences, 1000, 1)).toBeLessThan(0.001);
    expect(signFlipTest(few, 60_000, 1)).toBeCloseTo(signFlipTest(few, 1, 1), 1);
  });
});

describe('completion over the questions that two runs share', () => {
  const score = (question_id: number, formulation: string, outcome: string) =>
    ({
      sample_id: `s/shop/${question_id}/${formulation}`,
      db: 'shop',
      question_id,
      formulation,
      outcome,
      withheld: false,
    }) as unknown as SampleScore;

  test('is compared whatever the formulations', () => {
    const rest = [1, 2, 3, 4, 5].map((id) => score(id, 'rest', 'fail'));
    const slot = [1, 2, 3, 4, 6].map((id) => score(id, 'slot', id === 4 ? 'fail' : 'pass'));
    expect(compareQuestions(rest, slot, 1)).toEqual({ questions: 4, difference: 0.75, p: 0.25 });
    expect(compareQuestions(slot, rest, 1).difference).toBe(-0.75);
  });

  test('counts a question once, however often it was attempted', () => {
    const once = [1, 2].map((id) => score(id, 'rest', 'pass'));
    const thrice = ['pass', 'fail', 'fail'].map((outcome) => score(1, 'sel', outcome));
    const found = compareQuestions(once, thrice, 1);
    expect(found).toEqual({ questions: 1, difference: expect.closeTo(-2 / 3, 12), p: 1 });
  });

  test('is unknown without any', () => {
    const others = compareQuestions([score(1, 'rest', 'pass')], [score(2, 'rest', 'pass')], 1);
    expect(others).toEqual({ questions: 0, difference: null, p: null });
  });
});

test.each([
  [
    [0.01, 0.04, 0.03],
    [0.03, 0.06, 0.06],
  ],
  [
    [0.5, null, 0.9],
    [1, null, 1],
  ],
  [[], []],
])('Holm makes of %j %j', (values, corrected) => {
  const found = holm(values);
  expect(found).toEqual(corrected.map((p) => (p === null ? null : expect.closeTo(p, 12))));
});

let farm: ScoredFarm;
beforeAll(() => {
  farm = readFarm(writeTinyFarm());
});
afterAll(() => rmSync(farm.folder, { recursive: true, force: true }));

const score = (pass: (index: number) => boolean | null, legacy = false) =>
  scoreEpochs((i, epoch) => (epoch === 1 ? pass(i) : null), legacy);

/** Scores two attempts at each sample; null is one that was not made. */
async function scoreEpochs(
  pass: (index: number, epoch: number) => boolean | null,
  legacy = false,
): Promise<Report> {
  const file = join(farm.folder, 'p.jsonl');
  const lines = [1, 2].flatMap((epoch) =>
    TINY_SAMPLES.flatMap(({ sample_id, output }, i) => {
      const verdict = pass(i, epoch);
      return verdict === null ? [] : [JSON.stringify({ sample_id, epoch, calls: verdict ? output : [] })];
    }),
  );
  writeFileSync(file, lines.join('\n'));
  return scoreFarm({
    farm,
    predictions: readPredictions(file, farm),
    universe: TINY_UNIVERSE,
    replay: tinyReplay,
    options: { legacy, resamples: 100 },
  });
}

describe('reports', () => {
  const resampling = { seed: 1, resamples: 500 };
  const compare = (...reports: Report[]) =>
    compareReports(
      reports.map((report, i) => ({ name: `r${i}`, report })),
      resampling,
    );
  const comparePair = (first: Report, second: Report) => compare(first, second).pairs[0] as CorrectedPair;

  test('that are equal do not differ', async () => {
    const report = await score((i) => i % 2 === 0);
    const { figures, gained, lost } = comparePair(report, report);
    expect(figures.map(({ difference, p }) => [difference, p])).toEqual(figures.map(() => [0, 1]));
    expect([gained, lost]).toEqual([[], []]);
  });

  test('are paired by sample, tested by question; what only one ran is left out', async () => {
    const first = await score((i) => (i === 11 ? null : i < 4));
    const second = await score((i) => i < 10);
    const compared = comparePair(first, second);
    expect(compared.figures[0]).toMatchObject({ name: 'completion', n: 11, first: 4 / 11, second: 10 / 11 });
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
    const questions = new Set(TINY_SAMPLES.slice(4, 10).map(({ question_id }) => question_id)).size;
    expect(compared.figures[0]?.p).toBe(2 / 2 ** questions);
    const intent = compared.figures.find(({ name }) => name.startsWith('intent'));
    expect(intent?.ci?.[0]).toBeGreaterThan(0);
    expect(comparisonTables(compare(first, second)).map(({ title }) => title)).toContain('Gained: 6');
  });

  test('of any number are compared two by two, with one correction for all tests', async () => {
    const comparison = compare(await score(() => false), await score((i) => i < 6), await score(() => true));
    expect(comparison.pairs.map(({ first, second }) => [first, second])).toEqual([
      ['r0', 'r1'],
      ['r0', 'r2'],
      ['r1', 'r2'],
    ]);
    expect(comparison.reports.map(({ metrics }) => metrics.completion.value)).toEqual([0, 0.5, 1]);
    const all = comparison.pairs.flatMap(({ figures, formulations }) => [...figures, ...formulations]);
    expect(comparison.tests).toBe(all.filter(({ p }) => p !== null).length);
    const least = Math.min(...all.map(({ p }) => p ?? 1));
    expect(Math.min(...all.map(({ p_holm }) => p_holm ?? 1))).toBeCloseTo(
      Math.min(1, least * comparison.tests),
    );
    for (const { p, p_holm } of all) expect(p_holm ?? 1).toBeGreaterThanOrEqual(p ?? 0);
    expect(comparisonTables(comparison).map(({ title }) => title.split(',')[0])).toEqual([
      'Reports',
      'r0 → r1',
      'r0 → r2',
      'r1 → r2',
    ]);
  });

  test('with several attempts at a sample count their mean, and say pass@k and pass^k', async () => {
    const first = await scoreEpochs((_, epoch) => epoch === 1);
    const second = await scoreEpochs((i, epoch) => i < 6 || epoch === 1);
    const comparison = compare(first, second);
    expect(comparison.pairs[0]?.figures[0]).toMatchObject({ n: 12, first: 0.5, second: 0.75 });
    expect(comparison.pairs[0]?.gained[0]).toMatchObject({ first: '1 of 2', second: '2 of 2' });
    expect(second.repeated).toMatchObject({
      epochs: 2,
      samples: 12,
      at: [
        { k: 1, any: { value: 0.75 }, all: { value: 0.75 } },
        { k: 2, any: { value: 1 }, all: { value: 0.5 } },
      ],
    });
    expect(comparisonTables(comparison).map(({ title }) => title)).toContain(
      'Several attempts at each sample',
    );
  });

  test('of a farm and its world show what was known of the farm', async () => {
    const known = await score(() => true);
    const own = await score((i) => i % 2 === 0);
    const world = { commitment: 'd'.repeat(64), origin: known.farm.hash };
    const elsewhere = { ...own, farm: { ...own.farm, hash: 'e'.repeat(64), world } };
    const [pair] = compare(known, elsewhere).pairs;
    expect(pair?.figures[0]).toMatchObject({ first: 1, second: 0.5, difference: -0.5 });
  });

  test('of a farm and its split under new names show what hung on the names', async () => {
    const known = await score(() => true);
    const own = await score((i) => i % 2 === 0);
    const renamed = { origin: known.farm.content_hash ?? '' };
    const place = { ...own.farm, hash: 'e'.repeat(64), content_hash: 'f'.repeat(64) };
    const [pair] = compare(known, { ...own, farm: { ...place, renamed } }).pairs;
    expect(pair?.figures[0]).toMatchObject({ first: 1, second: 0.5, difference: -0.5 });
    expect(() => compare(known, { ...own, farm: { ...place, renamed: { origin: 'd'.repeat(64) } } })).toThrow(
      /different farms/,
    );
  });

  test('of different farms or rules are refused', async () => {
    const report = await score(() => true);
    const other = { ...report, farm: { ...report.farm, hash: 'c'.repeat(64) } };
    expect(() => compare(report, report, other)).toThrow(/different farms/);
    const legacy = await score(() => true, true);
    expect(() => compare(report, legacy)).toThrow(/legacy/);
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
