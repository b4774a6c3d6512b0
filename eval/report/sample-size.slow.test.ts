import { describe, expect, test } from 'vitest';
import { seededIntegers } from '../metrics/figures.ts';
import { assumedVariance, ConfidenceSequence, detectable, sampleSize, varianceOf } from './sample-size.ts';

const uniform = (seed: number) => {
  const next = seededIntegers(seed);
  return () => next(1_000_000) / 1_000_000;
};

/** A standard normal number: the sum of twelve uniform ones, less six. */
const normal = (random: () => number) => Array.from({ length: 12 }, random).reduce((a, b) => a + b, -6);

describe('the number of questions', () => {
  test('detects the difference as often as promised, over 10,000 pairs of runs', () => {
    const random = uniform(1);
    const [p, effect] = [0.6, 0.05];
    const variance = assumedVariance({ completion: p, correlation: 0.5, ofDomains: 0 }, effect);
    const { questions } = sampleSize(effect, variance, 80, 25);
    // Verdicts of both systems on one question that have the assumed correlation.
    const both = p * (p + effect) + 0.5 * Math.sqrt(p * (1 - p) * (p + effect) * (1 - p - effect));
    const [gained, lost] = [p + effect - both, p - both];
    const share = (isThere: boolean) => {
      const [up, down] = isThere ? [gained, lost] : [(gained + lost) / 2, (gained + lost) / 2];
      let found = 0;
      for (let pair = 0; pair < 10_000; pair++) {
        let [won, gone] = [0, 0];
        for (let q = 0; q < questions; q++) {
          const drawn = random();
          if (drawn < up) won++;
          else if (drawn < up + down) gone++;
        }
        // McNemar's test.
        if (Math.abs(won - gone) / Math.sqrt(won + gone) >= 1.96) found++;
      }
      return found / 10_000;
    };
    expect(share(true)).toBeGreaterThan(0.78);
    expect(share(true)).toBeLessThan(0.82);
    expect(share(false)).toBeLessThan(0.06);
  });

  test('counts domains: what varies between them is not bought off by more questions', () => {
    const random = uniform(2);
    const variance = { within: 0.3, between: 0.01 };
    const [effect, domains] = [0.08, 20];
    const { clustered, questions } = sampleSize(effect, variance, 80, domains);
    if (clustered === null) throw new Error('20 domains are enough');
    expect(clustered).toBeGreaterThan(questions);
    const each = clustered / domains;
    let found = 0;
    for (let pair = 0; pair < 10_000; pair++) {
      let sum = 0;
      for (let d = 0; d < domains; d++) {
        const deviation = Math.sqrt(variance.between + variance.within / each);
        sum += effect + deviation * normal(random);
      }
      const error = Math.sqrt(variance.between / domains + variance.within / clustered);
      if (Math.abs(sum / domains / error) >= 1.96) found++;
    }
    expect(found / 10_000).toBeGreaterThan(0.78);
    expect(found / 10_000).toBeLessThan(0.82);
    expect(sampleSize(0.03, variance, 80, 20)).toMatchObject({ clustered: null, domains: 88 });
  });

  test('and the detectable difference are inverse to each other', () => {
    const variance = { within: 0.25, between: 0.004 };
    const { questions, clustered } = sampleSize(0.06, variance, 90, 25);
    expect(detectable(questions, variance, 90, null)).toBeCloseTo(0.06, 3);
    expect(detectable(clustered ?? 0, variance, 90, 25)).toBeCloseTo(0.06, 3);
  });
});

test('components of variance are found in differences by domain', () => {
  const random = uniform(3);
  const differences = new Map(
    Array.from({ length: 200 }, (_, d) => {
      const own = 0.2 * normal(random);
      return [`d${d}`, Array.from({ length: 10 + (d % 7) }, () => own + 0.5 * normal(random))] as const;
    }),
  );
  const { within, between } = varianceOf(differences);
  expect(within).toBeCloseTo(0.25, 1);
  expect(Math.abs(between - 0.04)).toBeLessThan(0.012);
  expect(varianceOf(new Map([['d', [1, 0, 1, 0]]])).between).toBe(0);
  expect(() => varianceOf(new Map([['d', [1]]]))).toThrow('two questions');
});

describe('a confidence sequence', () => {
  /** The intervals after every tenth member of a population with so many ones. */
  function* sequence(population: number, ones: number, random: () => number) {
    const found = new ConfidenceSequence(population, 0.02);
    let left = ones;
    for (let n = 0; n < population; n++) {
      const value = random() < left / (population - n) ? 1 : 0;
      left -= value;
      found.add(value);
      if (n % 10 === 9 || n === population - 1) yield { n: n + 1, interval: found.interval };
    }
  }

  test.each([
    [200, 120],
    [200, 4],
    [150, 75],
  ])('of %i members, %i of them ones, holds the mean at every look', (population, ones) => {
    const random = uniform(population + ones);
    let missed = 0;
    for (let round = 0; round < 400; round++) {
      const looks = [...sequence(population, ones, random)];
      const mean = ones / population;
      if (looks.some(({ interval: [low, high] }) => mean < low || mean > high)) missed++;
    }
    // 5 % of 400 are 20; three standard deviations more are 33.
    expect(missed).toBeLessThanOrEqual(33);
  });

  test('narrows to 2 points well before a population of 3,000 is exhausted, and to the mean at its end', () => {
    const looks = [...sequence(3000, 1860, uniform(7))];
    const first = looks.find(({ interval: [low, high] }) => high - low <= 0.04);
    expect(first?.n).toBeLessThan(2400);
    expect(looks.at(-1)?.interval).toEqual([0.62, 0.62]);
  });
});
