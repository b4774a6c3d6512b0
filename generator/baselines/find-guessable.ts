import { printShare } from '../../contracts/hybrid.ts';
import { flag, type Sample } from '../../contracts/sample.ts';
import {
  answerKey,
  BASELINES,
  type Baseline,
  byDomain,
  type CardDomain,
  type Guessing,
  guessingOf,
} from './baselines.ts';

/** The share of a formulation's samples that a baseline may pass (one sample always may). */
const MOST = 0.005;

/** Samples by formulation, and those of `hybrid` by share, since a question has the same answer at each. */
function examsIn(samples: readonly Sample[]): Sample[][] {
  const exams = new Map<string, Sample[]>();
  for (const sample of samples) {
    const key = `${sample.formulation} ${sample.plan ? printShare(sample.plan) : ''}`;
    const exam = exams.get(key) ?? [];
    exam.push(sample);
    exams.set(key, exam);
  }
  return [...exams.values()];
}

/** Samples whose answer is that of 1 in 200 items or more, except the first items; an item is a sample, or a gold query. */
function repeatsIn(samples: readonly Sample[], itemOf: (sample: Sample) => unknown): Sample[] {
  const found = new Map<string, Map<unknown, number>>();
  for (const sample of samples) {
    const items = found.get(answerKey(sample)) ?? new Map<unknown, number>();
    found.set(answerKey(sample), items);
    if (!items.has(itemOf(sample))) items.set(itemOf(sample), items.size);
  }
  const counts = [...found.values()].map(({ size }) => size);
  let kept = Math.max(1, ...counts);
  const leaves = () => counts.reduce((sum, count) => sum + Math.min(count, kept), 0);
  while (kept > 1 && kept >= MOST * leaves()) kept--;
  return samples.filter((sample) => (found.get(answerKey(sample))?.get(itemOf(sample)) ?? 0) >= kept);
}

/** Samples that some baseline passes for sure, or whose answer repeats in 1 of 200 or more of a farm or of a domain. */
export function findGuessable(samples: readonly Sample[], guessing: Guessing): Set<Sample> {
  const guessable = new Set<Sample>();
  for (const group of examsIn(samples)) {
    let left = group;
    const take = (samples: readonly Sample[]) => {
      for (const sample of samples) guessable.add(sample);
      left = left.filter((sample) => !guessable.has(sample));
    };
    for (const agent of Object.values<Baseline>(BASELINES)) {
      if (agent === BASELINES.constant || agent === BASELINES.everything) continue;
      const chance = agent.study(left, guessing);
      take(left.filter((sample) => chance(sample) === 1));
    }
    for (let before = -1; before !== guessable.size; ) {
      before = guessable.size;
      take(repeatsIn(left, (sample) => sample));
      for (const own of byDomain(left).values()) take(repeatsIn(own, ({ query }) => query));
      const chance = BASELINES.everything.study(left);
      const passed = left.filter((sample) => chance(sample) === 1);
      if (passed.length >= Math.max(2, MOST * left.length)) take(passed);
    }
  }
  return guessable;
}

/** The samples to be flagged `guessable`, by the sample they replace. */
export function markGuessable(domains: readonly CardDomain[]): Map<Sample, Sample> {
  const samples = domains.flatMap((domain) => domain.samples);
  const marked = [...findGuessable(samples, guessingOf(domains))].map((sample): [Sample, Sample] => [
    sample,
    {
      ...sample,
      flags: flag.options.filter((each) => each === 'guessable' || sample.flags.includes(each)),
    },
  ]);
  return new Map(marked);
}
