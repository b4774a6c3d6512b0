import { z } from 'zod';
import type { Catalog } from '../../../contracts/catalog.ts';
import { printExactJson } from '../../../contracts/exact-json.ts';
import type { Service } from '../../../contracts/service.ts';
import { parseArguments } from '../../base/arguments.ts';
import { argumentProblem, HttpProblem, unknownTool } from '../../base/http/problem.ts';
import { RowCounts } from './answer-plan.ts';
import { referenceIn, type ToolDefinition } from './arguments.ts';
import { bareHandle, HANDLE_PATTERN, type Plan } from './plan.ts';
import { initializeActiveData, startPlan } from './table-tools.ts';
import { TOOL_FORMULATIONS, TOOLBOXES, type Toolbox, type ToolFormulation } from './toolboxes.ts';

/** Approximate size limit of one hand-over request. */
const BYTES_PER_PART = 256 * 1024;

/** The tools of one domain: maps calls to plans, and handles to their plans. Reads no rows. */
export class DomainTools {
  readonly catalog: Catalog;
  readonly counts = new RowCounts();
  readonly #referenceTime: string;
  readonly #plans: KnownPlans;

  constructor({ catalog, start_tables, reference_time }: Service, handleBytes: number) {
    this.catalog = catalog;
    this.#referenceTime = reference_time;
    const pinned = start_tables.map(({ handle: _handle, ...definition }) =>
      startPlan(definition, { catalog }),
    );
    this.#plans = new KnownPlans(pinned, handleBytes);
  }

  /**
   * Makes the plan of a call, keeps it under its handle, and counts it towards the caller's share. Throws UNKNOWN_TOOL,
   * UNKNOWN_HANDLE, INVALID_PARAMETERS, QUERY_TOO_COMPLEX.
   */
  plan(call: ToolCall, caller = ''): Plan {
    const from = new Set<KnownPlan>();
    const find = (handle: string): Plan | undefined => {
      const known = this.#plans.get(handle, caller);
      if (known) from.add(known);
      return known?.plan;
    };
    try {
      const tool = findTool(call.formulation, call.name, call.arguments, find);
      const scope = {
        catalog: this.catalog,
        find,
        referenceTime: this.#referenceTime,
      };
      const plan = tool.plan(parseArguments(tool.args, call.arguments), scope);
      checkPlan(plan);
      this.#plans.add(plan, call, [...from], caller);
      return plan;
    } catch (error) {
      throw argumentProblem(error);
    }
  }

  /** The plan of a handle, if this replica knows it. */
  find(handle: string, caller = ''): Plan | undefined {
    return this.#plans.get(handle, caller)?.plan;
  }

  /** The calls that make a handle; null if this replica does not know it. */
  recipe(handle: string): Recipe | null {
    const known = this.#plans.get(handle);
    return known ? recipeOf([known]) : null;
  }

  /** The calls that make every known handle, in parts small enough to send. */
  *recipes(): Iterable<Recipe> {
    let part: Recipe = [];
    let bytes = 0;
    for (const call of recipeOf(this.#plans)) {
      bytes += Buffer.byteLength(printExactJson(call));
      part.push(call);
      if (bytes < BYTES_PER_PART) continue;
      yield part;
      [part, bytes] = [[], 0];
    }
    if (part.length > 0) yield part;
  }

  /** Makes the calls of a recipe, and stops at the first that gives another handle than stated. */
  follow(recipe: Recipe, caller = ''): void {
    for (const { handle, ...call } of recipe) {
      if (this.find(handle, caller)) continue;
      if (this.plan(call, caller).handle !== handle) return;
    }
  }
}

/**
 * Finds a tool by name. Tools specific to columns are looked up among those of the table in `data_source`. Throws
 * UNKNOWN_TOOL with the nearest names.
 */
export function findTool(
  formulation: ToolFormulation,
  name: string,
  args: unknown,
  find: (handle: string) => Plan | undefined,
): ToolDefinition {
  if (name === initializeActiveData.name) return initializeActiveData;
  const toolbox: Toolbox = TOOLBOXES[formulation];
  const keys = toolbox.madeForColumns ? sourceKeys(args, find) : [];
  const tool = toolbox.find(name, keys);
  if (tool) return tool;
  throw unknownTool(name, toolbox.names(keys));
}

function sourceKeys(args: unknown, find: (handle: string) => Plan | undefined): string[] {
  const source =
    typeof args === 'object' && args !== null && 'data_source' in args ? args.data_source : undefined;
  if (typeof source !== 'string') return [];
  return find(referenceIn(source) ?? source)?.columns.map(({ key }) => key) ?? [];
}

export interface ToolCall {
  readonly formulation: ToolFormulation;
  readonly name: string;
  readonly arguments: unknown;
}

/** A plan with the call that made it and the plans that the call refers to: enough to make it again elsewhere. */
export interface KnownPlan {
  readonly plan: Plan;
  /** null for the farm's start tables, which every replica has. */
  readonly call: ToolCall | null;
  readonly from: readonly KnownPlan[];
}

/** A plan in memory, dropped when neither its handle nor a plan derived from it is in use. */
interface Kept extends KnownPlan {
  readonly from: readonly Kept[];
  readonly bytes: number;
  /** Number of kept plans derived from this one, plus one while its handle is known. */
  uses: number;
  /** Number of callers whose share includes it. */
  callers: number;
}

/** The plans that a caller has made or used, by bare handle, least recently used first. */
interface Share {
  readonly plans: Map<string, Kept>;
  bytes: number;
}

const PLAN_BYTES = 500;
const COLUMN_BYTES = 60;

/**
 * The handles of one domain. Those of start tables stay for good, others within a byte budget. When it is spent, the
 * caller with the largest share loses its least recently used plans, so that no caller can evict another's. A plan is
 * found by its handle and by its bare handle.
 */
export class KnownPlans {
  /** Both maps are keyed by bare handle. */
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

  /** Also adds the plan to the caller's share, even if another caller made it. */
  get(handle: string, caller = ''): KnownPlan | undefined {
    const key = keyOf(handle);
    const known = this.#pinned.get(key) ?? this.#kept.get(key);
    if (!known || (handle !== key && handle !== known.plan.handle)) return undefined;
    if (known.call !== null) this.#hold(key, known, caller);
    return known;
  }

  /** Adds a plan, derived from plans that `get` returned. A known plan keeps its first call. */
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

  /** All plans but the start tables. */
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

  /** Evicts the oldest plan of the largest share; false if there is none. */
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

/** Bytes that a plan takes beyond its inputs. */
function bytesOfPlan(plan: Plan, call: ToolCall, from: readonly KnownPlan[]): number {
  const shared = from.some((known) => known.plan.columns === plan.columns);
  const columns = shared ? 0 : plan.columns.length * COLUMN_BYTES;
  return PLAN_BYTES + columns + Buffer.byteLength(printExactJson(call));
}

/** All texts in a call's arguments that look like handles. */
export function handlesIn(value: unknown): Set<string> {
  const found = new Set<string>();
  const visit = (part: unknown): void => {
    if (typeof part === 'string') {
      const name = referenceIn(part) ?? part;
      if (HANDLE_PATTERN.test(name)) found.add(name);
    } else if (typeof part === 'object' && part !== null) {
      for (const inner of Object.values(part)) visit(inner);
    }
  };
  visit(value);
  return found;
}

const MAX_PARTS = 10_000;
const MAX_DEPTH = 250;
const MAX_COLUMNS = 2000;

/** Throws QUERY_TOO_COMPLEX for a plan that fits no statement. */
export function checkPlan(plan: Plan): void {
  const { parts, depth } = sizeOfPart(plan);
  if (plan.columns.length > MAX_COLUMNS)
    refuse(`${plan.columns.length} columns; ${MAX_COLUMNS} are possible`);
  if (depth > MAX_DEPTH) refuse(`more than ${MAX_DEPTH} steps, one inside the other`);
  if (parts > MAX_PARTS) refuse(`more than ${MAX_PARTS} parts`);
}

function refuse(what: string): never {
  throw new HttpProblem('QUERY_TOO_COMPLEX', `The result would be made of ${what}.`);
}

export interface PlanSize {
  /** Plans, conditions and arguments in the statement. A plan used twice is compiled twice and counts twice. */
  readonly parts: number;
  readonly depth: number;
}

const sizes = new WeakMap<object, PlanSize>();

/** Computed without compiling, since a short sequence of calls can make a very long statement. */
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

/** A call and its handle, which is the same on every replica. */
export const recipeCall = z.object({
  handle: z.string(),
  formulation: z.enum(TOOL_FORMULATIONS),
  name: z.string(),
  arguments: z.unknown(),
});
export type RecipeCall = z.infer<typeof recipeCall>;

/** The calls that make a handle from the start tables of a farm, each after those that it refers to. */
export const recipe = z.array(recipeCall);
export type Recipe = z.infer<typeof recipe>;

/** The calls that make the given plans, without duplicates. */
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
