import { z } from 'zod';
import { formulation } from './sample.ts';
import { worldMark } from './world.ts';

const count = z.number().int().nonnegative();

/** `GET /farm`: which farm is served, and how much of its split it kept. */
export const servedFarm = z.object({
  name: z.string(),
  split: z.string(),
  /** sha256 of farm.json, which has those of all other files. */
  hash: z.string(),
  generator_version: z.string(),
  reference_time: z.string(),
  /** Of a farm that is a world of another: which one. */
  world: worldMark.nullable(),
  /** Kept samples by formulation. */
  samples: z.partialRecord(formulation, count),
  /** null where coverage.json is not here. */
  coverage: z
    .object({
      questions: count,
      /** By construct of the gold SQL: how many questions have it, and how many of them are kept in each formulation. */
      constructs: z.array(
        z.object({ construct: z.string(), questions: count, kept: z.partialRecord(formulation, count) }),
      ),
    })
    .nullable(),
});
export type ServedFarm = z.infer<typeof servedFarm>;
