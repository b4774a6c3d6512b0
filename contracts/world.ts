import { z } from 'zod';

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const questionIds = z.array(z.union([z.number().int(), z.string()]));

/** What makes a farm a world: `farm.json` has it, so that the seed is part of the farm's hash without being told. */
export const worldMark = z.object({
  /** sha256 of the seed as UTF-8: publish it first, and the seed when the exam is over. */
  commitment: sha256,
  /** sha256 of the `farm.json` of the farm that the world was made from. */
  origin: sha256,
});
export type WorldMark = z.infer<typeof worldMark>;

/** How far a distribution has moved from the farm's. */
export const distance = z.object({
  /** The two-sample Kolmogorov–Smirnov statistic, 0 to 1. */
  ks: z.number(),
  /** Numbers on either side. */
  n: z.number().int(),
});
export type Distance = z.infer<typeof distance>;

/** `world.json` */
export const world = worldMark.extend({
  distances: z.object({
    /** Rows that hold a literal of the questions, in the column that it is compared with. */
    literals: distance,
    /** Rows of a table. */
    row_counts: distance,
    /** Rows of a gold answer. */
    answer_sizes: distance,
  }),
  /** Kept samples, and how many of them have the answer that they have in the farm. */
  samples: z.number().int(),
  same_answer: z.number().int(),
  domains: z.array(
    z.object({
      db: z.string(),
      /** Questions with an answer in the farm, and none here. */
      empty: questionIds,
      /** Questions not kept in some formulation, because their answer is open here, or fails. */
      undefined: questionIds,
      /** Questions whose answer is the farm's; anyone who knows that is right. */
      same: questionIds,
    }),
  ),
});
export type World = z.infer<typeof world>;
