import { z } from 'zod';

/**
 * Categories of BFCL over live endpoints; see docs/running.md. Of one task each: `simple`, `multiple`, `relevance`,
 * `irrelevance` and `chatting`. Composed of several: `parallel` and `parallel_multiple` in one request, `multi_turn`,
 * `miss_func` and `miss_param` in one conversation.
 */
export const category = z.enum([
  'simple',
  'multiple',
  'parallel',
  'parallel_multiple',
  'relevance',
  'irrelevance',
  'chatting',
  'multi_turn',
  'miss_func',
  'miss_param',
]);
export type Category = z.infer<typeof category>;
