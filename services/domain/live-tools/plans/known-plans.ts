import { printExactJson } from '../../../../contracts/exact-json.ts';
import { bareHandle, HANDLE_PATTERN } from '../../tools/plan/make-plan.ts';
import type { Plan } from '../../tools/plan/plan.ts';
import type { ToolFormulation } from '../toolboxes/toolboxes.ts';

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
}

/** A plan in memory: until it is dropped itself and everything made from it is. */
interface Kept extends KnownPlan {
  readonly from: readonly Kept[];
  readonly bytes: number;
  /** Kept plans made from this one, and one more while its handle is known. */
  uses: number;
}

const PLAN_BYTES = 500;
const COLUMN_BYTES = 60;

/**
 * The handles of one domain: those of the start tables for good, others as long as a byte budget allows, the least
 * recently used out first. A plan is found by its handle, and by the bare one.
 */
export class KnownPlans {
  /** Both by bare handle. */
  readonly #pinned: ReadonlyMap<string, Kept>;
  /** In the order of their last use. */
  readonly #kept = new Map<string, Kept>();
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(startTables: readonly Plan[], maxBytes: number) {
    const pinned = (plan: Plan): Kept => ({ plan, call: null, from: [], bytes: 0, uses: 1 });
    this.#pinned = new Map(startTables.map((plan) => [keyOf(plan.handle), pinned(plan)]));
    this.#maxBytes = maxBytes;
  }

  get(handle: string): KnownPlan | undefined {
    const key = keyOf(handle);
    const known = this.#pinned.get(key) ?? this.#use(key);
    return known && (handle === key || handle === known.plan.handle) ? known : undefined;
  }

  /** Keeps a plan; `from` are those of `get`. One that is known already stays as it was made first. */
  add(plan: Plan, call: ToolCall, from: readonly KnownPlan[]): void {
    if (this.get(plan.handle)) return;
    const kept: Kept = {
      plan,
      call,
      from: from as readonly Kept[],
      bytes: sizeOf(plan, call, from),
      uses: 1,
    };
    for (const each of kept.from) each.uses++;
    this.#kept.set(keyOf(plan.handle), kept);
    this.#bytes += kept.bytes;
    for (const [key, oldest] of this.#kept) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#kept.delete(key);
      this.#release(oldest);
    }
  }

  /** All but the start tables, the least recently used first. */
  [Symbol.iterator](): IterableIterator<KnownPlan> {
    return this.#kept.values();
  }

  #use(key: string): Kept | undefined {
    const kept = this.#kept.get(key);
    if (!kept) return undefined;
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    return kept;
  }

  #release(kept: Kept): void {
    kept.uses--;
    if (kept.uses > 0) return;
    this.#bytes -= kept.bytes;
    for (const each of kept.from) this.#release(each);
  }
}

function keyOf(handle: string): string {
  return HANDLE_PATTERN.test(handle) ? bareHandle(handle) : handle;
}

/** What a plan adds to those it is made from. */
function sizeOf(plan: Plan, call: ToolCall, from: readonly KnownPlan[]): number {
  const shared = from.some((known) => known.plan.columns === plan.columns);
  const columns = shared ? 0 : plan.columns.length * COLUMN_BYTES;
  return PLAN_BYTES + columns + Buffer.byteLength(printExactJson(call));
}
