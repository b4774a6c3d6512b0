import { z } from 'zod';
import { several, wholeNumber } from './query-fields.ts';
import { type Flag, flag, formulation } from './sample.ts';

/** A flag, `-` and a flag that must not be there, or `none` for no flag at all. */
export type FlagTest = Flag | `-${Flag}` | 'none';

const flagTests: readonly FlagTest[] = [
  'none',
  ...flag.options.flatMap((name) => [name, `-${name}` as const]),
];

/** Which tasks are meant, as a query string or the body of a run has it; a field that is not there leaves all. */
export const taskSelection = z.strictObject({
  split: several.optional(),
  db: several.optional(),
  formulation: several.pipe(z.array(formulation)).optional(),
  difficulty: several.optional(),
  /** All of them must hold. */
  flags: several.pipe(z.array(z.enum(flagTests))).optional(),
  /** That many, drawn by the seed from what the other fields leave. */
  sample: wholeNumber(0).optional(),
  seed: wholeNumber(0).default(0),
});
export type TaskSelection = z.output<typeof taskSelection>;
