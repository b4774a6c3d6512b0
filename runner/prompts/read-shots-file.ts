import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { UserError } from '../../contracts/errors.ts';
import type { Example } from './example-text.ts';

const callOf = z.object({
  name: z.string(),
  arguments: z.record(z.string(), z.unknown()),
  label: z.string().optional(),
});

/** The authors' `examples_icl_*.json`: a list, also inside `data`, of questions with their calls. */
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
