import { z } from 'zod';
import { mostTools, PROVIDERS, type Provider } from './provider-limits.ts';
import { wholeNumber, yesOrNo } from './query-fields.ts';
import { TOOL_VARIANTS } from './tool-variants.ts';

/** How a list of tools is made from a toolset. The same options always give the same list. */
export const listOptions = z.strictObject({
  /**
   * How many tools: a share of the toolset, rounded down, a number, or as many as a provider takes. The gold ones are
   * always among them.
   */
  tools: z
    .string()
    .regex(
      new RegExp(`^(?:\\d{1,3}%|\\d{1,5}|fit:(?:${PROVIDERS.join('|')}))$`),
      `must be a share such as 25%, a number of tools, or fit:<provider>, one of ${PROVIDERS.join(', ')}`,
    )
    .refine((text) => !text.endsWith('%') || Number.parseInt(text, 10) <= 100, 'is more than 100%')
    .default('100%'),
  /** `gold`: the tools of the gold calls are left out, so the right answer is to call nothing. */
  withhold: z.enum(['gold', 'none']).default('none'),
  /** Tools are called FUNC_n and their arguments ARG_n. */
  obfuscate: yesOrNo.default(false),
  /** `farm`: the toolset is that of every domain of the farm. REST only. */
  scope: z.enum(['domain', 'farm']).default('domain'),
  /** Where the tools of a shortlist are drawn from that are not gold. `farm`: from every domain. REST only. */
  distractors: z.enum(['domain', 'farm']).default('domain'),
  /** `search`: two tools stand for all of them, one that finds tools by words and one that calls them by name. */
  via: z.enum(['list', 'search']).default('list'),
  /**
   * `concise`: one sentence for each tool and argument; `full`: also what the tool is not for, how much it answers and
   * what its arguments may be; `drop`: no descriptions of tools and arguments.
   */
  descriptions: z.enum(['keep', 'concise', 'full', 'drop']).default('keep'),
  /** How the query tool is offered: `rationale`: it asks why, first; `per-collection`: a tool a collection;
   * `dsl`: it takes a query text. How those of `hybrid` are: `apart`: without the one that reads both parts. */
  variant: z.enum(TOOL_VARIANTS).default('base'),
  /** Draws the shortlist, orders it, and numbers obfuscated names. */
  seed: wholeNumber(0).default(0),
});
export type ListOptions = z.output<typeof listOptions>;

export const DEFAULT_LIST: ListOptions = listOptions.parse({});

/** How many tools `tools` means, of a toolset of so many. */
export function countTools(tools: ListOptions['tools'], size: number): number {
  const [, provider] = /^fit:(.+)$/.exec(tools) ?? [];
  // The option's own form allows no other name.
  if (provider !== undefined) return mostTools(provider as Provider);
  const number = Number.parseInt(tools, 10);
  return tools.endsWith('%') ? Math.floor((number * size) / 100) : number;
}

/** Whether the tools of the list are drawn from the whole farm. */
export function isFarmWide({ scope, distractors }: Pick<ListOptions, 'scope' | 'distractors'>): boolean {
  return scope === 'farm' || distractors === 'farm';
}

/** Whether the list is a toolset as it is: nothing left out, nothing renamed. */
export function isPlain({ tools, withhold, obfuscate, distractors }: ListOptions): boolean {
  return tools === '100%' && withhold === 'none' && distractors === 'domain' && !obfuscate;
}
