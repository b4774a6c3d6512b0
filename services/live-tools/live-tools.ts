import type { Catalog } from '../../contracts/catalog.ts';
import type { AnswerCache } from '../answer-cache.ts';
import type { Limits } from '../limits.ts';
import type { ServedDomain } from '../served-domain.ts';
import type { SlowQueries } from '../slow-queries.ts';
import { answerKind } from '../tools/execute.ts';
import type { Plan } from '../tools/plan/plan.ts';
import { parseArguments } from '../tools/read-arguments.ts';
import { startPlan } from '../tools/tools/initialize-active-data.ts';
import { answerPlan } from './answer-plan.ts';
import { checkPlan } from './check-plan.ts';
import { findTool } from './find-tool.ts';
import { type KnownPlan, KnownPlans, type ToolCall } from './known-plans.ts';
import { planSteps } from './plan-steps.ts';
import { type Pace, runStatement } from './run-statement.ts';
import { toolProblem } from './tool-problem.ts';
import type { View } from './view.ts';

export interface LiveToolsOptions {
  readonly limits: Limits;
  readonly slowQueries: SlowQueries;
  readonly cache: AnswerCache;
  /** Bytes of plans kept for each domain. */
  readonly handleBytes?: number;
}

/** Steps that take the main thread a few milliseconds. */
const QUICK_STEPS = 20_000;
const HANDLE_BYTES = 16 * 1024 * 1024;
/** How long a table is looked into for its preview, as a share of a query's time. */
const PREVIEW_SHARE = 0.25;

/** The tools of all domains of a service, live: calls in, answers as JSON texts out. */
export class LiveTools {
  readonly #options: LiveToolsOptions;
  readonly #domains = new WeakMap<ServedDomain, DomainTools>();
  /** Answers under way, so that the same one is not computed twice at a time. */
  readonly #underWay = new Map<string, Promise<string>>();

  constructor(options: LiveToolsOptions) {
    this.#options = options;
  }

  /**
   * Carries out a call and answers the JSON text of a ToolAnswer. Throws HttpProblems: UNKNOWN_TOOL,
   * UNKNOWN_HANDLE, INVALID_PARAMETERS with one entry a field, QUERY_TOO_COMPLEX, ANSWER_TOO_LARGE, QUERY_TIMEOUT,
   * QUERY_FAILED, OVERLOADED.
   */
  async call(domain: ServedDomain, call: ToolCall, view: View): Promise<string> {
    const plan = this.plan(domain, call);
    return this.#answer(domain, plan, view);
  }

  /** The plan that a call makes, which its handle stands for from then on. Throws as `call` does; no rows are read. */
  plan(domain: ServedDomain, call: ToolCall): Plan {
    const { plans, catalog } = this.#toolsOf(domain);
    const from = new Set<KnownPlan>();
    const find = (handle: string): Plan | undefined => {
      const known = plans.get(handle);
      if (known) from.add(known);
      return known?.plan;
    };
    try {
      const tool = findTool(call.formulation, call.name, call.arguments, find);
      const scope = { catalog, find, isReference: (name: string) => find(name) !== undefined };
      const plan = tool.plan(parseArguments(tool.args, call.arguments), scope);
      checkPlan(plan);
      plans.add(plan, call, [...from]);
      return plan;
    } catch (error) {
      throw toolProblem(error);
    }
  }

  /** The plan that a handle stands for, if it is known here. */
  find(domain: ServedDomain, handle: string): Plan | undefined {
    return this.#toolsOf(domain).plans.get(handle)?.plan;
  }

  #answer(domain: ServedDomain, plan: Plan, view: View): Promise<string> {
    const { cache } = this.#options;
    const { split, db } = domain.service;
    // A handle stands for its answer: plans are named by their content, and the data never change.
    const key = `tool ${split}/${db}/${plan.handle} ${view.preview} ${view.offset} ${view.limit}`;
    const cached = cache.get(key);
    if (cached) return Promise.resolve(cached.body);
    const pending = this.#underWay.get(key);
    if (pending) return pending;
    const answer = this.#compute(domain, plan, view)
      .then((body) => {
        cache.set(key, { body, etag: '' });
        return body;
      })
      .finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, answer);
    return answer;
  }

  #compute(domain: ServedDomain, plan: Plan, view: View): Promise<string> {
    const { limits, slowQueries } = this.#options;
    const { catalog, pace } = this.#toolsOf(domain);
    const steps = planSteps(plan, catalog);
    const timeoutMs = limits.timeoutMs * (answerKind(plan) === 'table' ? PREVIEW_SHARE : 1);
    return answerPlan(plan, catalog, view, (sql, parameters, maxRows) => {
      const caps = { maxRows, maxBytes: limits.maxBytes };
      return runStatement({ sql, parameters, caps, timeoutMs }, steps, domain, pace, {
        slowQueries,
        quickMs: limits.quickMs,
      });
    });
  }

  #toolsOf(domain: ServedDomain): DomainTools {
    const known = this.#domains.get(domain);
    if (known) return known;
    const tools = makeDomainTools(domain, this.#options.handleBytes ?? HANDLE_BYTES);
    this.#domains.set(domain, tools);
    return tools;
  }
}

/** What is kept of a domain once somebody calls one of its tools. */
interface DomainTools {
  readonly catalog: Catalog;
  readonly plans: KnownPlans;
  readonly pace: Pace;
}

function makeDomainTools({ service }: ServedDomain, handleBytes: number): DomainTools {
  const { catalog } = service;
  const pinned = service.start_tables.map(({ handle: _handle, ...definition }) =>
    startPlan(definition, { catalog }),
  );
  return { catalog, plans: new KnownPlans(pinned, handleBytes), pace: { quickSteps: QUICK_STEPS } };
}
