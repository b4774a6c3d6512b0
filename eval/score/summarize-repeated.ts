import type { Estimate, Report, SampleScore } from '../../contracts/report.ts';
import { questionKey } from '../farm/question-key.ts';
import { percentileInterval, resample, type Sums } from './bootstrap.ts';
import type { Resampling } from './figures.ts';

/**
 * pass@k and pass^k where samples were attempted several times; null where each was attempted once. Of a sample with n
 * attempts of which c passed, k drawn without replacement all fail with C(n−c, k) / C(n, k), and all pass with
 * C(c, k) / C(n, k) (Chen et al. 2021, arXiv 2107.03374; Yao et al. 2024, arXiv 2406.12045); the mean over samples.
 * Only samples of which every attempt was run are counted. Attempts that broke are left out: k is of the others, over the samples that have as many.
 */
export function summarizeRepeated(all: readonly SampleScore[], resampling: Resampling): Report['repeated'] {
  const tasks = all.filter(({ withheld }) => !withheld);
  const epochs = tasks.reduce((most, { epoch }) => Math.max(most, epoch), 1);
  if (epochs === 1) return null;
  const attempts = new Map<string, { question: string; passes: number; n: number; broken: number }>();
  for (const sample of tasks) {
    if (sample.outcome === 'not_run') continue;
    const question = questionKey(sample.db, sample.question_id);
    const known = attempts.get(sample.sample_id) ?? { question, passes: 0, n: 0, broken: 0 };
    if (sample.outcome === 'infra_error') known.broken++;
    else known.n++;
    if (sample.outcome === 'pass') known.passes++;
    attempts.set(sample.sample_id, known);
  }
  const run = [...attempts.values()].filter(({ n, broken }) => n + broken === epochs);
  const estimate = (k: number, of: (passes: number, n: number) => number): Estimate => {
    const enough = run.filter(({ n }) => n >= k);
    const questions = new Map<string, Sums>();
    for (const { question, passes, n } of enough) {
      const sums = questions.get(question) ?? new Float64Array(2);
      questions.set(
        question,
        sums.map((sum, i) => sum + (i === 0 ? of(passes, n) : 1)),
      );
    }
    const mean = (sums: Sums) => ((sums[1] ?? 0) === 0 ? null : (sums[0] as number) / (sums[1] as number));
    const total = [...questions.values()].reduce(
      (a, b) => a.map((sum, i) => sum + (b[i] as number)),
      new Float64Array(2),
    );
    const redraws = resample([...questions.values()], resampling.resamples, resampling.seed);
    return { value: mean(total), n: enough.length, ci: percentileInterval(redraws.map(mean)) };
  };
  const at = Array.from({ length: epochs }, (_, i) => i + 1).map((k) => ({
    k,
    any: estimate(k, (passes, n) => 1 - chance(n - passes, n, k)),
    all: estimate(k, (passes, n) => chance(passes, n, k)),
  }));
  const infra_errors = run.reduce((sum, { broken }) => sum + broken, 0);
  return { epochs, samples: run.length, infra_errors, at };
}

/** C(some, k) / C(n, k): that k drawn of n are all among `some`. */
function chance(some: number, n: number, k: number): number {
  let product = 1;
  for (let i = 0; i < k; i++) product *= Math.max(0, some - i) / (n - i);
  return product;
}
