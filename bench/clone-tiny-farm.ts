import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Farm } from '../contracts/farm.ts';
import type { Sample } from '../contracts/sample.ts';

/** Repeats the samples of a farm's only domain under new question ids until there are at least `count`. */
export function repeatSamples(folder: string, samples: readonly Sample[], count: number): Sample[] {
  const farm = JSON.parse(readFileSync(join(folder, 'farm.json'), 'utf8')) as Farm;
  const db = farm.domains[0]?.db as string;
  const repeated = Array.from({ length: Math.ceil(count / samples.length) }, (_, round) =>
    samples.map((sample): Sample => {
      const question_id = Number(sample.question_id) + round * samples.length;
      return {
        ...sample,
        question_id,
        sample_id: `${farm.split.name}/${db}/${question_id}/${sample.formulation}`,
      };
    }),
  ).flat();
  mkdirSync(join(folder, 'eval'), { recursive: true });
  writeFileSync(
    join(folder, 'eval', `${db}.jsonl`),
    repeated.map((sample) => `${JSON.stringify(sample)}\n`).join(''),
  );
  return repeated;
}
