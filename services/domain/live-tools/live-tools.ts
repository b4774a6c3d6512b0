import { type Caller, OWN_CALLER } from '../../base/access/asker.ts';
import { HttpProblem } from '../../base/http/problem.ts';
import type { Limits } from '../../base/limits.ts';
import { SingleFlight } from '../../base/under-way.ts';
import type { AnswerCache } from '../runtime/answer-cache.ts';
import type { ServedDomain } from '../runtime/served-domain.ts';
import type { SlowQueries } from '../runtime/slow-queries.ts';
import { answerKind } from '../tools/plan/answer-kind.ts';
import { HANDLE_PATTERN } from '../tools/plan/make-plan.ts';
import type { Plan } from '../tools/plan/plan.ts';
import { answerPlan } from './answers/answer-plan.ts';
import { planSteps } from './answers/plan-steps.ts';
import { countsOf } from './answers/row-counts.ts';
import { runStatement } from './answers/run-statement.ts';
import type { View } from './answers/view.ts';
import { DomainTools } from './domain-tools.ts';
import { handlesIn } from './plans/handles-in.ts';
import type { ToolCall } from './plans/known-plans.ts';
import { PEER_PREFIX } from './replicas/peer-prefix.ts';
import { Peers } from './replicas/peers.ts';
import type { Recipe } from './replicas/recipe.ts';

export interface LiveToolsOptions {
  readonly limits: Limits;
  readonly slowQueries: SlowQueries;
  readonly cache: AnswerCache;
  /** Bytes of plans kept for each domain. */
  readonly handleBytes?: number | undefined;
  /** Where the other replicas of this service are; see replicas/peers.ts. */
  readonly peers?: readonly URL[] | undefined;
}

const HANDLE_BYTES = 16 * 1024 * 1024;
/** No sensible call refers to more; peers are not asked for an unlimited number of made-up handles. */
const MAX_HANDLES = 50;
/** How long a table is looked into for its preview, as a share of a query's time. */
const PREVIEW_SHARE = 0.25;

/** The tools of all domains of a service: takes calls, returns answers as JSON texts. */
export class LiveTools {
  readonly #options: LiveToolsOptions;
  readonly #peers: Peers | null;
  readonly #domains = new WeakMap<ServedDomain, DomainTools>();
  /** Answers under way, so that the same one is not computed twice at a time. */
  readonly #underWay = new SingleFlight<string>();

  /** Called once, before the first call. */
  onFirstCall: (() => void) | null = null;

  constructor(options: LiveToolsOptions) {
    this.#options = options;
    this.#peers = options.peers && options.peers.length > 0 ? new Peers(options.peers) : null;
  }

  /**
   * Carries out a call and returns the JSON text of a ToolAnswer. Throws HttpProblems: UNKNOWN_TOOL, UNKNOWN_HANDLE,
   * INVALID_PARAMETERS with one entry a field, QUERY_TOO_COMPLEX, ANSWER_TOO_LARGE, QUERY_TIMEOUT, QUERY_FAILED,
   * OVERLOADED, REPLICA_SILENT.
   */
  async call(domain: ServedDomain, call: ToolCall, view: View, asker: Caller = OWN_CALLER): Promise<string> {
    this.onFirstCall?.();
    this.onFirstCall = null;
    if (this.#peers) {
      const wanted = [...handlesIn(call.arguments)].slice(0, MAX_HANDLES);
      await Promise.all(wanted.map((handle) => this.find(domain, handle, asker)));
    }
    return this.#answer(domain, this.of(domain).plan(call, asker.caller), view, asker);
  }

  /** The plan that a handle stands for, if it is known here or to a peer. Throws REPLICA_SILENT. */
  async find(domain: ServedDomain, handle: string, asker: Caller = OWN_CALLER): Promise<Plan | undefined> {
    const tools = this.of(domain);
    const known = tools.find(handle, asker.caller);
    if (known || !this.#peers || !HANDLE_PATTERN.test(handle)) return known;
    const recipe = await this.#peers.ask(`${pathOf(domain)}/${handle}`);
    if (recipe) followQuietly(tools, recipe, asker.caller);
    return tools.find(handle, asker.caller);
  }

  /** The tools of one domain. */
  of(domain: ServedDomain): DomainTools {
    const known = this.#domains.get(domain);
    if (known) return known;
    const tools = new DomainTools(domain.service, this.#options.handleBytes ?? HANDLE_BYTES);
    this.#domains.set(domain, tools);
    return tools;
  }

  get hasPeers(): boolean {
    return this.#peers !== null;
  }

  /** Before this replica ends: gives the handles of these domains to a peer. Never rejects. */
  async handOver(domains: Iterable<ServedDomain>): Promise<void> {
    const peers = this.#peers;
    if (!peers) return;
    for (const domain of domains) {
      for (const recipe of this.#domains.get(domain)?.recipes() ?? []) {
        if (!(await peers.tell(pathOf(domain), recipe))) return peers.close();
      }
    }
    await peers.close();
  }

  #answer(domain: ServedDomain, plan: Plan, view: View, asker: Caller): Promise<string> {
    const { cache } = this.#options;
    const { split, db } = domain.service;
    // A handle identifies its answer: plans are named by their content, and the data never change.
    const key = `tool ${split}/${db}/${plan.handle} ${view.preview} ${view.offset} ${view.limit}`;
    const cached = asker.fresh ? undefined : cache.get(key);
    if (cached) return Promise.resolve(cached.body);
    return this.#underWay.share(asker.fresh ? `${asker.caller} ${key}` : key, asker, async (all) => {
      const { text, whole } = await this.#compute(domain, plan, view, all, asker.fresh ? asker.caller : '');
      if (whole && !asker.fresh) cache.set(key, { body: text, etag: '' });
      return text;
    });
  }

  #compute(domain: ServedDomain, plan: Plan, view: View, asker: Caller, knownTo: string) {
    const { limits, slowQueries } = this.#options;
    const { catalog, pace, counts } = this.of(domain);
    const known = { catalog, counts: countsOf(counts, knownTo) };
    const steps = planSteps(plan, catalog);
    const timeoutMs = limits.timeoutMs * (answerKind(plan) === 'table' ? PREVIEW_SHARE : 1);
    return answerPlan(plan, known, view, (sql, parameters, maxRows) => {
      const caps = { maxRows, maxBytes: limits.maxBytes };
      return runStatement({ sql, parameters, caps, timeoutMs }, steps, domain, pace, {
        slowQueries,
        quickMs: limits.quickMs,
        asker,
      });
    });
  }
}

/** The routes by which replicas ask each other for the handles of a domain. */
function pathOf({ service }: ServedDomain): string {
  return `${PEER_PREFIX}/${encodeURIComponent(service.split)}/${encodeURIComponent(service.db)}`;
}

/** A peer of another version may know tools that do not exist here: then its handles do not either. */
function followQuietly(tools: DomainTools, recipe: Recipe, caller: string): void {
  try {
    tools.follow(recipe, caller);
  } catch (error) {
    if (!(error instanceof HttpProblem)) throw error;
  }
}
