import { sel } from './sel.ts';
import { slot } from './slot.ts';
import type { Toolbox } from './toolbox.ts';

/** Every toolbox, by the name of its formulation. */
export const TOOLBOXES = { slot, sel } as const satisfies Record<string, Toolbox>;

/** A formulation whose calls are tools on handles. */
export type ToolFormulation = keyof typeof TOOLBOXES;

export const TOOL_FORMULATIONS = Object.keys(TOOLBOXES) as [ToolFormulation, ...ToolFormulation[]];
