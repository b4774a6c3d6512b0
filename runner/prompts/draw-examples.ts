import type { Sample } from '../../contracts/sample.ts';
import { Seeded } from '../seeded.ts';
import type { Example } from './example-text.ts';

/**
 * Worked examples for the tasks of a domain, drawn by seed from the other domains of the farm: never a task's own, and
 * none of the domain that it asks about. Of three, one sorts and takes the first rows, one counts, and one lists.
 */
export function drawExamples(
  samples: readonly Sample[],
  {
    db,
    formulation,
    count,
    seed,
  }: { readonly db: string; readonly formulation: string; readonly count: number; readonly seed: number },
): Example[] {
  const chance = new Seeded(seed, `examples ${db} ${formulation}`);
  const pool = chance.shuffle(
    samples.filter(
      (sample) =>
        sample.dataset_name !== db &&
        sample.formulation === formulation &&
        sample.flags.length === 0 &&
        sample.output.length <= 5,
    ),
  );
  const chosen: Sample[] = [];
  for (let i = 0; i < count; i++) {
    const fits = SHAPES[i % SHAPES.length];
    const next =
      pool.find((sample) => !chosen.includes(sample) && fits?.(sample)) ??
      pool.find((sample) => !chosen.includes(sample));
    if (next !== undefined) chosen.push(next);
  }
  return chosen.map(({ sample_id, input, output }) => ({ id: sample_id, input, output }));
}

const named = (sample: Sample, part: string) => sample.output.some(({ name }) => name.includes(part));

const SHAPES: readonly ((sample: Sample) => boolean)[] = [
  (sample) => named(sample, 'sort_data'),
  (sample) => named(sample, 'aggregate_data') || named(sample, 'compute_data_count'),
  (sample) =>
    !named(sample, 'sort_data') && !named(sample, 'aggregate_data') && !named(sample, 'compute_data'),
];
