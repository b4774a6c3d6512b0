import type { FastifyInstance } from 'fastify';
import { printExactJson } from '../../../contracts/exact-json.ts';
import { SingleFlight } from '../../base/concurrency.ts';
import { type Caller, callerOfRequest, OWN_CALLER } from '../../base/http/caller.ts';
import { exactValue, objectOf, queryFields } from '../../base/http/json.ts';
import { HttpProblem } from '../../base/http/problem.ts';
import type { Limits } from '../../base/limits.ts';
import {
  type AnswerCache,
  type RuntimeContext,
  runStatement,
  type ServedDomain,
  type SlowQueries,
} from '../runtime.ts';
import { answerPlan, countsOf, RowCounts, readView, type View } from './answer-plan.ts';
import { DomainTools, handlesIn, type Recipe, recipe, type ToolCall } from './domain-tools.ts';
import { PEER_PREFIX, Peers } from './peers.ts';
import { answerKind, HANDLE_PATTERN, type Plan } from './plan.ts';
import { planSteps } from './plan-bounds.ts';
import type { ToolFormulation } from './toolboxes.ts';

export interface LiveToolsOptions {
  readonly limits: Limits;
  readonly slowQueries: SlowQueries;
  readonly cache: AnswerCache;
  readonly handleBytes?: number | undefined;
  /** Addresses of the other replicas of this service; see peers.ts. */
  readonly peers?: readonly URL[] | undefined;
}

const HANDLE_BYTES = 16 * 1024 * 1024;
/** More than a sensible call refers to. Bounds the made-up handles that peers can be asked for. */
const MAX_HANDLES = 50;
/** Share of a query's time limit that a preview may take. */
const PREVIEW_SHARE = 0.25;

/** The tools of all domains of a service: carries out calls and returns their answers as JSON texts. */
export class LiveTools {
  readonly #options: LiveToolsOptions;
  readonly #peers: Peers | null;
  readonly #domains = new WeakMap<ServedDomain, DomainTools>();
  /** Answers in progress, so that concurrent identical calls are computed once. */
  readonly #underWay = new SingleFlight<string>();

  /** Called once, before the first call. */
  onFirstCall: (() => void) | null = null;

  constructor(options: LiveToolsOptions) {
    this.#options = options;
    this.#peers = options.peers && options.peers.length > 0 ? new Peers(options.peers) : null;
  }

  /**
   * Carries out a call and returns the JSON text of a ToolAnswer. Throws HttpProblems: UNKNOWN_TOOL, UNKNOWN_HANDLE,
   * INVALID_PARAMETERS with one entry per field, QUERY_TOO_COMPLEX, ANSWER_TOO_LARGE, QUERY_TIMEOUT, QUERY_FAILED,
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

  /** The plan of a handle, if this replica or a peer knows it. Throws REPLICA_SILENT. */
  async find(domain: ServedDomain, handle: string, asker: Caller = OWN_CALLER): Promise<Plan | undefined> {
    const tools = this.of(domain);
    const known = tools.find(handle, asker.caller);
    if (known || !this.#peers || !HANDLE_PATTERN.test(handle)) return known;
    const recipe = await this.#peers.ask(`${pathOf(domain)}/${handle}`);
    if (recipe) followQuietly(tools, recipe, asker.caller);
    return tools.find(handle, asker.caller);
  }

  of({ plain: domain }: ServedDomain): DomainTools {
    const known = this.#domains.get(domain);
    if (known) return known;
    const tools = new DomainTools(domain.service, this.#options.handleBytes ?? HANDLE_BYTES);
    this.#domains.set(domain, tools);
    return tools;
  }

  get hasPeers(): boolean {
    return this.#peers !== null;
  }

  /** Sends the handles of the domains to a peer, before this replica stops. Never rejects. */
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
    if (domain.journal.length > 0)
      return this.#compute(domain, plan, view, asker, asker.caller).then(({ text }) => text);
    // The handle identifies the answer: it is a hash of the plan, and the data never change.
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
    const { catalog, counts } = this.of(domain);
    const isWritten = domain.journal.length > 0;
    const known = { catalog, counts: isWritten ? countsOf(new RowCounts(), '') : countsOf(counts, knownTo) };
    const steps = planSteps(plan, catalog);
    const timeoutMs = this.#options.limits.timeoutMs * (answerKind(plan) === 'table' ? PREVIEW_SHARE : 1);
    return answerPlan(plan, known, view, (sql, parameters, maxRows) =>
      runStatement(
        this.#options,
        domain,
        { sql, parameters, steps, kind: 'tools', maxRows, timeoutMs },
        asker,
      ),
    );
  }
}

function pathOf({ service }: ServedDomain): string {
  return `${PEER_PREFIX}/${encodeURIComponent(service.split)}/${encodeURIComponent(service.db)}`;
}

/** Ignores an unknown tool: a peer of another version may have tools, hence handles, that this one lacks. */
function followQuietly(tools: DomainTools, recipe: Recipe, caller: string): void {
  try {
    tools.follow(recipe, caller);
  } catch (error) {
    if (!(error instanceof HttpProblem)) throw error;
  }
}

export interface ToolContext extends RuntimeContext {
  readonly tools: LiveTools;
}

/** `POST /v1/:split/:db/<formulation>/:tool`: the body has the arguments, the response is a ToolAnswer. */
export function toolRoutes(app: FastifyInstance, context: ToolContext, formulation: ToolFormulation): void {
  app.post(
    `/v1/:split/:db/${formulation}/:tool`,
    { config: { kind: formulation } },
    async (request, reply) => {
      const domain = context.domains.of(request);
      const { tool } = request.params as { readonly tool: string };
      const view = readView(request.query as Record<string, unknown>, context.limits.maxRows);
      const call = { formulation, name: tool, arguments: objectOf(request.body ?? {}) };
      const body = await context.tools.call(domain, call, view, callerOfRequest(request, reply));
      return reply.header('content-type', 'application/json; charset=utf-8').send(body);
    },
  );
}

interface InnerToolCall extends Omit<ToolCall, 'formulation'> {
  readonly domain: ServedDomain;
  readonly view: string;
}

export function toolAnswers(formulation: ToolFormulation) {
  return function answerTool({ tools, limits }: ToolContext, call: InnerToolCall, asker: Caller) {
    const { domain, name, view } = call;
    const shown = readView(view === '' ? {} : queryFields(view), limits.maxRows);
    const args = objectOf(exactValue(call.arguments ?? {}));
    return tools.call(domain, { formulation, name, arguments: args }, shown, asker);
  };
}

/** Starts a child process after an agent's first call: later calls may be slow. */
export function warmForTools(app: FastifyInstance, { tools, slowQueries }: ToolContext): void {
  app.addHook('onListen', async () => {
    tools.onFirstCall = () => slowQueries.warm();
  });
}

/**
 * `GET /internal/handles/:split/:db/:handle`: the recipe of a handle. `POST /internal/handles/:split/:db`: recipes that
 * a peer hands over before it stops. Their calls come from outside, so they are validated like any request.
 */
export function peerRoutes(app: FastifyInstance, { domains, tools }: ToolContext): void {
  if (!tools.hasPeers) return;

  app.get(`${PEER_PREFIX}/:split/:db/:handle`, { config: { kind: 'peer' } }, (request, reply) => {
    const { handle } = request.params as { readonly handle: string };
    const calls = tools.of(domains.of(request)).recipe(handle);
    if (!calls) throw new HttpProblem('UNKNOWN_HANDLE', `there is no result ${handle.slice(0, 80)} here`);
    return reply.header('cache-control', 'no-store').type('application/json').send(printExactJson(calls));
  });

  app.post(`${PEER_PREFIX}/:split/:db`, { config: { kind: 'peer' } }, (request, reply) => {
    const calls = recipe.safeParse(request.body);
    if (!calls.success) throw new HttpProblem('BAD_REQUEST', 'This is no list of calls.');
    tools.of(domains.of(request)).follow(calls.data);
    return reply.code(204).send();
  });

  app.addHook('onClose', () => tools.handOver(domains));
}
