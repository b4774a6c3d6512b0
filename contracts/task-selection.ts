import { z } from 'zod';
import { several, wholeNumber, yesOrNo } from './query-fields.ts';
import { type Flag, flag, formulation } from './sample.ts';
import { shareText } from './share.ts';

/** A flag, `-` and a flag that must not be there, or `none` for no flag at all. */
export type FlagTest = Flag | `-${Flag}` | 'none';

const flagTests: readonly FlagTest[] = [
  'none',
  ...flag.options.flatMap((name) => [name, `-${name}` as const]),
];

/**
 * Whether a sample or task is selected unless all are asked for: agents that do not think are sure to pass the others,
 * so they tell nothing of those that do.
 */
export function isInDefaultSelection({ flags }: { readonly flags: readonly string[] }): boolean {
  return !flags.includes(flag.enum.guessable);
}

/**
 * How hard a task is: as measured runs say, else by the constructs of its query, the tools that it takes, and the size of
 * its toolset. It tells of gold.
 */
export const taskBand = z.enum(['easy', 'medium', 'hard']);
export type TaskBand = z.infer<typeof taskBand>;

/** The two halves of a farm's questions: those to train on, and those that are held back to measure what was learned. */
export const taskHalf = z.enum(['train', 'held_back']);
export type TaskHalf = z.infer<typeof taskHalf>;

/**
 * A selection of tasks, in a query string or in the body of a run; a missing field does not restrict it, but that what
 * is `guessable` is left out.
 */
export const taskSelection = z.strictObject({
  split: several.optional(),
  db: several.optional(),
  formulation: several.pipe(z.array(formulation)).optional(),
  difficulty: several.optional(),
  /** Of `hybrid`: the shares of the tables that are behind APIs, `40` or by a seed `40-7`. Tasks of other formulations have none. */
  share: several.pipe(z.array(shareText)).optional(),
  /** All of them must hold. */
  flags: several.pipe(z.array(z.enum(flagTests))).optional(),
  /** Also tasks with the flag `guessable`, which agents that do not think are sure to pass. */
  all: yesOrNo.default(false),
  band: several.pipe(z.array(taskBand)).optional(),
  /** One half of the questions; a question is in the same half in each formulation, and in each world unless the world draws. */
  half: taskHalf.optional(),
  /** Which of the many ways to halve them; `world`: the world that is served draws them, each world others. */
  half_seed: z.union([z.literal('world'), wholeNumber(0)]).default(0),
  /** The number of tasks to draw, by the seed, from those that the other fields select. */
  sample: wholeNumber(0).optional(),
  seed: wholeNumber(0).default(0),
  /** How many of those that the seed draws were drawn before: the sample is the next ones, none of them twice. */
  from: wholeNumber(0).default(0),
});
export type TaskSelection = z.output<typeof taskSelection>;
