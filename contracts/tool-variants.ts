import { QUERY_VARIANTS } from './query-variants.ts';

/** How the tools of a formulation may be offered: `base`, and variants of the `query` tool and of `hybrid`. */
export const TOOL_VARIANTS = [...QUERY_VARIANTS, 'apart'] as const;
export type ToolVariant = (typeof TOOL_VARIANTS)[number];

/** `apart`: `hybrid` without the tool that reads both parts, so that the agent puts them together. */
export const HYBRID_VARIANTS = ['base', 'apart'] as const satisfies readonly ToolVariant[];
