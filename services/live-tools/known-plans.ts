import { LRUCache } from 'lru-cache';
import type { Plan } from '../tools/plan/plan.ts';
import type { ToolFormulation } from './find-tool.ts';

/** A call of a tool, as it came. */
export interface ToolCall {
  readonly formulation: ToolFormulation;
  readonly name: string;
  readonly arguments: unknown;
}

/** A plan, the call that made it, and the plans that call refers to: enough to make it again elsewhere. */
export interface KnownPlan {
  readonly plan: Plan;
  /** null for the start tables of the farm, which every replica has. */
  readonly call: ToolCall | null;
  readonly from: readonly KnownPlan[];
  /** What keeping it costs, with all it is made from. */
  readonly bytes: number;
}

const PLAN_BYTES = 500;
const COLUMN_BYTES = 60;

/** The handles of one domain: those of the start tables for good, others as long as a byte budget allows, least recently used out first. */
export class KnownPlans {
  readonly #pinned: ReadonlyMap<string, KnownPlan>;
  readonly #kept: LRUCache<string, KnownPlan>;

  constructor(startTables: readonly Plan[], maxBytes: number) {
    this.#pinned = new Map(
      startTables.map((plan) => [plan.handle, { plan, call: null, from: [], bytes: 0 }]),
    );
    this.#kept = new LRUCache({ maxSize: maxBytes, sizeCalculation: ({ bytes }) => bytes });
  }

  get(handle: string): KnownPlan | undefined {
    return this.#pinned.get(handle) ?? this.#kept.get(handle);
  }

  /** Keeps a plan. One that is known already stays as it was made first. */
  add(plan: Plan, call: ToolCall, from: readonly KnownPlan[]): void {
    if (this.get(plan.handle)) return;
    const own = PLAN_BYTES + COLUMN_BYTES * plan.columns.length + Buffer.byteLength(JSON.stringify(call));
    // Kept alive by this one even when they are dropped themselves, so they count again.
    const bytes = from.reduce((sum, known) => sum + known.bytes, own);
    this.#kept.set(plan.handle, { plan, call, from, bytes });
  }

  /** All but the start tables, the most recently used first. */
  *[Symbol.iterator](): IterableIterator<KnownPlan> {
    yield* this.#kept.values();
  }
}
