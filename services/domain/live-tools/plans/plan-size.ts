import type { Plan } from '../../tools/plan/plan.ts';

/** How much there is to a plan's statement. */
export interface PlanSize {
  /** Parts it is written from: plans, conditions, arguments. A plan used twice is written twice and counts twice. */
  readonly parts: number;
  /** Plans inside one another. */
  readonly depth: number;
}

const sizes = new WeakMap<object, PlanSize>();

/** The size of a plan, without writing its statement: a short sequence of calls can make a very long one. */
export function planSize(plan: Plan): PlanSize {
  return sizeOfPart(plan);
}

function sizeOfPart(part: object): PlanSize {
  const known = sizes.get(part);
  if (known) return known;
  let parts = 1;
  let depth = 0;
  for (const [name, value] of Object.entries(part)) {
    if (name === 'columns' || name === 'definition' || typeof value !== 'object' || value === null) continue;
    const inner = sizeOfPart(value);
    parts += inner.parts;
    depth = Math.max(depth, inner.depth);
  }
  const size = { parts, depth: 'op' in part ? depth + 1 : depth };
  sizes.set(part, size);
  return size;
}
