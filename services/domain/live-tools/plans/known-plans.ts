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

/** A plan in memory; it is dropped when neither its handle nor any plan made from it is in use. */
interface Kept extends KnownPlan {
  readonly from: readonly Kept[];
  readonly bytes: number;
  /** Kept plans made from this one, and one more while its handle is known. */
  uses: number;
  /** Callers whose share has it. */
  callers: number;
}

/** The plans that a caller has made or used, by bare handle, in the order of their last use. */
interface Share {
  readonly plans: Map<string, Kept>;
  bytes: number;
}

const PLAN_BYTES = 500;
const COLUMN_BYTES = 60;

/**
 * The handles of one domain: those of the start tables for good, others as long as a byte budget allows. When it is
 * spent, the caller that holds most gives up what it has not used for longest, so that no caller can push out another's by
 * making many. A plan is found by its handle, and by the bare one.
 */
export class KnownPlans {
  /** Both by bare handle. */
  readonly #pinned: ReadonlyMap<string, Kept>;
  readonly #kept = new Map<string, Kept>();
  readonly #shares = new Map<string, Share>();
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(startTables: readonly Plan[], maxBytes: number) {
    const pinned = (plan: Plan): Kept => ({ plan, call: null, from: [], bytes: 0, uses: 1, callers: 1 });
    this.#pinned = new Map(startTables.map((plan) => [keyOf(plan.handle), pinned(plan)]));
    this.#maxBytes = maxBytes;
  }

  /** A caller that finds a plan holds it from then on, even if another caller made it. */
  get(handle: string, caller = ''): KnownPlan | undefined {
    const key = keyOf(handle);
    const known = this.#pinned.get(key) ?? this.#kept.get(key);
    if (!known || (handle !== key && handle !== known.plan.handle)) return undefined;
    if (known.call !== null) this.#hold(key, known, caller);
    return known;
  }

  /** Keeps a plan; `from` are those of `get`. One that is known already stays as it was made first. */
  add(plan: Plan, call: ToolCall, from: readonly KnownPlan[], caller = ''): void {
    if (this.get(plan.handle, caller)) return;
    const kept: Kept = {
      plan,
      call,
      from: from as readonly Kept[],
      bytes: bytesOfPlan(plan, call, from),
      uses: 1,
      callers: 0,
    };
    const key = keyOf(plan.handle);
    for (const each of kept.from) each.uses++;
    this.#kept.set(key, kept);
    this.#bytes += kept.bytes;
    this.#hold(key, kept, caller);
    while (this.#bytes > this.#maxBytes && this.#dropOne());
  }

  /** All but the start tables. */
  [Symbol.iterator](): IterableIterator<KnownPlan> {
    return this.#kept.values();
  }

  #hold(key: string, kept: Kept, caller: string): void {
    const share = this.#shares.get(caller) ?? { plans: new Map<string, Kept>(), bytes: 0 };
    this.#shares.set(caller, share);
    if (!share.plans.delete(key)) {
      share.bytes += kept.bytes;
      kept.callers++;
    }
    share.plans.set(key, kept);
  }

  /** Takes its oldest plan from the largest share; false when there is none. */
  #dropOne(): boolean {
    let [largest, who]: [Share | undefined, string] = [undefined, ''];
    for (const [caller, share] of this.#shares) {
      if (!largest || share.bytes > largest.bytes) [largest, who] = [share, caller];
    }
    const [oldest] = largest?.plans ?? [];
    if (!largest || !oldest) return false;
    const [key, kept] = oldest;
    largest.plans.delete(key);
    largest.bytes -= kept.bytes;
    if (largest.plans.size === 0) this.#shares.delete(who);
    if (--kept.callers > 0) return true;
    this.#kept.delete(key);
    this.#release(kept);
    return true;
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

/** The size that a plan adds to its inputs. */
function bytesOfPlan(plan: Plan, call: ToolCall, from: readonly KnownPlan[]): number {
  const shared = from.some((known) => known.plan.columns === plan.columns);
  const columns = shared ? 0 : plan.columns.length * COLUMN_BYTES;
  return PLAN_BYTES + columns + Buffer.byteLength(printExactJson(call));
}
