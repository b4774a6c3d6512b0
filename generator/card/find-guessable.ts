import type { Sample } from '../../contracts/sample.ts';
import { printShare } from '../../contracts/share.ts';
import { answerKey, type Guessing, THOUGHTLESS, type Thoughtless } from './thoughtless.ts';

/** What share of a formulation's samples an agent that does not think may pass, one being always possible. */
const MOST = 0.005;

/** The samples of each formulation, those of `hybrid` by their share: a question has the same answer at each. */
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

/**
 * The samples that an agent which does not think is sure to pass. Of agents that choose an answer for all samples, those
 * with the best answers, until what is left of each is right about less than one in 200, or about one only. Where extra columns are forgiven, so are
 * those of the best wide rows.
 */
export function findGuessable(samples: readonly Sample[], guessing: Guessing): Set<Sample> {
  const guessable = new Set<Sample>();
  for (const group of examsIn(samples)) {
    let left = group;
    const take = (passes: (sample: Sample) => boolean) => {
      for (const sample of left.filter(passes)) guessable.add(sample);
      left = left.filter((sample) => !guessable.has(sample));
    };
    for (const agent of Object.values<Thoughtless>(THOUGHTLESS)) {
      if (agent === THOUGHTLESS.constant || agent === THOUGHTLESS.everything) continue;
      const chance = agent.study(left, guessing);
      take((sample) => chance(sample) === 1);
    }
    for (let before = -1; before !== guessable.size; ) {
      before = guessable.size;
      const counts = new Map<string, number>();
      for (const sample of left) counts.set(answerKey(sample), (counts.get(answerKey(sample)) ?? 0) + 1);
      const most = MOST * left.length;
      take((sample) => {
        const count = counts.get(answerKey(sample)) ?? 0;
        return count > 1 && count >= most;
      });
      const chance = THOUGHTLESS.everything.study(left);
      if (left.filter((sample) => chance(sample) === 1).length >= Math.max(2, MOST * left.length))
        take((sample) => chance(sample) === 1);
    }
  }
  return guessable;
}
