import { z } from 'zod';
import type { KnownPlan } from '../plans/known-plans.ts';
import { TOOL_FORMULATIONS } from '../toolboxes/toolboxes.ts';

/** A call, and the handle that it returns on every replica. */
export const recipeCall = z.object({
  handle: z.string(),
  formulation: z.enum(TOOL_FORMULATIONS),
  name: z.string(),
  arguments: z.unknown(),
});
export type RecipeCall = z.infer<typeof recipeCall>;

/** How to make a handle from the start tables of a farm: calls in order, each after those it refers to. */
export const recipe = z.array(recipeCall);
export type Recipe = z.infer<typeof recipe>;

/** The calls that make these plans, each once. */
export function recipeOf(plans: Iterable<KnownPlan>): Recipe {
  const calls = new Map<string, RecipeCall>();
  const add = ({ plan, call, from }: KnownPlan): void => {
    if (call === null || calls.has(plan.handle)) return;
    for (const known of from) add(known);
    calls.set(plan.handle, { handle: plan.handle, ...call });
  };
  for (const plan of plans) add(plan);
  return [...calls.values()];
}
