import { z } from 'zod';
import { outcome } from './report.ts';

const share = z.number().min(0).max(1);

/**
 * What an episode is worth: a pure function of its record and the gold (of the worlds too, where it is judged in some), so that a stored one can be judged again. `reward` is
 * 1 for the right rows and 0 for all else; who wants to shape it weighs the components and the penalties.
 */
export const reward = z.object({
  /** Of the run; left out where a prediction file was judged. */
  run_id: z.string().optional(),
  sample_id: z.string(),
  /** Which attempt at the sample, from 1. */
  epoch: z.number().int().positive(),
  outcome,
  reward: z.union([z.literal(0), z.literal(1)]),
  /** Partial credit, each from 0 to 1; null where the episode lacks what it is about. */
  components: z.object({
    /** The answer has the gold rows. */
    completion: share,
    /**
     * Right in each world too: 1 where the calls give the gold rows there as well, 0 for all else. Left out where it was
     * judged in no world.
     */
    robust: z.union([z.literal(0), z.literal(1)]).optional(),
    /** Of the gold rows and those of the answer, how many are in both: twice these by the number of all. */
    rows: share.nullable(),
    /**
     * Of the gold calls, how many name a tool that was called as often with different arguments: twice these, by the
     * number of gold calls, of these, and of calls of other tools.
     */
    calls: share.nullable(),
    /** Of the arguments of the gold calls, how many were given as they are; null where no tool of the gold was called. */
    slots: share.nullable(),
  }),
  penalties: z.object({
    /** Calls that were refused. */
    errors: z.number().int().nonnegative(),
    /** Calls that had been made before, with the same arguments. */
    redundant_calls: z.number().int().nonnegative(),
    /** Calls more than the gold has. */
    extra_calls: z.number().int().nonnegative(),
  }),
  /** What `robust` was judged by; left out with it, and for failures where worlds were made for passes only. */
  worlds: z
    .object({
      /** Worlds that keep the sample. */
      kept: z.number().int().positive(),
      /** In how many of them the calls of a pass give the gold rows; 0 where there is no pass. */
      right: z.number().int().nonnegative(),
    })
    .optional(),
});
export type Reward = z.infer<typeof reward>;

/** `POST /runs/<id>/verify`: one reward for each run that is over. */
export const rewards = z.object({ rewards: z.array(reward), mean: z.number() });
export type Rewards = z.infer<typeof rewards>;
