import { copyFileSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Sample } from '../../contracts/sample.ts';

/**
 * A farm with the services of another and its samples again and again under new question ids, until there are `count`.
 * Its services are links.
 */
export function repeatFarm(original: string, folder: string, count: number): Sample[] {
  mkdirSync(join(folder, 'eval'), { recursive: true });
  for (const file of ['farm.json', 'coverage.json']) copyFileSync(join(original, file), join(folder, file));
  for (const part of ['databases', 'services', 'openapi'])
    symlinkSync(resolve(original, part), join(folder, part));
  const files = readdirSync(join(original, 'eval')).map((name) => ({
    name,
    samples: readSamples(join(original, 'eval', name)),
  }));
  const once = files.reduce((sum, { samples }) => sum + samples.length, 0);
  const rounds = Math.ceil(count / once);
  let left = count;
  return files.flatMap(({ name, samples }) => {
    const wanted = Math.min(left, samples.length * rounds);
    const repeated = Array.from({ length: wanted }, (_, i) =>
      again(samples[i % samples.length] as Sample, Math.floor(i / samples.length)),
    );
    left -= wanted;
    writeFileSync(
      join(folder, 'eval', name),
      repeated.map((sample) => `${JSON.stringify(sample)}\n`).join(''),
    );
    return repeated;
  });
}

function again(sample: Sample, round: number): Sample {
  const question_id = `${sample.question_id}r${round}`;
  return {
    ...sample,
    question_id,
    sample_id: sample.sample_id.replace(/[^/]+\/([^/]+)$/, `${question_id}/$1`),
  };
}

function readSamples(file: string): Sample[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Sample);
}
