import { printShare } from '../../contracts/hybrid.ts';
import { flag, type Sample } from '../../contracts/sample.ts';
import {
  answerKey,
  BASELINES,
  type Baseline,
  type CardDomain,
  type Guessing,
  guessingOf,
} from './baselines.ts';

/** The share of a formulation's samples that a baseline may pass (one sample always may). */
const MOST = 0.005;

/** Samples by formulation, and of `hybrid` by share, since a question has the same answer at each. */
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

/** Samples whose answer occurs in 1 of 200 or more, except the first ones. */
function repeatsIn(samples: readonly Sample[]): (sample: Sample) => boolean {
  const counts = new Map<string, number>();
  for (const sample of samples) counts.set(answerKey(sample), (counts.get(answerKey(sample)) ?? 0) + 1);
  let kept = Math.max(1, ...counts.values());
  const leaves = () => [...counts.values()].reduce((sum, count) => sum + Math.min(count, kept), 0);
  while (kept > 1 && kept >= MOST * leaves()) kept--;
  const seen = new Map<string, number>();
  return (sample) => {
    const count = (seen.get(answerKey(sample)) ?? 0) + 1;
    seen.set(answerKey(sample), count);
    return count > kept;
  };
}

/** Samples that some baseline passes for sure, or whose answer repeats in 1 of 200 or more. */
export function findGuessable(samples: readonly Sample[], guessing: Guessing): Set<Sample> {
  const guessable = new Set<Sample>();
  for (const group of examsIn(samples)) {
    let left = group;
    const take = (passes: (sample: Sample) => boolean) => {
      for (const sample of left.filter(passes)) guessable.add(sample);
      left = left.filter((sample) => !guessable.has(sample));
    };
    for (const agent of Object.values<Baseline>(BASELINES)) {
      if (agent === BASELINES.constant || agent === BASELINES.everything) continue;
      const chance = agent.study(left, guessing);
      take((sample) => chance(sample) === 1);
    }
    for (let before = -1; before !== guessable.size; ) {
      before = guessable.size;
      take(repeatsIn(left));
      const chance = BASELINES.everything.study(left);
      if (left.filter((sample) => chance(sample) === 1).length >= Math.max(2, MOST * left.length))
        take((sample) => chance(sample) === 1);
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
