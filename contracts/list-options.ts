import { z } from 'zod';
import { wholeNumber, yesOrNo } from './query-fields.ts';

/** How a list of tools is made from a toolset. The same options always give the same list. */
export const listOptions = z.strictObject({
  /** How many tools: a share of the toolset, rounded down, or a number. The gold ones are always among them. */
  tools: z
    .string()
    .regex(/^(?:\d{1,3}%|\d{1,5})$/, 'must be a share such as 25% or a number of tools')
    .refine((text) => !text.endsWith('%') || Number.parseInt(text, 10) <= 100, 'is more than 100%')
    .default('100%'),
  /** `gold`: the tools of the gold calls are left out, so the right answer is to call nothing. */
  withhold: z.enum(['gold', 'none']).default('none'),
  /** Tools are called FUNC_n and their arguments ARG_n. */
  obfuscate: yesOrNo.default(false),
  /** `drop`: no descriptions of tools and arguments. */
  descriptions: z.enum(['keep', 'drop']).default('keep'),
  /** Draws the shortlist, orders it, and numbers obfuscated names. */
  seed: wholeNumber(0).default(0),
});
export type ListOptions = z.output<typeof listOptions>;

export const DEFAULT_LIST: ListOptions = listOptions.parse({});

/** Whether the list is a toolset as it is: nothing left out, nothing renamed. */
export function isPlain({ tools, withhold, obfuscate }: ListOptions): boolean {
  return tools === '100%' && withhold === 'none' && !obfuscate;
}
