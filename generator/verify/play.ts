import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import type { Row } from '../../contracts/catalog.ts';
import { QueryError } from '../../contracts/errors.ts';
import { parseExactJson } from '../../contracts/exact-json.ts';
import {
  addressOf,
  bodyText,
  type CalledService,
  type CallRequest,
  type Replayed,
} from '../../contracts/formulation.ts';
import { FORMULATIONS } from '../../contracts/formulations.ts';
import type { Call, Sample } from '../../contracts/sample.ts';
import type { Service } from '../../contracts/service.ts';
import { startCalls, toolRoot } from '../../contracts/tool-chain.ts';
import { readJson } from '../../services/base/http/json.ts';
import { DEFAULT_LIMITS } from '../../services/base/limits.ts';
import type { DomainCalls } from '../../services/domain/domain-calls.ts';
import { AnswerCache, SlowQueries, type SlowQueriesOptions } from '../../services/domain/runtime.ts';
import { buildApp } from '../../services/index.ts';
import { PATIENCE } from '../oracle/oracle.ts';
import type { DatabaseVariant } from '../variants/neighbours.ts';

/** fastify's `inject`, or anything with its interface. */
export interface InjectableApp {
  inject(request: {
    method: CallRequest['method'];
    url: string;
    /** JSON, with all digits of its numbers. */
    payload?: string;
    headers?: Record<string, string>;
  }): Promise<InjectedAnswer>;
}

export type InjectedAnswer = Pick<LightMyRequestResponse, 'statusCode' | 'body'>;

export interface Played {
  /** The final answer's rows, by position. */
  readonly rows: readonly Row[];
  /** The final answer as the service sent it. */
  readonly body: unknown;
  /** The rows if a call had been answered otherwise. */
  readonly rowsIf?: Replayed['rowsIf'];
}

/** The calls of a sample or of a candidate for one. */
export interface Playable extends Pick<Sample, 'formulation' | 'initialization_step'> {
  readonly output: readonly Call[];
}

export interface PlayOptions {
  /** Calls whose results are rendered as for agents; all by default. Others show few rows, to save time. */
  readonly previews?: 'all' | 'none' | readonly Call[];
}

/** Sends calls as an agent would. Throws QueryError TOO_SLOW, CALL_FAILED, or SQL_TOO_LARGE if truncated. */
export async function playCalls(
  app: InjectableApp,
  service: CalledService,
  { formulation, initialization_step, output }: Playable,
  { previews = 'all' }: PlayOptions = {},
): Promise<Played> {
  const contract = FORMULATIONS[formulation];
  const { rows, rowsIf, body, failure, truncated } = await contract.replay(service, output, {
    starts: startCalls(initialization_step),
    view: (onTheWay, call) => {
      if (previews === 'all') return {};
      if (previews === 'none') return onTheWay ? UNSEEN : WHOLE;
      return onTheWay && !previews.includes(call) ? UNSEEN : {};
    },
    async send(request, call) {
      const text = bodyText(request);
      const response = await app.inject({
        method: request.method,
        url: addressOf(request),
        ...(text === undefined ? {} : { payload: text, headers: JSON_HEADERS }),
      });
      if (response.statusCode !== 200) throw callFailed(call.name, response);
      return { body: parseExactJson(response.body) };
    },
  });
  if (rows) return { rows, body, ...(rowsIf ? { rowsIf } : {}) };
  throw new QueryError(truncated ? 'SQL_TOO_LARGE' : 'CALL_FAILED', failure ?? 'the calls answer no rows');
}

const JSON_HEADERS = { 'content-type': 'application/json' };

const UNSEEN = { preview: '0', limit: '1' };
const WHOLE = { limit: '100000' };

/** A call was answered with an error. */
export class CallFailedError extends QueryError {
  /** The code of the problem that the service sent, if any. */
  readonly problem: string | null;

  constructor(reason: string, problem: string | null) {
    super(problem === 'QUERY_TIMEOUT' ? 'TOO_SLOW' : 'CALL_FAILED', reason);
    this.problem = problem;
  }
}

export function callFailed(name: string, response: InjectedAnswer): QueryError {
  let detail = '';
  let code: string | null = null;
  try {
    const problem = JSON.parse(response.body) as { code?: unknown; detail?: unknown };
    detail = ` ${problem.code}: ${problem.detail}`;
    code = typeof problem.code === 'string' ? problem.code : null;
  } catch {
    // Not JSON: only the status is known.
  }
  return new CallFailedError(`${name} was answered with ${response.statusCode}${detail}`, code);
}

/** Sends calls to the app that serves a variant, as `playCalls`. */
export type Play = (calls: Playable, variant: DatabaseVariant) => Promise<Played>;

/** Caches successful answers: data do not change, and a proof repeats many requests. */
export function rememberingApp(app: InjectableApp, bytes: number): InjectableApp {
  const known = new AnswerCache(bytes);
  return {
    async inject(request) {
      const key = requestKey(request);
      const before = known.get(key);
      if (before) return { statusCode: 200, body: before.body };
      const { statusCode, body } = await app.inject(request);
      if (statusCode === 200) known.set(key, { body, etag: '' });
      return { statusCode, body };
    },
  };
}

const CHAINS = ['slot', 'sel'] as const;

/**
 * An app whose tools are called within the process, as those of runs are, for a fraction of what HTTP costs. The proof
 * on the original goes over HTTP.
 */
function callingApp(served: FastifyInstance, calls: DomainCalls, service: Service): InjectableApp {
  const roots = CHAINS.map((kind) => ({ kind, root: `${toolRoot(service, kind)}/` }));
  return {
    async inject(request) {
      const { url, payload = '{}' } = request;
      const called = roots.find(({ root }) => url.startsWith(root));
      if (!called) return served.inject(request);
      const [tool = '', view = ''] = url.slice(called.root.length).split('?');
      const name = decodeURIComponent(tool);
      const call = { service, name, arguments: readJson(payload), view };
      const { status, body } = await calls.call(called.kind, call);
      return { statusCode: status, body };
    },
  };
}

/** Equal for equal requests. */
export function requestKey({ method, url, payload = '' }: Parameters<InjectableApp['inject']>[0]): string {
  return `${method} ${url} ${payload}`;
}

/** In-process apps for a domain over each of its variants. */
export interface VariantApps {
  /** Remembers its answers. */
  app(variant: DatabaseVariant): InjectableApp;
  /** Its calls within the process, which can be made in the state of a run. */
  calls(variant: DatabaseVariant): DomainCalls;
  close(): Promise<void>;
}

/** Calls may take this many times as long on a neighbour, which no agent waits for. */
const ON_NEIGHBOURS = 6;
const CACHE_BYTES = 8 * 1024 * 1024;
/** Remembered answers; those that do not fit are requested again. */
const MEMORY_BYTES = 32 * 1024 * 1024;

/** Calls have a service's limits, tightened by `timeoutMs`. All endpoints run in child processes. */
export async function buildVariantApps(
  service: Service,
  variants: readonly DatabaseVariant[],
  {
    timeoutMs,
    children,
    onCost,
  }: { readonly timeoutMs: number; readonly children: number } & Pick<SlowQueriesOptions, 'onCost'>,
): Promise<VariantApps> {
  const stoppable: Service = {
    ...service,
    endpoints: service.endpoints.map((endpoint) => ({ ...endpoint, speed: 'slow' })),
  };
  const apps = new Map<string, { readonly served: FastifyInstance; readonly remembering: InjectableApp }>();
  // Not stopped by the clock: a busy machine must not decide a verdict.
  const limits = {
    timeoutMs: Math.min(timeoutMs, DEFAULT_LIMITS.timeoutMs),
    planMs: Number.POSITIVE_INFINITY,
  };
  const patient = { ...limits, timeoutMs: limits.timeoutMs * ON_NEIGHBOURS };
  const pool = { size: children, maxQueue: 10_000, patience: PATIENCE };
  // Shared by all variants: starting a process costs more than most domains' queries.
  const slowQueries = new SlowQueries({
    ...pool,
    timeoutMs: limits.timeoutMs,
    onCost,
  });
  for (const variant of variants) {
    const served = await buildApp({
      domains: [{ service: stoppable, database: variant.served }],
      limits: variant.isNeighbour ? patient : limits,
      slowQueries,
      pool,
      // SLOT and SEL request the same results under the same handles.
      cache: { bytes: CACHE_BYTES },
      // A remembered answer's handle must stay valid.
      handles: { bytes: Number.POSITIVE_INFINITY },
      logger: false,
    });
    const calls = served.domainCalls;
    const app = variant.isNeighbour && calls ? callingApp(served, calls, stoppable) : served;
    apps.set(variant.label, { served, remembering: rememberingApp(app, MEMORY_BYTES) });
  }
  return {
    app(variant) {
      const app = apps.get(variant.label);
      if (!app) throw new Error(`no app for ${variant.label}`);
      return app.remembering;
    },
    calls(variant) {
      const calls = apps.get(variant.label)?.served.domainCalls;
      if (!calls) throw new Error(`no app for ${variant.label}`);
      return calls;
    },
    async close() {
      await Promise.all([...apps.values()].map(({ served }) => served.close()));
      await slowQueries.close();
    },
  };
}
