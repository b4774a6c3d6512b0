import type { Category } from '../../contracts/category.ts';
import type { Formulation } from '../../contracts/sample.ts';

/**
 * What a category says of the list of tools, where the experiment does not. Of a composed task the tools of all its
 * parts are always offered.
 */
export function categoryList(category: Category, formulation: Formulation): Readonly<Record<string, string>> {
  // The tools of SLOT and SEL belong together: a question has those of its start table.
  return formulation === 'rest' || category === 'chatting' ? OF_REST[category] : {};
}

const OF_REST: Readonly<Record<Category, Readonly<Record<string, string>>>> = {
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
