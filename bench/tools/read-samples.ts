import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { farm as farmSchema } from '../../contracts/farm.ts';
import { type Sample, sample as sampleSchema } from '../../contracts/sample.ts';

/** Every SLOT and SEL sample of a farm. */
export function readSamples(farm: string): Sample[] {
  const { domains } = farmSchema.parse(JSON.parse(readFileSync(join(farm, 'farm.json'), 'utf8')));
  return domains.flatMap(({ db }) =>
    readFileSync(join(farm, 'eval', `${db}.jsonl`), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => sampleSchema.parse(JSON.parse(line)))
      .filter(({ formulation }) => formulation !== 'rest'),
  );
}
