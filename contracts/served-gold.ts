import type { z } from 'zod';
import { sample } from './sample.ts';

/** `GET /tasks/<sample_id>/gold`, for the harness: what the question asks for, and calls that are proven to get it. */
export const servedGold = sample.pick({
  sample_id: true,
  query: true,
  gold_columns: true,
  gold_answer: true,
  ordered: true,
  order_groups: true,
  initialization_step: true,
  output: true,
  flags: true,
});
export type ServedGold = z.infer<typeof servedGold>;
