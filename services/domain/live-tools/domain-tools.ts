import type { Catalog } from '../../../contracts/catalog.ts';
import { printExactJson } from '../../../contracts/exact-json.ts';
import type { Service } from '../../../contracts/service.ts';
import { parseArguments } from '../../base/arguments/parse-arguments.ts';
import { argumentProblem } from '../../base/http/argument-problem.ts';
import type { Plan } from '../tools/plan/plan.ts';
import { startPlan } from '../tools/tools/initialize-active-data.ts';
import { RowCounts } from './answers/row-counts.ts';
import type { StatementPace } from './answers/run-statement.ts';
import { checkPlan } from './plans/check-plan.ts';
import { findTool } from './plans/find-tool.ts';
import { type KnownPlan, KnownPlans, type ToolCall } from './plans/known-plans.ts';
import { type Recipe, recipeOf } from './replicas/recipe.ts';

/** At 10 million steps a second, the fewest that were seen, the main thread is held up for 15 ms at most. */
const QUICK_STEPS = 150_000;
/** One request of a hand-over has hardly more than this. */
const BYTES_PER_PART = 256 * 1024;

/** The tools of one domain: turns calls into plans, and handles into their plans. Reads no rows. */
export class DomainTools {
  readonly catalog: Catalog;
  readonly counts = new RowCounts();
  readonly pace: StatementPace = { quickSteps: QUICK_STEPS };
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
   * The plan that a call makes, which its handle stands for from then on; it counts for the caller. Throws UNKNOWN_TOOL, UNKNOWN_HANDLE,
   * INVALID_PARAMETERS, QUERY_TOO_COMPLEX.
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

  /** The plan that a handle stands for, if it is known here. */
  find(handle: string, caller = ''): Plan | undefined {
    return this.#plans.get(handle, caller)?.plan;
  }

  /** The calls that make a handle, or null when it is not known here. */
  recipe(handle: string): Recipe | null {
    const known = this.#plans.get(handle);
    return known ? recipeOf([known]) : null;
  }

  /** The calls that make every handle that is known here, in parts that can be sent. */
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

  /** Makes the calls of a recipe, up to the first that does not give the handle it should. */
  follow(recipe: Recipe, caller = ''): void {
    for (const { handle, ...call } of recipe) {
      if (this.find(handle, caller)) continue;
      if (this.plan(call, caller).handle !== handle) return;
    }
  }
}
