import { z } from 'zod';

/**
 * Categories of BFCL that one task of a farm makes: which tools are offered decides. `simple`: the right one alone;
 * `multiple`: four, one of them right; `irrelevance`: four, none of them right, so that the right answer is no call.
 */
export const category = z.enum(['simple', 'multiple', 'irrelevance']);
export type Category = z.infer<typeof category>;

/** What a category says of the list of tools; the formulation is REST. */
export const CATEGORY_LISTS: Readonly<Record<Category, Readonly<Record<string, string>>>> = {
  simple: { tools: '1' },
  multiple: { tools: '4' },
  irrelevance: { tools: '4', withhold: 'gold' },
};
