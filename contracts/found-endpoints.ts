import { z } from 'zod';
import { wholeNumber } from './query-fields.ts';

const MOST_RESULTS = 100;
const USUAL_RESULTS = 20;

/** The query of `GET /tools`. */
export const endpointSearch = z.strictObject({
  /** In plain words. */
  query: z.string().min(1).max(2000),
  limit: wholeNumber(1, MOST_RESULTS).default(USUAL_RESULTS),
});

/** `GET /tools`: the endpoints of the farm that fit some words, the best match first. */
export const foundEndpoints = z.object({
  endpoints: z.array(
    z.object({
      split: z.string(),
      db: z.string(),
      /** The endpoint's, in its domain. */
      name: z.string(),
      summary: z.string(),
      path: z.string(),
    }),
  ),
});
export type FoundEndpoints = z.infer<typeof foundEndpoints>;
