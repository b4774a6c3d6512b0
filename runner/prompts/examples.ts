import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { UserError } from '../../contracts/errors.ts';
import type { Call, Sample } from '../../contracts/sample.ts';
import { Seeded } from '../seeded.ts';
import { PROMPTS_FOLDER } from './read-pack.ts';

export interface Example {
  readonly id: string;
  readonly input: string;
  readonly output: readonly Pick<Call, 'name' | 'arguments' | 'label'>[];
}

/** Examples in a prompt: the questions and their calls, without tools. */
export function exampleText(examples: readonly Example[]): string {
  return examples
    .map(({ input, output }, i) => {
      const calls = output.map(({ name, arguments: args, label }) => ({
        name,
        arguments: args,
        ...(label === undefined ? {} : { label }),
      }));
      return `\n#Example-${i + 1}\nInput: ${input}\nOutput: ${JSON.stringify(calls)}\n`;
    })
    .join('');
}

/** What examples are drawn from. */
type Source = Pick<Sample, 'sample_id' | 'dataset_name' | 'formulation' | 'input' | 'output'> &
  Partial<Pick<Sample, 'flags' | 'unanswerable'>>;

/** Samples of the split that `rookery init` writes: `prompts/examples.jsonl`. */
function shippedSamples(): Source[] {
  const lines = readFileSync(join(PROMPTS_FOLDER, 'examples.jsonl'), 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as Source);
}

/**
 * Worked examples for the tasks of a domain, drawn by seed from the farm's other domains and, where these have too few,
 * from those that ship, so that a task is never its own example. Of three, one sorts and takes the first rows, one
 * counts, and one lists.
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
  const drawn = (sources: readonly Source[]) =>
    chance.shuffle(
      sources.filter(
        (sample) =>
          sample.dataset_name !== db &&
          sample.formulation === formulation &&
          (sample.flags ?? []).length === 0 &&
          !sample.unanswerable &&
          sample.output.length <= 5,
      ),
    );
  const own = drawn(samples);
  const pool = own.length < count ? [...own, ...drawn(shippedSamples())] : own;
  const chosen: Source[] = [];
  for (let i = 0; i < count; i++) {
    const fits = SHAPES[i % SHAPES.length];
    const next =
      pool.find((sample) => !chosen.includes(sample) && fits?.(sample)) ??
      pool.find((sample) => !chosen.includes(sample));
    if (next !== undefined) chosen.push(next);
  }
  return chosen.map(({ sample_id, input, output }) => ({ id: sample_id, input, output }));
}

const named = (sample: Source, part: string) => sample.output.some(({ name }) => name.includes(part));

const SHAPES: readonly ((sample: Source) => boolean)[] = [
  (sample) => named(sample, 'sort_data'),
  (sample) => named(sample, 'aggregate_data') || named(sample, 'compute_data_count'),
  (sample) =>
    !named(sample, 'sort_data') && !named(sample, 'aggregate_data') && !named(sample, 'compute_data'),
];

const callOf = z.object({
  name: z.string(),
  arguments: z.record(z.string(), z.unknown()),
  label: z.string().optional(),
});

/** The authors' `examples_icl_*.json`: a list of questions with calls, optionally inside `data`. */
const shotsFile = z
  .union([z.object({ data: z.array(z.unknown()) }).transform(({ data }) => data), z.array(z.unknown())])
  .pipe(
    z.array(
      z.object({
        sample_id: z.union([z.string(), z.number()]).optional(),
        input: z.string(),
        output: z.array(callOf),
      }),
    ),
  );

/** Reads worked examples from a file. Throws PROMPTS_INVALID. */
export function readShotsFile(file: string): Example[] {
  try {
    return shotsFile.parse(JSON.parse(readFileSync(file, 'utf8'))).map(({ sample_id, input, output }, i) => ({
      id: `${file}#${sample_id ?? i}`,
      input,
      output: output.map(({ label, ...call }) => ({ ...call, ...(label === undefined ? {} : { label }) })),
    }));
  } catch (cause) {
    const fix = 'give a JSON list of {"input": …, "output": [{"name", "arguments", "label"}]}';
    throw new UserError('PROMPTS_INVALID', file, `holds no worked examples; ${fix}`, { cause });
  }
}
