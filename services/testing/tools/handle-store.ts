import { LRUCache } from 'lru-cache';
import type { Plan } from '../../domain/tools/plan/plan.ts';

/** The store of a domain's plans, by handle. */
export interface HandleStore {
  readonly get: (handle: string) => Plan | undefined;
  readonly put: (plan: Plan) => void;
}

/**
 * A store in memory that keeps the plans used last. Plans share their parts, so one more costs little. What
 * must never expire (the start tables) is given as `pinned`.
 */
export function memoryHandleStore(max: number, pinned: readonly Plan[] = []): HandleStore {
  const kept = new LRUCache<string, Plan>({ max });
  const always = new Map(pinned.map((plan) => [plan.handle, plan]));
  return {
    get: (handle) => always.get(handle) ?? kept.get(handle),
    put: (plan) => {
      if (!always.has(plan.handle)) kept.set(plan.handle, plan);
    },
  };
}
