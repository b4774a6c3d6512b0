import type { Category } from '../../contracts/category.ts';

/**
 * What a category says of the list of tools, where the experiment does not; the formulation is REST. Of a composed task
 * the tools of all its parts are always offered.
 */
export const CATEGORY_LISTS: Readonly<Record<Category, Readonly<Record<string, string>>>> = {
  simple: { tools: '1' },
  multiple: { tools: '4' },
  parallel: { tools: '1' },
  parallel_multiple: { tools: '4' },
  relevance: { tools: '4' },
  irrelevance: { tools: '4', withhold: 'gold' },
  // No list is that short; the runner offers none of it.
  chatting: { tools: '1', withhold: 'gold' },
  multi_turn: { tools: '20' },
  miss_func: { tools: '20' },
  miss_param: { tools: '20' },
};
